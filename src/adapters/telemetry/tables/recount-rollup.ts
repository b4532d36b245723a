import type { Telemetry } from '../../../ports/telemetry.ts';
import { literal, qualified, sql } from '../../../sql/sql.ts';
import { logsPerMinute, readExactFrom } from './rollup.ts';
import { storedName, type SchemaOptions } from './schema.ts';

const admin = { purpose: 'admin', timeoutMs: 3_600_000 } as const;

/**
 * Counts the minutes again in which the rollup differs from the logs, from where it has to be exact.
 * Nothing may write meanwhile. Returns the number of minutes.
 */
export async function recountRollup(
  telemetry: Pick<Telemetry, 'query' | 'command' | 'columns'>,
  database: string,
  schema: SchemaOptions = {},
): Promise<number> {
  const exactFromMs = await readExactFrom(telemetry, database, schema);
  if (exactFromMs === undefined) {
    return 0;
  }
  const logs = qualified(database, storedName('otel_logs', schema));
  const rollup = qualified(database, storedName(logsPerMinute.name, schema));
  const start = sql`toDateTime(${exactFromMs / 1000})`;
  const { rows } = await telemetry.query(
    sql`SELECT DISTINCT toUnixTimestamp(Minute) FROM (
      SELECT toStartOfMinute(TimestampTime) AS Minute, ServiceName, SeverityText, SeverityNumber,
        toInt64(count()) AS Difference
      FROM ${logs} WHERE TimestampTime >= ${start} GROUP BY ALL
      UNION ALL
      SELECT Minute, ServiceName, SeverityText, SeverityNumber, -toInt64(sum(Count)) AS Difference
      FROM ${rollup} WHERE Minute >= ${start} GROUP BY ALL
    )
    GROUP BY Minute, ServiceName, SeverityText, SeverityNumber HAVING sum(Difference) != 0`,
    admin,
  );
  const minutes = rows.map(([minute]) => Number(minute));
  const atOnce = 1000;
  for (let first = 0; first < minutes.length; first += atOnce) {
    const list = literal(`[${minutes.slice(first, first + atOnce).join(',')}]`);
    const some = sql`(SELECT arrayJoin(JSONExtract(${list}, 'Array(UInt32)')))`;
    await telemetry.command(
      sql`ALTER TABLE ${rollup} DELETE WHERE toUnixTimestamp(Minute) IN ${some}
        SETTINGS mutations_sync = 2`,
      admin,
    );
    await telemetry.command(
      sql`INSERT INTO ${rollup} (Minute, ServiceName, SeverityText, SeverityNumber, Count)
        SELECT toStartOfMinute(TimestampTime) AS Minute, ServiceName, SeverityText, SeverityNumber,
          count() AS Count
        FROM ${logs} WHERE toUnixTimestamp(toStartOfMinute(TimestampTime)) IN ${some}
        GROUP BY ALL`,
      admin,
    );
  }
  return minutes.length;
}
