import type { DashboardInput } from '../../../api/queries/dashboards.ts';
import { settled } from '../../model/layout.ts';
import { parseBound } from '../../../view/time-range.ts';
import { viewRefreshes, type DashboardView, type ReadDashboard } from '../read-dashboard.ts';
import { listOf, objectOf, textOf, type Json } from './json.ts';
import { Names, type KnownData } from './names.ts';
import { logsSource, metricsSource, tileOfPanel } from './panels.ts';

/** Whether a file is a dashboard of Grafana: itself, or the answer of Grafana's API. */
export function grafanaDashboard(file: Json): Json | undefined {
  const body = objectOf(file['dashboard']) ?? file;
  const isGrafana = Array.isArray(body['panels']) && file['sightline'] === undefined;
  return isGrafana ? body : undefined;
}

/** Height of a grid row of Grafana in rows of this grid. */
const rowShare = 38 / 64;

/** Carries a dashboard of Grafana over, and says what cannot be. */
export function readGrafana(body: Json, known: KnownData): ReadDashboard {
  const losses: string[] = [];
  const names = new Names(known);
  const lostVariables: string[] = [];
  const filters = listOf(objectOf(body['templating'])?.['list'])
    .flatMap((one) => filterOf(one, names, lostVariables))
    .slice(0, 50);
  const tiles = allPanels(body).flatMap((panel) => {
    const config = panel['type'] === 'row' ? headingConfig : tileOfPanel(panel, names, losses);
    const name = textOf(panel['title']).slice(0, 1024);
    return config
      ? [{ name, ...placeOf(panel), ...repetitionOf(panel, filters, losses), config }]
      : [];
  });
  losses.push(...lostVariables);
  if (listOf(objectOf(body['annotations'])?.['list']).some((one) => one['builtIn'] !== 1)) {
    losses.push('Annotations: this server has none.');
  }
  const view = viewOf(body, losses);
  const input: DashboardInput = {
    name: textOf(body['title']).slice(0, 1024) || 'From Grafana',
    tags: tagsOf(body['tags']),
    tiles: settled(tiles),
    filters,
  };
  const text = JSON.stringify(input);
  const wanted = [metricsSource, logsSource].filter(({ id }) => text.includes(id));
  return { input, wanted, losses, view };
}

/** The filter that a panel, or a row, is repeated by. */
function repetitionOf(
  panel: Json,
  filters: NonNullable<DashboardInput['filters']>,
  losses: string[],
): { repeatBy?: string } {
  const variable = textOf(panel['repeat']);
  const isKnown = panel['type'] !== 'row' && filters.some(({ id }) => id === variable);
  if (variable !== '' && !isKnown) {
    losses.push(`“${textOf(panel['title'])}”: it is shown once, not for each “${variable}”.`);
  }
  return isKnown ? { repeatBy: variable } : {};
}

/** The title of a tile without text is a heading. */
const headingConfig = { displayType: 'markdown', markdown: '' } as const;

/** Panels from top to bottom; those of a closed row stand within it. */
const allPanels = (body: Json): Json[] =>
  listOf(body['panels']).flatMap((panel) =>
    panel['type'] === 'row' ? [panel, ...listOf(panel['panels'])] : [panel],
  );

/** The range and the refresh that the dashboard opens with. */
function viewOf(body: Json, losses: string[]): DashboardView {
  const time = objectOf(body['time']);
  const [from, to] = [textOf(time?.['from']), textOf(time?.['to'])].map(parseBound);
  const refresh = textOf(body['refresh']);
  const every = viewRefreshes.find((one) => one === refresh);
  if (time && (from === undefined || to === undefined)) {
    losses.push('The time range: choose one on the dashboard.');
  }
  if (refresh !== '' && every === undefined) {
    losses.push(`The refresh every ${refresh}: choose another one on the dashboard.`);
  }
  return {
    ...(from !== undefined && to !== undefined && { from, to }),
    ...(every && { every }),
  };
}

function placeOf(panel: Json): { x: number; y: number; w: number; h: number } {
  const place = objectOf(panel['gridPos']) ?? {};
  const whole = (key: string, fallback: number): number => {
    const value = place[key];
    return typeof value === 'number' && Number.isFinite(value) ? Math.round(value) : fallback;
  };
  const w = Math.min(24, Math.max(1, whole('w', 12)));
  return {
    x: Math.min(24 - w, Math.max(0, whole('x', 0))),
    y: Math.max(0, Math.round(whole('y', 0) * rowShare)),
    w,
    h: panel['type'] === 'row' ? 1 : Math.max(2, Math.round(whole('h', 8) * rowShare)),
  };
}

function tagsOf(value: unknown): string[] {
  const texts = Array.isArray(value) ? value.filter((tag) => typeof tag === 'string') : [];
  return [...new Set(texts.map((tag) => tag.slice(0, 32)))].filter(Boolean).slice(0, 50);
}

const labelValues = /^label_values\s*\((?:.*,)?\s*([a-zA-Z_]\w*)\s*\)$/s;

/** A variable of label values as a filter. */
function filterOf(
  variable: Json,
  names: Names,
  losses: string[],
): NonNullable<DashboardInput['filters']> {
  const name = textOf(variable['name']);
  // The person chooses a source for each data source.
  if (variable['type'] === 'datasource') {
    return [];
  }
  const { query } = variable;
  const text = typeof query === 'string' ? query : textOf(objectOf(query)?.['query']);
  const label = labelValues.exec(text.trim())?.[1];
  if (variable['type'] !== 'query' || label === undefined) {
    losses.push(
      `Variable “${name}” (${textOf(variable['type'])}): only values of a label become a filter.`,
    );
    return [];
  }
  return [
    {
      id: name.slice(0, 64) || label.slice(0, 64),
      name: (textOf(variable['label']) || name || label).slice(0, 255),
      expression: names.field(label, 'Attributes'),
      sourceId: metricsSource.id,
    },
  ];
}
