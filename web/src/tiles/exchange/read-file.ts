import type { DashboardInput } from '../../api/queries/dashboards.ts';
import type { Source } from '../../api/queries/sources.ts';
import type { ReadDashboard, WantedSource } from './read-dashboard.ts';
import { sourceIdsOf } from './export.ts';
import { grafanaDashboard, readGrafana } from './grafana/grafana.ts';
import type { KnownData } from './grafana/names.ts';

/** @throws Error with a sentence for the person if the text is no dashboard. */
export function readDashboardFile(text: string, known: KnownData = {}): ReadDashboard {
  const file = objectOf(parsed(text), 'The file is not a dashboard: it is not a JSON object.');
  const grafana = grafanaDashboard(file);
  if (grafana) {
    return readGrafana(grafana, known);
  }
  const isOurs = file['sightline'] === 'dashboard';
  const body = isOurs ? objectOf(file['dashboard'], 'The file has no "dashboard".') : file;
  if (!Array.isArray(body['tiles'])) {
    throw new Error('The file is not a dashboard: it has no list of "tiles".');
  }
  // What the server assigns means nothing in a file.
  const { id: _id, createdAt: _created, updatedAt: _updated, tiles, ...rest } = body;
  const input = {
    ...rest,
    tiles: (tiles as unknown[]).map((tile) => {
      const { id: _, ...kept } = objectOf(tile, 'A tile of the file is not a JSON object.');
      return { ...kept, config: objectOf(kept['config'], 'A tile of the file has no "config".') };
    }),
    filters: Array.isArray(body['filters']) ? (body['filters'] as unknown[]) : [],
  } as unknown as DashboardInput;
  const named = isOurs && Array.isArray(file['sources']) ? (file['sources'] as unknown[]) : [];
  return { input, wanted: wantedOf(input, named), losses: [] };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const reason = error instanceof Error ? error.message : '';
    throw new Error(`The file is not JSON: ${reason}`, { cause: error });
  }
}

function objectOf(value: unknown, message: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error(message);
  }
  return value as Record<string, unknown>;
}

function wantedOf(input: DashboardInput, named: readonly unknown[]): WantedSource[] {
  const text = (value: unknown): string | undefined =>
    typeof value === 'string' ? value : undefined;
  const entries = named.flatMap((one) =>
    typeof one === 'object' && one !== null ? [one as Record<string, unknown>] : [],
  );
  return sourceIdsOf(input).map((id) => {
    const entry = entries.find((one) => one['id'] === id);
    return { id, name: text(entry?.['name']), kind: text(entry?.['kind']) };
  });
}

/** Own sources for those of a file: the same id, or else the same name and kind. */
export function matchedSources(
  wanted: readonly WantedSource[],
  sources: readonly Pick<Source, 'id' | 'name' | 'kind'>[],
): Record<string, string> {
  return Object.fromEntries(
    wanted.flatMap(({ id, name, kind, isAnyOfKind = false }) => {
      const ofKind = sources.filter((source) => source.kind === kind);
      const own =
        sources.find((source) => source.id === id) ??
        sources.find(
          (source) => source.name === name && (kind === undefined || source.kind === kind),
        ) ??
        (isAnyOfKind && ofKind.length === 1 ? ofKind[0] : undefined);
      return own ? [[id, own.id]] : [];
    }),
  );
}
