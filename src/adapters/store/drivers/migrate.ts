import { sql } from 'kysely';
import { migrations } from '../migrations/index.ts';
import type { Migration } from '../migrations/migration.ts';
import type { Connection } from '../statements/session.ts';
import type { Compiler } from '../statements/statement.ts';

/**
 * The database was written by a newer program: starting on it would lose what this one does not
 * know.
 */
export class NewerDatabase extends Error {
  constructor(unknown: readonly string[]) {
    super(
      'the metadata database was migrated by a newer version of Sightline ' +
        `(steps unknown to this one: ${unknown.join(', ')}); ` +
        'start that version, or restore a backup from before the upgrade',
    );
    this.name = 'NewerDatabase';
  }
}

/**
 * Applies the steps that are missing, in order. Runs in one transaction that shuts out every other
 * migrator: BEGIN IMMEDIATE on SQLite, an advisory lock on PostgreSQL. Returns the names of the
 * steps that it applied.
 * @param only these steps, for rows that were written under them. @throws NewerDatabase
 */
export async function migrate(
  connection: Connection,
  compiler: Compiler,
  only?: readonly string[],
): Promise<readonly string[]> {
  const data = compiler.queries.ofEveryWorkspace();
  const run = (query: Parameters<Compiler['compile']>[0]) =>
    connection.query(compiler.compile(query));
  if (compiler.queries.dialect === 'postgres') {
    await run({ compile: () => sql`select pg_advisory_xact_lock(7236001)`.compile(data) });
  }
  await run(
    data.schema
      .createTable('migrations')
      .ifNotExists()
      .addColumn('name', 'text', (c) => c.primaryKey().notNull())
      .addColumn('applied_at_ms', 'bigint', (c) => c.notNull()),
  );
  const steps = await missing(connection, compiler, only);
  for (const step of steps) {
    for (const query of step.up({ schema: data.schema, data, dialect: compiler.queries.dialect })) {
      await run(query);
    }
    await run(
      data
        .insertInto('migrations')
        .values({ name: step.name, applied_at_ms: compiler.queries.now }),
    );
  }
  return steps.map(({ name }) => name);
}

/** For a command beside the process that holds the database: the two must be of one version. */
export async function requireMigrated(connection: Connection, compiler: Compiler): Promise<void> {
  const steps = await missing(connection, compiler);
  if (steps.length > 0) {
    const names = steps.map(({ name }) => name).join(', ');
    throw new Error(
      `the metadata database is held by an older version of Sightline (it lacks ${names}); ` +
        'use that version, or restart the server with this one',
    );
  }
}

/** The steps still to be applied, in order. @throws NewerDatabase */
async function missing(
  connection: Connection,
  compiler: Compiler,
  only?: readonly string[],
): Promise<readonly Migration[]> {
  const { rows } = await connection.query(
    compiler.compile(compiler.queries.ofEveryWorkspace().selectFrom('migrations').select('name')),
  );
  const applied = new Set(rows.map((row) => String(row['name'])));
  const known = new Set(migrations.map(({ name }) => name));
  const unknown = [...applied, ...(only ?? [])].filter((name) => !known.has(name));
  if (unknown.length > 0) {
    throw new NewerDatabase(unknown);
  }
  if (only !== undefined && [...applied].some((name) => !only.includes(name))) {
    throw new Error(
      'the metadata database has a newer schema than the backup: restore into a new database',
    );
  }
  return migrations.filter(
    ({ name }) => !applied.has(name) && (only === undefined || only.includes(name)),
  );
}
