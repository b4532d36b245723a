import type { DataPoint, TotalsResult } from '../../api/queries/charts.ts';
import type { TimeData } from '../../charts/time-data.ts';
import { bucketStarts } from '../../view/buckets.ts';
import {
  otherLook,
  severityLook,
  aloneLook,
  type ColorBook,
  type SeriesLook,
} from '../../view/series-colors.ts';
import type { Span } from '../../view/time-range.ts';
import { bucketOfTile, groupsOf, type ValueConfig } from './requests.ts';

const seriesMax = 5;
const otherName = 'other';

/** Names of the tile's values: the ratio is one value. */
export function valueNames({ select, asRatio }: ValueConfig): string[] {
  const names = select.map(({ alias, aggFn, level, valueExpression, metricName }) => {
    if (alias !== undefined && alias !== '') {
      return alias;
    }
    const subject = metricName ?? valueExpression;
    const verb = aggFn === 'quantile' ? `p${Number(((level ?? 0.5) * 100).toFixed(2))}` : aggFn;
    return subject === undefined ? verb : `${verb} of ${subject}`;
  });
  const isNamed = select[0]?.alias !== undefined && select[0].alias !== '';
  return asRatio ? [isNamed ? (names[0] ?? '') : names.join(' / ')] : names;
}

export function groupName(group: readonly string[] | undefined): string {
  return (group ?? []).map((value) => (value === '' ? '(empty)' : value)).join(', ');
}

/** Missing buckets of these mean that there was nothing to count. */
const counting = new Set(['count', 'count_distinct', 'sum']);

/** Points of all requests of a tile, as lines. */
export function timeDataOf(
  config: ValueConfig,
  results: readonly DataPoint[][],
  span: Span,
  nowMs: number,
  book: ColorBook,
): TimeData {
  const { ms: bucketMs } = bucketOfTile(config, span);
  const timesMs = bucketStarts(span, bucketMs);
  const names = valueNames(config);
  const columns = new Map<string, Column>();
  results.forEach((points, part) => {
    for (const point of points) {
      const index = Math.round((point.ts_bucket - (timesMs[0] ?? 0)) / bucketMs);
      names.slice(part * seriesMax, (part + 1) * seriesMax).forEach((value, at) => {
        const number = point[`series_${at}.data`];
        if (typeof number === 'number' && timesMs[index] !== undefined) {
          columnOf(columns, config, point, part * seriesMax + at, value).values.set(index, number);
        }
      });
    }
  });
  const found = [...columns.values()].toSorted(byPlace);
  const looks = looksOf(config, found, book);
  return {
    timesMs,
    bucketMs,
    series: found.map((column, at) => ({
      name: column.name,
      ...(looks[at] ?? otherLook),
      values: timesMs.map((startMs, index) => {
        const isCounted = counting.has(column.aggFn) && startMs <= nowMs;
        return column.values.get(index) ?? (isCounted ? 0 : null);
      }),
    })),
  };
}

interface Column {
  name: string;
  place: number;
  aggFn: string;
  isOther: boolean;
  values: Map<number, number>;
}

function columnOf(
  columns: Map<string, Column>,
  config: ValueConfig,
  point: Pick<DataPoint, 'group' | 'other'>,
  place: number,
  value: string,
): Column {
  const isOther = point.other === true;
  const group = isOther ? otherName : groupName(point.group);
  const key = `${place} ${isOther} ${group}`;
  const known = columns.get(key);
  if (known) {
    return known;
  }
  const isGrouped = groupsOf(config).length > 0;
  const both = isOneValue(config) ? group : `${group} · ${value}`;
  const made: Column = {
    name: isGrouped ? both : value,
    place,
    aggFn: config.asRatio ? 'ratio' : (config.select[place]?.aggFn ?? ''),
    isOther,
    values: new Map(),
  };
  columns.set(key, made);
  return made;
}

/** In the order of the values, then by name; the rest last. */
function byPlace(a: Column, b: Column): number {
  return Number(a.isOther) - Number(b.isOther) || a.place - b.place || a.name.localeCompare(b.name);
}

/**
 * How the lines or slices of a tile look, in their order. Only what needs a colour of its own takes
 * one of the book: not severities, and not the only line of a tile.
 */
export function looksOf(
  config: ValueConfig,
  found: readonly Pick<Column, 'name' | 'isOther'>[],
  book: ColorBook,
): SeriesLook[] {
  const isBySeverity = groupsBySeverity(config);
  const isAlone = groupsOf(config).length === 0 && isOneValue(config);
  if (!isBySeverity && !isAlone) {
    book.add(found.filter(({ isOther }) => !isOther).map(({ name }) => name));
  }
  return found.map(({ name, isOther }) => {
    if (isOther) {
      return otherLook;
    }
    if (isAlone) {
      return aloneLook;
    }
    return isBySeverity ? severityLook(name) : book.look(name);
  });
}

const isOneValue = (config: ValueConfig): boolean =>
  config.asRatio === true || config.select.length === 1;

const groupsBySeverity = (config: ValueConfig): boolean => {
  const [field, ...more] = groupsOf(config);
  return more.length === 0 && /^(severity|level|status)[a-z_]*$/i.test(field ?? '');
};

/** A group with its values, in the order of the tile's values. */
export interface GroupRow {
  group: readonly string[];
  name: string;
  values: (number | null)[];
  /** All groups that are not rows of their own. */
  isOther: boolean;
}

export interface GroupTable {
  rows: GroupRow[];
  /** Number of all groups, of which `rows` are the largest. */
  groups: number;
}

/** Totals of all requests of a tile, merged by group. */
export function groupsTable(config: ValueConfig, results: readonly TotalsResult[]): GroupTable {
  const names = valueNames(config);
  const rows = new Map<string, GroupRow>();
  results.forEach((result, part) => {
    const all = result.rows.map((row) => ({ row, isOther: false }));
    if (result.other && part === 0) {
      all.push({ row: result.other, isOther: true });
    }
    for (const { row, isOther } of all) {
      const group = row.group ?? [];
      const name = isOther ? otherName : groupName(group);
      const key = JSON.stringify([isOther, group]);
      const known = rows.get(key) ?? {
        group,
        name,
        values: names.map(() => null),
        isOther,
      };
      rows.set(key, known);
      names.slice(part * seriesMax, (part + 1) * seriesMax).forEach((_, at) => {
        const number = row[`series_${at}.data`];
        known.values[part * seriesMax + at] = typeof number === 'number' ? number : null;
      });
    }
  });
  return { rows: [...rows.values()], groups: results[0]?.groups ?? 0 };
}
