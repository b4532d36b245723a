import { identifier, join, qualified, sql, type Sql } from '../../../sql/sql.ts';
import type { Table, EventTime } from '../plan/plan.ts';
import type { SearchPlan } from '../plan/plan-search.ts';
import { emitCondition } from './emit-condition.ts';
import { emitExpression } from './emit-expression.ts';
import { emitMoment, emitRange } from './emit-time.ts';

/**
 * One page of rows; the last column is the event time in nanoseconds. One row more than the page
 * tells whether there is another. `placed` orders rows that are otherwise alike by their place in
 * storage, so that pages do not overlap; only MergeTree tables have places.
 */
export function emitSearch(
  { table, time, range, condition, columns, order, limit, cursor }: SearchPlan,
  placed: boolean,
): Sql {
  const exact = emitExpression(time.exact.expression);
  const nanos = sql`toUnixTimestamp64Nano(toDateTime64(${exact}, 9))`;
  const select = columns.map(
    ({ operand }, index) =>
      sql`${emitExpression(operand.expression)} AS ${identifier(`__column_${index}`)}`,
  );
  const upTo =
    cursor?.kind === 'time'
      ? [sql`${exact} <= fromUnixTimestamp64Nano(toInt64(${cursor.nanos}))`]
      : [];
  const where = [
    emitRange(time, range),
    ...(condition.kind === 'all' ? [] : [emitCondition(condition)]),
    ...upTo,
  ];
  const orderBy =
    order.length === 0
      ? [sql`${exact} DESC`]
      : order.map(({ operand, descending }) =>
          descending
            ? sql`${emitExpression(operand.expression)} DESC`
            : sql`${emitExpression(operand.expression)} ASC`,
        );
  const selected = join([...select, sql`toString(${nanos}) AS ${identifier('__nanos')}`], ', ');
  const from = qualified(table.database, table.name);
  const ordering = join([...orderBy, ...(placed ? [sql`_part, _part_offset`] : [])], ', ');
  const page = sql`LIMIT ${limit + 1} OFFSET ${cursor?.skip ?? 0}`;
  return sql`SELECT ${selected} FROM ${from} WHERE ${join(where, ' AND ')} ORDER BY ${ordering} ${page}`;
}

/** Some rows to take sample values from: recent ones, or any where there are none. */
function sample(
  table: Table,
  time: EventTime,
  sinceMs: number | undefined,
  rows: number,
  columns: Sql[],
): Sql {
  const where =
    sinceMs === undefined
      ? sql``
      : sql` WHERE ${emitExpression(time.exact.expression)} >= ${emitMoment(sinceMs)}`;
  return sql`SELECT ${join(columns, ', ')} FROM ${qualified(table.database, table.name)}${where} LIMIT ${rows}`;
}

const samplesPerField = 10;

/** The most frequent values of each column among the sampled rows, one array a column. */
export function emitColumnSamples(
  table: Table,
  time: EventTime,
  sinceMs: number | undefined,
  names: readonly string[],
): Sql {
  const tops = names.map(
    (name, index) =>
      sql`topK(${samplesPerField})(toString(${identifier(name)})) AS ${identifier(`__top_${index}`)}`,
  );
  return sql`SELECT ${join(tops, ', ')} FROM (${sample(table, time, sinceMs, 20_000, names.map(identifier))})`;
}

/**
 * Keys of a map column among the sampled rows, most frequent first, with their most frequent
 * values.
 */
export function emitMapSamples(
  table: Table,
  time: EventTime,
  sinceMs: number | undefined,
  name: string,
): Sql {
  const map = identifier(name);
  const rows = sample(table, time, sinceMs, 20_000, [map]);
  const zipped = sql`arrayZip(mapKeys(${map}), mapValues(${map}))`;
  const pairs = sql`SELECT arrayJoin(${zipped}) AS pair FROM (${rows})`;
  const values = sql`topK(${samplesPerField})(left(toString(pair.2), 200))`;
  return sql`SELECT toString(pair.1) AS key, ${values} AS values FROM (${pairs})
GROUP BY key ORDER BY count() DESC, key LIMIT 500`;
}
