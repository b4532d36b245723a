import { sql, type Compilable } from 'kysely';
import { nodeLostMs, type NodeReport } from '../../../ports/store/node-store.ts';
import { migrations } from '../migrations/index.ts';
import type { Migration } from '../migrations/migration.ts';
import type { Connection } from '../statements/session.ts';
import type { Compiler } from '../statements/statement.ts';

/**
 * The database was written by a newer program: starting on it would lose what this one does not
 * know.
 */
export class NewerDatabase extends Error {
  constructor(
    unknown: readonly string[],
    advice = 'start that version, or restore a backup from before the upgrade',
  ) {
    super(
      'the metadata database was migrated by a newer version of Sightline ' +
        `(steps unknown to this one: ${unknown.join(', ')}); ${advice}`,
    );
    this.name = 'NewerDatabase';
  }
}

/** Steps that no older process survives were to be applied while such processes run. */
export class OlderProcesses extends Error {
  constructor(steps: readonly string[], running: readonly string[]) {
    super(
      `older versions of Sightline cannot continue after the steps ${steps.join(', ')} of this one, ` +
        `and ${running.length} of their processes still run: ${running.join('; ')}. ` +
        `Stop them, then start this version. After a kill, wait ${nodeLostMs / 1000} s`,
    );
    this.name = 'OlderProcesses';
  }
}

export interface MigrateOptions {
  /** Only these steps, for rows that were written under them. */
  only?: readonly string[];
  /** Refuse every unknown step, for work that leaves out what it does not know. */
  complete?: boolean | undefined;
}

/** Names of steps. */
export interface Migrated {
  applied: readonly string[];
  /** Those of a newer version. Processes of this one can work beside it. */
  newer: readonly string[];
}

/**
 * Applies the steps that are missing, in order. Runs in one transaction that shuts out every other
 * migrator: BEGIN IMMEDIATE on SQLite, an advisory lock on PostgreSQL.
 * @throws NewerDatabase, OlderProcesses
 */
export async function migrate(
  connection: Connection,
  compiler: Compiler,
  options: MigrateOptions = {},
): Promise<Migrated> {
  const { queries } = compiler;
  const data = queries.ofEveryWorkspace();
  const run = (query: Compilable<unknown>) => connection.query(compiler.compile(query));
  if (queries.dialect === 'postgres') {
    await run({ compile: () => sql`select pg_advisory_xact_lock(7236001)`.compile(data) });
  }
  await run(
    data.schema
      .createTable('migrations')
      .ifNotExists()
      .addColumn('name', 'text', (c) => c.primaryKey().notNull())
      .addColumn('applied_at_ms', 'bigint', (c) => c.notNull())
      .addColumn('kind', 'text'),
  );
  if (!(await hasKinds(connection, compiler))) {
    await run(data.schema.alterTable('migrations').addColumn('kind', 'text'));
  }
  const { missing, newer, applied } = await compare(connection, compiler, options);
  await requireAlone(connection, compiler, missing, applied);
  for (const { name, kind, up } of missing) {
    for (const query of up({ schema: data.schema, data, dialect: queries.dialect })) {
      await run(query);
    }
    await run(data.insertInto('migrations').values({ name, kind, applied_at_ms: queries.now }));
  }
  return { applied: missing.map(({ name }) => name), newer };
}

/**
 * For a command beside the process that holds the database, which must not lack a step.
 * @throws NewerDatabase
 */
export async function requireMigrated(
  connection: Connection,
  compiler: Compiler,
  options: MigrateOptions = {},
): Promise<Migrated> {
  const { missing, newer } = await compare(connection, compiler, options);
  if (missing.length > 0) {
    const names = missing.map(({ name }) => name).join(', ');
    throw new Error(
      `the metadata database is held by an older version of Sightline (it lacks ${names}); ` +
        'use that version, or restart the server with this one',
    );
  }
  return { applied: [], newer };
}

interface Comparison {
  /** The steps still to be applied, in order. */
  missing: readonly Migration[];
  applied: ReadonlySet<string>;
  newer: readonly string[];
}

/** @throws NewerDatabase */
async function compare(
  connection: Connection,
  compiler: Compiler,
  { only, complete = false }: MigrateOptions,
): Promise<Comparison> {
  const recorded = await recordedSteps(connection, compiler);
  const applied = new Set(recorded.map(({ name }) => name));
  const known = new Set(migrations.map(({ name }) => name));
  const newer = recorded.filter(({ name }) => !known.has(name));
  // Rows that were written under an unknown step may need tables and columns that are not there.
  const refused = [
    ...newer.filter(({ kind }) => kind !== 'expand').map(({ name }) => name),
    ...(only ?? []).filter((name) => !known.has(name)),
  ];
  if (refused.length > 0) {
    throw new NewerDatabase(refused);
  }
  if (complete && newer.length > 0) {
    const names = newer.map(({ name }) => name);
    throw new NewerDatabase(names, 'run this command with that version');
  }
  if (only !== undefined && [...applied].some((name) => !only.includes(name))) {
    throw new Error(
      'the metadata database has a newer schema than the backup: restore into a new database',
    );
  }
  return {
    missing: migrations.filter(
      ({ name }) => !applied.has(name) && (only === undefined || only.includes(name)),
    ),
    applied,
    newer: newer.map(({ name }) => name),
  };
}

/** The kind is null if the version that applied the step recorded none. */
async function recordedSteps(
  connection: Connection,
  compiler: Compiler,
): Promise<{ name: string; kind: string | null }[]> {
  const data = compiler.queries.ofEveryWorkspace();
  const kind = sql<
    string | null
  >`${(await hasKinds(connection, compiler)) ? sql.ref('kind') : sql.lit(null)}`;
  const { rows } = await connection.query(
    compiler.compile(data.selectFrom('migrations').select(['name', kind.as('kind')])),
  );
  return rows as { name: string; kind: string | null }[];
}

async function hasKinds(connection: Connection, compiler: Compiler): Promise<boolean> {
  const { queries } = compiler;
  const found =
    queries.dialect === 'sqlite'
      ? sql`select 1 from pragma_table_info('migrations') where name = 'kind'`
      : sql`select 1 from information_schema.columns where table_schema = current_schema()
          and table_name = 'migrations' and column_name = 'kind'`;
  const { rows } = await connection.query(
    compiler.compile({ compile: () => found.compile(queries.ofEveryWorkspace()) }),
  );
  return rows.length > 0;
}

/**
 * A process that lives does not know the missing steps: it would have applied them. On SQLite the
 * lock of the file keeps others away.
 * @throws OlderProcesses
 */
async function requireAlone(
  connection: Connection,
  compiler: Compiler,
  missing: readonly Migration[],
  applied: ReadonlySet<string>,
): Promise<void> {
  const { queries } = compiler;
  const steps = missing.filter(({ kind }) => kind === 'contract').map(({ name }) => name);
  if (queries.dialect === 'sqlite' || steps.length === 0 || !applied.has('nodes-1')) {
    return;
  }
  const { rows } = await connection.query(
    compiler.compile(
      queries
        .ofEveryWorkspace()
        .selectFrom('nodes')
        .select(['version', 'report'])
        .where(sql<boolean>`abs(seen_at_ms - ${queries.now}) < ${sql.lit(nodeLostMs)}`)
        .orderBy('started_at_ms'),
    ),
  );
  const running = (rows as { version: string; report: string }[]).map(({ version, report }) => {
    const { host, processId } = JSON.parse(report) as NodeReport;
    return `process ${processId} on ${host}, version ${version}`;
  });
  if (running.length > 0) {
    throw new OlderProcesses(steps, running);
  }
}
