import { join, qualified, sql, type Sql } from '../../../sql/sql.ts';
import type { Field } from '../expression/expression.ts';
import type { EventTime, Table } from '../plan/plan.ts';
import { fieldOperand } from '../where/condition.ts';
import { emitExpression } from './emit-expression.ts';
import { emitMoment } from './emit-time.ts';

/** What the list of metrics needs of one table. */
export interface MetricTable {
  table: Table;
  time: EventTime;
  name: Field;
  unit: Field | undefined;
  /** The value of a point, or its number of observations. */
  value: Field | undefined;
}

/** Names that contain `find`, in order, each with its newest time (ms), and the number of all. */
export function emitMetricNames(
  { table, time, name }: MetricTable,
  find: string,
  limit: number,
): Sql {
  const key = fieldOf(name);
  const newest = sql`max(${emitExpression(time.exact.expression)})`;
  const where =
    find === '' ? sql`` : sql` WHERE positionCaseInsensitiveUTF8(toString(${key}), ${find}) > 0`;
  const columns = sql`toString(${key}) AS name, ${milliseconds(newest)} AS newest, count() OVER () AS total`;
  return sql`SELECT ${columns} FROM ${from(table)}${where} GROUP BY ${key} ORDER BY name LIMIT ${limit}`;
}

/**
 * The newest value and the unit of these metrics. `newestMs` bounds the rows: the name and the hour
 * are at the start of the sorting key, so that the engine reads the last hour of each metric only.
 */
export function emitLastValues(
  { table, time, name, unit, value }: MetricTable,
  metrics: readonly { name: string; newestMs: number }[],
): Sql {
  const key = fieldOf(name);
  const at = emitExpression(time.exact.expression);
  const last = value ? sql`toFloat64(argMax(${fieldOf(value)}, ${at}))` : sql`NULL`;
  const lastUnit = unit ? sql`toString(argMax(${fieldOf(unit)}, ${at}))` : sql`''`;
  const hours = metrics.map(
    (metric) => sql`(${metric.name}, toStartOfHour(${emitMoment(metric.newestMs)}))`,
  );
  const rows = sql`(${key}, toStartOfHour(${at})) IN (${join(hours, ', ')})`;
  return sql`SELECT toString(${key}), ${last}, ${lastUnit} FROM ${from(table)} WHERE ${rows} GROUP BY ${key}`;
}

const fieldOf = (field: Field): Sql => emitExpression(fieldOperand(field).expression);

const from = ({ database, name }: Table): Sql => qualified(database, name);

const milliseconds = (time: Sql): Sql => sql`toUnixTimestamp64Milli(toDateTime64(${time}, 3))`;
