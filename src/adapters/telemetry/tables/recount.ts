import { randomUUID } from 'node:crypto';
import type { QueryOptions, Telemetry } from '../../../ports/telemetry.ts';
import { join, literal, qualified, sql, type Sql } from '../../../sql/sql.ts';
import { logs } from './logs.ts';
import { rollupDifferences, rollupSources, type RollupSource } from './rollup-differences.ts';
import { logsPerMinute, readExactFrom } from './rollup.ts';

const admin: QueryOptions = { purpose: 'admin', timeoutMs: 600_000 };

/**
 * Number of newest blocks of a table that an unclean end can have cut short: two inserts at a time,
 * each of at most 90 days, as many again, and those that the intake log repeats before.
 */
const uncertainBlocks = 1260;

/**
 * Makes the rollup equal to the logs again, after the engine ended between an insert into the logs
 * and the one into the rollup, or lost a part of either. It adds the difference for each key, which
 * may be negative: counts are added modulo 2^64. Nobody may insert logs meanwhile.
 * @returns the number of keys that differed
 */
export async function recountLogs(telemetry: Telemetry, database: string): Promise<number> {
  const exactFromMs = await readExactFrom(telemetry, database);
  const sources = await Promise.all(
    rollupSources({}).map((source) => uncertainMinutes(telemetry, database, source)),
  );
  const minutes = sources.filter((source) => source !== undefined);
  if (exactFromMs === undefined || minutes.length === 0) {
    return 0;
  }
  const differences = sql`SELECT Minute, ServiceName, SeverityText, SeverityNumber,
    toUInt64(Logs - Counted) AS Missing
  FROM (${rollupDifferences(database, { minutes, exactFromMs })})`;
  const { rows } = await telemetry.query(sql`SELECT count() FROM (${differences})`, admin);
  const count = Number(rows[0]?.[0]);
  if (count > 0) {
    await telemetry.command(
      sql`INSERT INTO ${qualified(database, logsPerMinute.name)}
(Minute, ServiceName, SeverityText, SeverityNumber, Count) ${differences}
SETTINGS insert_deduplication_token = ${randomUUID()}`,
      admin,
    );
  }
  return count;
}

/** The minutes of a table's newest blocks, and of the partitions that have lost a part. */
async function uncertainMinutes(
  telemetry: Telemetry,
  database: string,
  { table, minute }: RollupSource,
): Promise<Sql | undefined> {
  const { rows: parts } = await telemetry.query(
    sql`SELECT name FROM system.parts WHERE active AND database = ${database} AND table = ${table}
AND max_block_number + ${uncertainBlocks} > (
  SELECT max(max_block_number) FROM system.parts
  WHERE active AND database = ${database} AND table = ${table}
)`,
    admin,
  );
  const { rows: partitions } = await telemetry.query(
    sql`SELECT DISTINCT partition_id FROM system.detached_parts
WHERE database = ${database} AND table IN (${logs.name}, ${logsPerMinute.name})
AND reason LIKE 'broken%' AND partition_id IS NOT NULL`,
    admin,
  );
  const conditions = [
    ...(parts.length > 0 ? [sql`_part IN (${texts(parts)})`] : []),
    ...(partitions.length > 0 ? [sql`_partition_id IN (${texts(partitions)})`] : []),
  ];
  return conditions.length === 0
    ? undefined
    : sql`SELECT DISTINCT ${minute} AS Minute FROM ${qualified(database, table)} WHERE ${join(conditions, ' OR ')}`;
}

const texts = (rows: readonly unknown[][]): Sql =>
  join(
    rows.map(([text]) => literal(String(text))),
    ', ',
  );
