import type { Telemetry } from '../../src/ports/telemetry.ts';
import { identifier, sql } from '../../src/sql/sql.ts';

const admin = { purpose: 'admin', timeoutMs: 60_000 } as const;

/** Keys of the rollup that do not have the count of the logs. */
export async function rollupFaults(telemetry: Telemetry, database: string): Promise<unknown[][]> {
  const { rows } = await telemetry.query(
    sql`SELECT Minute, ServiceName, SeverityText, SeverityNumber, sum(Difference) AS Missing FROM (
      SELECT toStartOfMinute(TimestampTime) AS Minute, ServiceName, SeverityText, SeverityNumber,
        toInt64(count()) AS Difference
      FROM ${identifier(database)}.otel_logs GROUP BY ALL
      UNION ALL
      SELECT Minute, ServiceName, SeverityText, SeverityNumber, -toInt64(sum(Count))
        FROM ${identifier(database)}.otel_logs_1m GROUP BY ALL
    ) GROUP BY ALL HAVING Missing != 0`,
    admin,
  );
  return rows;
}
