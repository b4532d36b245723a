/**
 * The numbers of a chart, computed in plain TypeScript over the rows that were stored. It knows
 * nothing of SQL.
 */
export interface OracleRow {
  atMs: number;
  group: string[];
  /** Undefined: no value. */
  value: number | string | undefined;
}

export type Aggregate =
  | { fn: 'count' | 'sum' | 'avg' | 'min' | 'max' | 'last_value' | 'count_distinct' }
  | { fn: 'quantile'; level: number };

export interface OraclePoint {
  bucketMs: number;
  group: string[];
  value: number;
}

export function oracle(
  rows: readonly OracleRow[],
  aggregate: Aggregate,
  bucketMs: number,
  counted: 'rows' | 'values' = 'rows',
): OraclePoint[] {
  const cells = new Map<string, OracleRow[]>();
  for (const row of rows) {
    const key = JSON.stringify([Math.floor(row.atMs / bucketMs) * bucketMs, row.group]);
    cells.set(key, [...(cells.get(key) ?? []), row]);
  }
  return [...cells].flatMap(([key, members]) => {
    const [bucket, group] = JSON.parse(key) as [number, string[]];
    const value = reduce(members, aggregate, counted);
    return value === undefined ? [] : [{ bucketMs: bucket, group, value }];
  });
}

export function reduce(
  rows: readonly OracleRow[],
  aggregate: Aggregate,
  counted: 'rows' | 'values',
): number | undefined {
  const present = rows.filter(({ value }) => value !== undefined);
  if (aggregate.fn === 'count') {
    return (counted === 'rows' ? rows.length : present.length) || undefined;
  }
  if (aggregate.fn === 'count_distinct') {
    return new Set(present.map(({ value }) => value)).size || undefined;
  }
  const numbers = present.map(({ value }) => value as number);
  if (numbers.length === 0) {
    return undefined;
  }
  switch (aggregate.fn) {
    case 'sum':
      return numbers.reduce((sum, value) => sum + value, 0);
    case 'avg':
      return numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
    case 'min':
      return Math.min(...numbers);
    case 'max':
      return Math.max(...numbers);
    case 'last_value':
      return present.reduce((latest, row) => (row.atMs >= latest.atMs ? row : latest))
        .value as number;
    case 'quantile':
      return interpolated(numbers, aggregate.level);
  }
}

function interpolated(numbers: number[], level: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const place = level * (sorted.length - 1);
  const low = Math.floor(place);
  const high = Math.min(low + 1, sorted.length - 1);
  return sorted[low]! + (sorted[high]! - sorted[low]!) * (place - low);
}

/** Decimal text as the engine reads it; anything else is no number. */
export function numberOf(text: string | undefined): number | undefined {
  return text !== undefined &&
    /^-?\d+(\.\d+)?(e[+-]?\d+)?$/.test(text) &&
    Number.isFinite(Number(text))
    ? Number(text)
    : undefined;
}
