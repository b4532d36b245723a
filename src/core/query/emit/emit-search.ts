import { identifier, join, qualified, sql, type Sql } from '../../../sql/sql.ts';
import type { Table, EventTime } from '../plan/plan.ts';
import type { SearchPlan } from '../plan/plan-search.ts';
import type { RowContent } from '../run/search-cursor.ts';
import { emitCondition } from './emit-condition.ts';
import { emitExpression } from './emit-expression.ts';
import { emitAnchor, emitRank, orderedAfter, sameRank } from './emit-order.ts';
import { emitInstant, emitMoment, emitRange, emitSince, emitUntil } from './emit-time.ts';

/** The part of a search that a query reads. Ties are rows that the requested order does not separate. */
export type SearchPart =
  /** From the beginning, in order; ties in any order. */
  | { kind: 'first'; sinceSecond?: number }
  /** The rows after the ties of `row`, in order; ties in any order. */
  | { kind: 'after'; row: RowContent; sinceSecond?: number }
  /** The ties of `row` whose hash is greater than `afterHash`, in order of their hash. */
  | { kind: 'ties'; row: RowContent; afterHash: string | undefined }
  /** The rows that are equal to `row` in every column, without the first `offset`. */
  | { kind: 'equal'; row: RowContent; offset: number };

/**
 * The selected columns, then the event time in nanoseconds, the hash of the row and the rank (the
 * values that the rows are ordered by, as text).
 */
export function emitSearch(plan: SearchPlan, part: SearchPart, limit: number): Sql {
  const { table, time, range, condition, columns, order } = plan;
  const exact = emitExpression(time.exact.expression);
  const nanos = sql`toUnixTimestamp64Nano(toDateTime64(${exact}, 9))`;
  const hash = emitHash(plan);
  const selected = [
    ...columns.map(
      ({ operand }, index) =>
        sql`${emitExpression(operand.expression)} AS ${identifier(`__column_${index}`)}`,
    ),
    sql`toString(${nanos}) AS ${identifier('__nanos')}`,
    sql`${hash} AS ${identifier('__hash')}`,
    sql`${emitRank(order)} AS ${identifier('__rank')}`,
  ];
  const where = [
    emitRange(time, range),
    ...(condition.kind === 'all' ? [] : [emitCondition(condition)]),
    ...partConditions(plan, part, hash),
  ];
  const offset = part.kind === 'equal' ? sql` OFFSET ${part.offset}` : sql``;
  const anchor =
    order.length > 0 && (part.kind === 'after' || part.kind === 'ties')
      ? sql`WITH ${emitAnchor(plan, sql`${emitInstant(time, part.row.nanos)} AND ${hash} = ${part.row.hash}`)} `
      : sql``;
  const from = qualified(table.database, table.name);
  const page = sql`${ordering(plan, part, hash)} LIMIT ${limit}${offset}`;
  return sql`${anchor}SELECT ${join(selected, ', ')} FROM ${from} WHERE ${join(where, ' AND ')}${page}`;
}

/** The selected columns of the first rows, in order; ties in any order. */
export function emitExport(plan: SearchPlan, limit: number): Sql {
  const { table, time, range, condition, columns } = plan;
  const selected = columns.map(
    ({ operand }, index) =>
      sql`${emitExpression(operand.expression)} AS ${identifier(`__column_${index}`)}`,
  );
  const where = [
    emitRange(time, range),
    ...(condition.kind === 'all' ? [] : [emitCondition(condition)]),
  ];
  const from = qualified(table.database, table.name);
  const page = sql`${requestedOrder(plan)} LIMIT ${limit}`;
  return sql`SELECT ${join(selected, ', ')} FROM ${from} WHERE ${join(where, ' AND ')}${page}`;
}

function ordering(plan: SearchPlan, part: SearchPart, hash: Sql): Sql {
  if (part.kind === 'equal') {
    return sql``;
  }
  return part.kind === 'ties' ? sql` ORDER BY ${hash}` : requestedOrder(plan);
}

function requestedOrder({ order, time }: SearchPlan): Sql {
  const requested = order.map(({ operand, descending }) =>
    descending
      ? sql`${emitExpression(operand.expression)} DESC`
      : sql`${emitExpression(operand.expression)} ASC`,
  );
  return sql` ORDER BY ${join([...requested, sql`${emitExpression(time.exact.expression)} DESC`], ', ')}`;
}

function partConditions({ time, order }: SearchPlan, part: SearchPart, hash: Sql): Sql[] {
  switch (part.kind) {
    case 'first':
      return sinceOf(time, part.sinceSecond);
    case 'equal':
      return [emitInstant(time, part.row.nanos), sql`${hash} = ${part.row.hash}`];
    case 'ties':
      return [
        emitInstant(time, part.row.nanos),
        ...sameRank(order),
        ...(part.afterHash === undefined ? [] : [sql`${hash} > ${part.afterHash}`]),
      ];
    case 'after': {
      const earlier = emitUntil(time, part.row.nanos);
      return [
        order.length === 0 ? earlier : orderedAfter(order, earlier),
        ...sinceOf(time, part.sinceSecond),
      ];
    }
  }
}

const sinceOf = (time: EventTime, second: number | undefined): Sql[] =>
  second === undefined ? [] : [emitSince(time, second)];

/** Columns of one row, by its identity. */
export function emitRow(
  plan: Pick<SearchPlan, 'table' | 'time' | 'content'>,
  columns: readonly string[],
  { nanos, hash }: RowContent,
): Sql {
  const from = qualified(plan.table.database, plan.table.name);
  const selected = join(columns.map(identifier), ', ');
  const isRow = sql`${emitInstant(plan.time, nanos)} AND ${emitHash(plan)} = ${hash}`;
  return sql`SELECT ${selected} FROM ${from} WHERE ${isRow} LIMIT 1`;
}

/** The same for the same content, wherever the row is stored. A tuple keeps NULL apart from ''. */
export function emitHash({ content }: Pick<SearchPlan, 'content'>): Sql {
  return sql`lower(hex(sipHash128(tuple(${join(content.map(identifier), ', ')}))))`;
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
