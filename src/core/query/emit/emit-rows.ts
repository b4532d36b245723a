import { identifier, join, qualified, sql, type Sql } from '../../../sql/sql.ts';
import type { TimeRange } from '../plan/bucket.ts';
import type { EventTime, Measure, Scan } from '../plan/plan.ts';
import { factored } from '../plan/plan-series.ts';
import { rollupFor, rollupTime } from '../plan/rollup.ts';
import { compactPart, joined, weakest, type Condition, type Operand } from '../where/condition.ts';
import { emitAggregate } from './emit-aggregate.ts';
import { emitCondition, mayBeNull } from './emit-condition.ts';
import { emitExpression } from './emit-expression.ts';
import { emitBucket, emitRange } from './emit-time.ts';

/** Names of the result's columns: bucket number, groups, one value per measure. */
export const bucketColumn = identifier('__bucket');
export const groupColumn = (index: number): Sql => identifier(`__group_${index}`);
export const valueColumn = (index: number): Sql => identifier(`__value_${index}`);

/**
 * One pass over logs or spans for all measures. The workspace's table and the range stand outside
 * the caller's condition. `among`: what every row has to fulfil besides, over the scan's groups.
 */
export function emitRows(
  scan: Scan,
  range: TimeRange,
  maxRows: number,
  among: readonly Sql[] = [],
): Sql {
  const pass = emitPass(scan, scan.measures, range, among);
  const keys = emitKeys({ ...scan, time: pass.time }, range);
  const selected = join([...keys.select, ...pass.values], ', ');
  return sql`SELECT ${selected} ${pass.from}${keys.groupBy} LIMIT ${maxRows + 1}`;
}

/** What a pass reads, and the values that it returns. */
export interface Pass {
  time: EventTime;
  values: Sql[];
  /** `FROM … WHERE …`. */
  from: Sql;
}

/**
 * The measures over the table of the scan, or over its rollup: rows are then not counted but their
 * counts added up.
 */
export function emitPass(
  scan: Scan,
  measures: readonly Measure[],
  range: TimeRange,
  among: readonly Sql[] = [],
): Pass {
  const rollup = scan.kind === 'rows' ? rollupFor(scan, range) : undefined;
  const { table, time } = rollup ? { table: rollup.table, time: rollupTime } : scan;
  const { where, when } = emitConditions(measures.map(({ condition }) => condition));
  const values = measures.map(({ aggregate }, index) => {
    const value = rollup
      ? emitCount(when[index])
      : emitAggregate(aggregate, when[index], scan.time);
    return sql`${value} AS ${valueColumn(index)}`;
  });
  const conditions = join([emitRange(time, range), ...where, ...among], ' AND ');
  const from = sql`FROM ${qualified(table.database, table.name)} WHERE ${conditions}`;
  return { time, values, from };
}

/** The number of rows that a rollup has counted. */
function emitCount(when: Sql | undefined): Sql {
  const count = identifier('Count');
  return when ? sql`toFloat64(sumIf(${count}, ${when}))` : sql`toFloat64(sum(${count}))`;
}

/** What the scan selects and groups by. */
export function emitKeys(scan: Scan, range: TimeRange): { select: Sql[]; groupBy: Sql } {
  const bucket = scan.bucketMs === undefined ? [] : [emitBucket(scan.time, scan.bucketMs, range)];
  const groups = scan.groups.map(groupKey);
  const select = [
    ...bucket.map((key) => sql`${key} AS ${bucketColumn}`),
    ...groups.map((key, index) => sql`toString(${key}) AS ${groupColumn(index)}`),
  ];
  const keys = [...bucket.map(() => bucketColumn), ...groups];
  return {
    select,
    groupBy: keys.length === 0 ? sql` HAVING count() > 0` : sql` GROUP BY ${join(keys, ', ')}`,
  };
}

/**
 * Text and whole numbers are grouped as they are stored; what may be NULL, or has several
 * spellings, as its text.
 */
export function groupKey({ expression, type }: Operand): Sql {
  const value = emitExpression(expression);
  if (
    expression.kind === 'field' &&
    !type.nullable &&
    (type.base === 'string' || (type.base === 'number' && !type.float))
  ) {
    return value;
  }
  return sql`ifNull(toString(${value}), '')`;
}

/**
 * The parts that all conditions share, and the OR of what differs, go into WHERE, where they let
 * the engine skip; each aggregate keeps only what sets it apart (`when`; undefined where nothing
 * does). What the OR says of compact columns is said once more by itself, so that the engine can
 * drop rows before it reads their texts and maps.
 */
export function emitConditions(conditions: Condition[]): {
  where: Sql[];
  when: (Sql | undefined)[];
} {
  const { common, rest } = factored(conditions);
  const any = joined('or', weakest(rest));
  const early = rest.length > 1 ? compactPart(any) : any;
  const where = [
    ...common,
    early,
    ...(early === any || JSON.stringify(early) === JSON.stringify(any) ? [] : [any]),
  ]
    .filter(({ kind }) => kind !== 'all')
    .map(emitCondition);
  const alike = rest.every((condition) => condition.kind === 'all') || rest.length === 1;
  return {
    where,
    when: rest.map((condition) =>
      alike || condition.kind === 'all' ? undefined : emitWhen(condition),
    ),
  };
}

function emitWhen(condition: Condition): Sql {
  const text = emitCondition(condition);
  return mayBeNull(condition) ? sql`ifNull(${text}, false)` : text;
}
