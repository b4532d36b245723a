import { join, qualified, sql, type Sql } from '../../../sql/sql.ts';
import { logs } from './logs.ts';
import { logsPerMinute } from './rollup.ts';
import { storedName, type SchemaOptions } from './schema.ts';

/** A table that says how many log records a minute has. */
export interface RollupSource {
  table: string;
  /** The minute of a row. */
  minute: Sql;
}

/** The logs, and the rollup. */
export const rollupSources = (schema: SchemaOptions): RollupSource[] => [
  { table: storedName(logs.name, schema), minute: sql`toStartOfMinute(TimestampTime)` },
  { table: storedName(logsPerMinute.name, schema), minute: sql`Minute` },
];

export interface RollupRange {
  /** Queries that give the minutes to compare. */
  minutes: readonly Sql[];
  /** Before this time the rollup need not be exact. Milliseconds since the epoch. */
  exactFromMs: number;
}

/** A query for the keys of the rollup whose counts differ, with both counts: `Logs` and `Counted`. */
export function rollupDifferences(
  database: string,
  { minutes, exactFromMs }: RollupRange,
  schema: SchemaOptions = {},
): Sql {
  const union = join(minutes, ' UNION ALL ');
  const logTable = storedName(logs.name, schema);
  const rollupTable = storedName(logsPerMinute.name, schema);
  return sql`SELECT Minute, ServiceName, SeverityText, SeverityNumber,
    sum(OfLogs) AS Logs, sum(OfRollup) AS Counted
  FROM (
    SELECT toStartOfMinute(TimestampTime) AS Minute, ServiceName, SeverityText, SeverityNumber,
      toInt64(count()) AS OfLogs, toInt64(0) AS OfRollup
    FROM ${qualified(database, logTable)}
    WHERE TimestampTime >= (SELECT min(Minute) FROM (${union}))
      AND TimestampTime < (SELECT max(Minute) FROM (${union})) + 60
      AND toStartOfMinute(TimestampTime) IN (${union})
    GROUP BY Minute, ServiceName, SeverityText, SeverityNumber
    UNION ALL
    SELECT Minute, ServiceName, SeverityText, SeverityNumber,
      toInt64(0) AS OfLogs, toInt64(sum(Count)) AS OfRollup
    FROM ${qualified(database, rollupTable)}
    WHERE Minute IN (${union})
    GROUP BY Minute, ServiceName, SeverityText, SeverityNumber
  )
  WHERE Minute >= toDateTime(${exactFromMs / 1000})
  GROUP BY Minute, ServiceName, SeverityText, SeverityNumber
  HAVING Logs != Counted`;
}
