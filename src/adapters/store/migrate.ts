import { sql } from 'kysely';
import { migrations as known } from './migrations/index.ts';
import type { Migration } from './migrations/migration.ts';
import type { Schema } from './schema.ts';
import type { Connection } from './session.ts';
import type { Compiler } from './statement.ts';
import type { Kysely } from 'kysely';

/** The database was written by a newer program: starting on it would lose what this one does not know. */
export class NewerDatabase extends Error {
  constructor(unknown: readonly string[]) {
    super(`the metadata database was migrated by a newer version of Sightline (steps unknown to this one: ${unknown.join(', ')}); start that version, or restore a backup from before the upgrade`);
    this.name = 'NewerDatabase';
  }
}

/**
 * Applies the steps that are missing, in order. Runs in one transaction that shuts out every other migrator: BEGIN IMMEDIATE
 * on SQLite, an advisory lock on PostgreSQL.
 */
export async function migrate(connection: Connection, compiler: Compiler, steps: readonly Migration[] = known): Promise<void> {
  const data = compiler.queries.global as unknown as Kysely<Schema>;
  const run = (query: Parameters<Compiler['compile']>[0]) => connection.query(compiler.compile(query));
  if (compiler.queries.dialect === 'postgres') await run({ compile: () => sql`select pg_advisory_xact_lock(7236001)`.compile(data) });
  await run(data.schema.createTable('migrations').ifNotExists().addColumn('name', 'text', (c) => c.primaryKey().notNull()).addColumn('applied_at_ms', 'bigint', (c) => c.notNull()));
  const applied = new Set((await run(data.selectFrom('migrations').select('name'))).rows.map((row) => String(row['name'])));
  const unknown = [...applied].filter((name) => !steps.some((step) => step.name === name));
  if (unknown.length > 0) throw new NewerDatabase(unknown);
  for (const step of steps.filter(({ name }) => !applied.has(name))) {
    for (const query of step.up({ schema: data.schema, data, dialect: compiler.queries.dialect })) await run(query);
    await run(data.insertInto('migrations').values({ name: step.name, applied_at_ms: compiler.queries.now }));
  }
}
