import type { QueryOptions, Telemetry } from '../../../ports/telemetry.ts';
import { TelemetryError } from '../../../ports/telemetry.ts';
import { join, literal, qualified, sql } from '../../../sql/sql.ts';
import { viewNames } from '../tables/rollup.ts';
import { onCluster, storedName, type SchemaOptions } from '../tables/schema.ts';

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

/**
 * Lets our own views of a database on a ClickHouse server read and write their tables with the rights
 * of the given user, who made them.
 */
export async function trustOwnViews(
  telemetry: Pick<Telemetry, 'query' | 'command'>,
  database: string,
  schema: SchemaOptions,
): Promise<void> {
  const names = join(
    viewNames.map((name) => literal(storedName(name, schema))),
    ', ',
  );
  const { rows } = await telemetry.query(
    sql`SELECT name FROM system.tables
      WHERE database = ${database} AND engine = 'MaterializedView' AND name IN (${names})`,
    admin,
  );
  for (const [name] of rows) {
    await telemetry.command(
      sql`ALTER TABLE ${qualified(database, String(name))}${onCluster(schema)}
        MODIFY SQL SECURITY DEFINER DEFINER = CURRENT_USER`,
      admin,
    );
  }
}

/** What can be done when a view refuses the user who inserts. */
export interface ViewRights {
  /** Lets views work whoever inserts. */
  trust(): Promise<void>;
  /** Inserts with more rights from now on; false: cannot. */
  withdraw(reason: string): boolean;
}

/** Runs work that inserts. If a view refuses the user, changes that and runs it again. */
export async function withTrustedViews<T>(rights: ViewRights, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isRefusedByView(error)) {
      throw error;
    }
    // A view that cannot be changed refuses once more.
    await rights.trust().catch(() => {});
  }
  try {
    return await work();
  } catch (error) {
    if (!isRefusedByView(error) || !rights.withdraw(error.message)) {
      throw error;
    }
    return work();
  }
}

const isRefusedByView = (error: unknown): error is TelemetryError =>
  error instanceof TelemetryError &&
  error.message.includes('ACCESS_DENIED') &&
  error.message.includes('while pushing to view');
