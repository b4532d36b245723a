import type { Value } from '../../../ports/telemetry.ts';
import { identifier, join, sql, type Sql } from '../../../sql/sql.ts';
import { emitPass, groupKey } from '../emit/emit-rows.ts';
import { emitBucket } from '../emit/emit-time.ts';
import type { TimeRange } from '../plan/bucket.ts';
import type { EventTime, RowScan } from '../plan/plan.ts';
import type { ScanRow } from '../run/points.ts';
import { readRows } from '../run/read-rows.ts';
import { grouped } from './grouped.ts';

export interface Groupings {
  statement: Sql;
  /** The rows of each scan. `result[n]` belongs to `scans[n]`. */
  read(rows: readonly Value[][]): ScanRow[][];
}

interface Key {
  key: Sql;
  /** As results show it. */
  shown: Sql;
}

/**
 * Scans over the same rows (one table, time and range) with different groups or buckets, as one
 * statement. Each combination of keys is a grouping set, so that the engine reads the rows once.
 * It computes every measure for every set.
 */
export function emitGroupings(
  scans: readonly RowScan[],
  range: TimeRange,
  maxRows: number,
): Groupings {
  const [first] = scans;
  if (!first) {
    throw new TypeError('groupings need at least one scan');
  }
  const measures = scans.flatMap((scan) => scan.measures);
  const pass = emitPass(first, measures, range);
  const keys: Key[] = [];
  const places = scans.map((scan) =>
    keysOf(scan, pass.time, range).map((one) => placeOf(keys, one)),
  );
  const sets = new Map(
    places.map((own) => [
      nameOf(own),
      join(
        own.map((at) => keys[at]!.key),
        ', ',
      ),
    ]),
  );
  const set = sql`toString(grouping(${join(
    keys.map(({ key }) => key),
    ', ',
  )}))`;
  const selected = join(
    [
      sql`${set} AS ${identifier('__set')}`,
      ...keys.map(({ shown }, index) => sql`${shown} AS ${identifier(`__key_${index}`)}`),
      ...pass.values,
    ],
    ', ',
  );
  const groupings = join(
    [...sets.values()].map((own) => sql`(${own})`),
    ', ',
  );
  const groupBy = sql` GROUP BY GROUPING SETS (${groupings}) HAVING count() > 0`;
  const names = places.map((own) => maskOf(own, keys.length));
  return {
    statement: sql`SELECT ${selected} ${pass.from}${groupBy} LIMIT ${maxRows + 1}`,
    read(rows) {
      const bySet = grouped(rows, ([name]) => String(name));
      let before = 0;
      return scans.map((scan, index) => {
        const from = 1 + keys.length + before;
        before += scan.measures.length;
        const own = (bySet.get(names[index]!) ?? []).map((row) => [
          ...places[index]!.map((at) => row[1 + at]!),
          ...row.slice(from, from + scan.measures.length),
        ]);
        return readRows(scan, range, own);
      });
    },
  };
}

function keysOf(scan: RowScan, time: EventTime, range: TimeRange): Key[] {
  const bucket = scan.bucketMs === undefined ? [] : [emitBucket(time, scan.bucketMs, range)];
  return [
    ...bucket.map((key) => ({ key, shown: key })),
    ...scan.groups.map((group) => {
      const key = groupKey(group);
      return { key, shown: sql`toString(${key})` };
    }),
  ];
}

/** The place of a key in the list, which gets it if it is new. */
function placeOf(keys: Key[], one: Key): number {
  const known = keys.findIndex(({ shown }) => shown.text === one.shown.text);
  return known === -1 ? keys.push(one) - 1 : known;
}

const nameOf = (places: readonly number[]): string =>
  [...new Set(places)].sort((left, right) => left - right).join();

/** What `grouping` returns for a set: a bit for each key, set if the key is not in it. */
function maskOf(places: readonly number[], count: number): string {
  let mask = 0n;
  for (let at = 0; at < count; at++) {
    mask = (mask << 1n) | (places.includes(at) ? 0n : 1n);
  }
  return String(mask);
}
