import type { Telemetry } from '../../../ports/telemetry.ts';
import { identifier, join, qualified, sql } from '../../../sql/sql.ts';
import { columnType } from './column-type.ts';

export interface Alignment {
  database: string;
  /** The table to add columns to. */
  table: string;
  /** The table that has them. */
  like: string;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

/**
 * Adds the columns that another table has and this one lacks, so that parts can move there. The
 * parts do not change: the defaults of the other table give the missing values. False: no column was
 * missing.
 */
export async function addMissingColumns(
  telemetry: Pick<Telemetry, 'query' | 'command'>,
  { database, table, like, timeoutMs, signal }: Alignment,
): Promise<boolean> {
  const options = { purpose: 'pipe', tenant: database, timeoutMs, signal } as const;
  const { rows } = await telemetry.query(
    sql`SELECT name, type FROM system.columns
      WHERE database = ${database} AND table = ${like}
        AND default_kind NOT IN ('ALIAS', 'EPHEMERAL')
        AND name NOT IN (
          SELECT name FROM system.columns WHERE database = ${database} AND table = ${table}
        )
      ORDER BY position`,
    options,
  );
  if (rows.length === 0) {
    return false;
  }
  const added = rows.map(
    ([name, type]) => sql`ADD COLUMN ${identifier(String(name))} ${columnType(String(type))}`,
  );
  await telemetry.command(
    sql`ALTER TABLE ${qualified(database, table)} ${join(added, ', ')}`,
    options,
  );
  return true;
}
