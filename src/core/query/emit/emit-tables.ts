import { qualified, sql, type Sql } from '../../../sql/sql.ts';
import type { EventTime, Table } from '../plan/plan.ts';
import { emitExpression } from './emit-expression.ts';

/** How the engine writes the database and the table behind a Distributed table. */
const behindDistributed = "^Distributed\\('[^']*', '([^']*)', '([^']*)'";
/** How the engine writes a materialized view that fills another table. */
const fillsTable = '^CREATE MATERIALIZED VIEW \\S+ TO ';

/**
 * Tables and views of a database with their engines. Tables behind views and Distributed tables are
 * left out, as are views that only fill another table, and ours.
 */
export function emitTables(database: string): Sql {
  const parts = sql`extractGroups(engine_full, ${behindDistributed})`;
  const behind = sql`SELECT ${parts}[2] FROM system.tables
WHERE database = ${database} AND engine = 'Distributed' AND ${parts}[1] = ${database} AND ${parts}[2] != name`;
  const isFiller = sql`engine = 'MaterializedView' AND match(create_table_query, ${fillsTable})`;
  const isOurs = sql`is_temporary OR startsWith(name, '.inner') OR startsWith(name, 'sightline_')`;
  return sql`SELECT name, engine FROM system.tables
WHERE database = ${database} AND NOT (${isOurs}) AND NOT (${isFiller}) AND name NOT IN (${behind})
ORDER BY name`;
}

export function emitTableColumns(database: string): Sql {
  return sql`SELECT table, name, type FROM system.columns WHERE database = ${database} ORDER BY table, position`;
}

/**
 * One row `oldest time (ms), newest time (ms), number of rows`. The OpenTelemetry tables are
 * partitioned by the time that is read, so the engine knows its least and greatest value without
 * reading rows.
 */
export function emitExtent({ database, name }: Table, time: EventTime): Sql {
  const column = emitExpression((time.seconds ?? time.exact).expression);
  const ms = (value: Sql): Sql => sql`toUnixTimestamp64Milli(toDateTime64(${value}, 3))`;
  return sql`SELECT ${ms(sql`min(${column})`)}, ${ms(sql`max(${column})`)}, count()
FROM ${qualified(database, name)}`;
}
