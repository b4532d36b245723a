import type { SelectBatch } from '../../ports/connector.ts';
import type { Telemetry } from '../../ports/telemetry.ts';
import { identifier, join, literal, qualified, sql, type Sql } from '../../sql/sql.ts';

export interface SelectDestination {
  database: string;
  table: string;
  /** Each column with the field it takes. */
  columns: readonly { name: string; field: string }[];
  /** Settings of the statement that loads, written in our source with checked values. */
  settings: Sql | undefined;
  timeoutMs: number;
}

/**
 * Stores what the engine reads by itself, whole or not at all. It is loaded into a table beside the target, which is renamed when it is
 * complete: the rename is the moment from which on nothing is read again. Then its partitions are moved. `key` names the range: doing all this again after
 * dying at any point goes on where it stood. Call `forgetSelect` once the position is recorded.
 */
export async function loadSelect(telemetry: Telemetry, to: SelectDestination, batch: SelectBatch, key: string, signal: AbortSignal): Promise<{ rows: number; bytes: number; errors: number }> {
  const { loading, ready } = stageNames(to, key);
  const run = (statement: Sql): Promise<void> => telemetry.command(statement, { purpose: 'pipe', timeoutMs: to.timeoutMs, signal });
  if (!await exists(telemetry, to.database, ready)) {
    await run(sql`DROP TABLE IF EXISTS ${qualified(to.database, loading)}`);
    await run(sql`CREATE TABLE ${qualified(to.database, loading)} AS ${qualified(to.database, to.table)}`);
    await run(insertSelect(to, loading, batch.source));
    await run(sql`RENAME TABLE ${qualified(to.database, loading)} TO ${qualified(to.database, ready)}`);
  }
  const parts = await telemetry.query(sql`SELECT partition_id, sum(rows) FROM system.parts WHERE active AND database = ${to.database} AND table = ${ready} GROUP BY partition_id ORDER BY partition_id`, { purpose: 'pipe', timeoutMs: to.timeoutMs, signal });
  for (const [partitionId] of parts.rows) await run(sql`ALTER TABLE ${qualified(to.database, ready)} MOVE PARTITION ID ${literal(String(partitionId))} TO TABLE ${qualified(to.database, to.table)}`);
  return { rows: parts.rows.reduce((sum, [, rows]) => sum + Number(rows), 0), bytes: batch.bytes, errors: 0 };
}

/** The position after the range is recorded: what tells that it was moved may go. */
export async function forgetSelect(telemetry: Telemetry, to: SelectDestination, key: string): Promise<void> {
  await telemetry.command(sql`DROP TABLE IF EXISTS ${qualified(to.database, stageNames(to, key).ready)}`, { purpose: 'pipe', timeoutMs: to.timeoutMs });
}

function insertSelect(to: SelectDestination, table: string, source: Sql): Sql {
  const columns = join(to.columns.map(({ name }) => identifier(name)), ', ');
  const fields = join(to.columns.map(({ field }) => identifier(field)), ', ');
  return sql`INSERT INTO ${qualified(to.database, table)} (${columns}) SELECT ${fields} FROM ${source}${to.settings ? sql` SETTINGS ${to.settings}` : sql``}`;
}

function stageNames({ table }: SelectDestination, key: string): { loading: string; ready: string } {
  const name = `${table.slice(0, 120)}_pipe_stage_${key.slice(0, 24)}`;
  return { loading: `${name}_loading`, ready: `${name}_ready` };
}

async function exists(telemetry: Telemetry, database: string, table: string): Promise<boolean> {
  const { rows } = await telemetry.query(sql`SELECT count() FROM system.tables WHERE database = ${database} AND name = ${table}`, { purpose: 'pipe', timeoutMs: 30_000 });
  return Number(rows[0]?.[0] ?? 0) > 0;
}
