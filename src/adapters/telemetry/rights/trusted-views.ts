import type { QueryOptions, Telemetry } from '../../../ports/telemetry.ts';
import { TelemetryError } from '../../../ports/telemetry.ts';
import { qualified, sql } from '../../../sql/sql.ts';

const admin: QueryOptions = { purpose: 'admin', timeoutMs: 60_000 };

/**
 * Lets every materialized view of the embedded engine read and write its tables whoever inserts:
 * only the administrator makes views, and a user who may only insert could not feed them.
 */
export async function trustViews(telemetry: Pick<Telemetry, 'query' | 'command'>): Promise<void> {
  const { rows } = await telemetry.query(
    sql`SELECT database, name FROM system.tables
      WHERE engine = 'MaterializedView' AND NOT startsWith(name, 'pipe_stage_')
        AND NOT match(create_table_query, 'SQL SECURITY (NONE|DEFINER)')`,
    admin,
  );
  for (const [database, name] of rows) {
    await telemetry.command(
      sql`ALTER TABLE ${qualified(String(database), String(name))} MODIFY SQL SECURITY NONE`,
      admin,
    );
  }
}

/** Runs work that inserts. If a new view refuses the user, trusts the view and runs it again. */
export async function withTrustedViews<T>(
  telemetry: Pick<Telemetry, 'query' | 'command' | 'embedded'>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (
      !telemetry.embedded ||
      !(error instanceof TelemetryError) ||
      !error.message.includes('ACCESS_DENIED') ||
      !error.message.includes('while pushing to view')
    ) {
      throw error;
    }
    await trustViews(telemetry);
    return work();
  }
}
