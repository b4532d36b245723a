import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { TelemetryError, type Telemetry } from '../../ports/telemetry.ts';
import type { EnginePlace } from '../../ports/backup-place.ts';
import { identifier, join, qualified, sql, type Sql } from '../../sql/sql.ts';
import { migrationTable } from './migrate.ts';
import { createViews } from './migrations.ts';
import { viewNames } from './tables/rollup.ts';
import { storedName, type SchemaOptions } from './tables/schema.ts';

const admin = { purpose: 'admin', timeoutMs: 60_000 } as const;
const pollMs = 50;

/** An engine, or one shard of a cluster. */
type BackedUp = Pick<Telemetry, 'query' | 'command'>;

export interface BackupSize {
  files: number;
  bytes: number;
}

export interface EngineBackup {
  /**
   * Resolves when the engine has fixed the parts that belong to the backup: rows inserted later are
   * not in it.
   */
  snapshotTaken(): Promise<void>;
  finished(): Promise<BackupSize>;
  cancel(): Promise<void>;
}

/** Several backups as one. */
export function joinBackups(backups: readonly EngineBackup[]): EngineBackup {
  return {
    async snapshotTaken() {
      await Promise.all(backups.map((backup) => backup.snapshotTaken()));
    },
    async finished() {
      const sizes = await Promise.all(backups.map((backup) => backup.finished()));
      return {
        files: sizes.reduce((sum, { files }) => sum + files, 0),
        bytes: sizes.reduce((sum, { bytes }) => sum + bytes, 0),
      };
    },
    async cancel() {
      await Promise.allSettled(backups.map((backup) => backup.cancel()));
    },
  };
}

/** Starts a backup of databases. The engine writes it in the background. */
export async function startEngineBackup(
  telemetry: BackedUp,
  databases: readonly string[],
  place: EnginePlace,
): Promise<EngineBackup> {
  const id = randomUUID();
  await run(
    telemetry,
    sql`BACKUP ${databaseList(databases)} TO ${target(place)} SETTINGS id = ${id} ASYNC`,
    place,
  );
  return {
    async snapshotTaken() {
      // The engine counts the files of a backup after it has collected its parts.
      await watch(telemetry, id, ({ status, files }) => status === 'BACKUP_CREATED' || files > 0);
    },
    async finished() {
      const { files, bytes } = await watch(
        telemetry,
        id,
        ({ status }) => status === 'BACKUP_CREATED',
      );
      return { files, bytes };
    },
    cancel: () =>
      telemetry.command(
        sql`KILL QUERY WHERE query_id IN (SELECT query_id FROM system.backups WHERE id = ${id}) ASYNC`,
        admin,
      ),
  };
}

/**
 * Restores databases that do not exist, or that have no tables. Resolves when all rows are there.
 * Creates the views of the telemetry tables anew: those of the embedded engine run without a user,
 * which a server allows to few.
 */
export async function restoreEngineBackup(
  telemetry: BackedUp,
  databases: readonly string[],
  place: EnginePlace,
  schema: SchemaOptions = {},
): Promise<BackupSize> {
  const id = randomUUID();
  const views = databases.flatMap((database) =>
    viewNames.map((name) => qualified(database, storedName(name, schema))),
  );
  await run(
    telemetry,
    sql`RESTORE ALL EXCEPT TABLES ${join(views, ', ')} FROM ${target(place)}
      SETTINGS id = ${id}, allow_different_database_def = true ASYNC`,
    place,
  );
  const size = await watch(telemetry, id, ({ status }) => status === 'RESTORED');
  const tables = await tableRows(telemetry, databases);
  const migrated = storedName(migrationTable, schema);
  for (const { database } of tables.filter(({ table }) => table === migrated)) {
    await createViews(telemetry, database, schema);
  }
  return size;
}

/** Those of the databases that exist. */
export async function existingDatabases(
  telemetry: BackedUp,
  databases: readonly string[],
): Promise<string[]> {
  const { rows } = await telemetry.query(
    sql`SELECT name FROM system.databases ORDER BY name`,
    admin,
  );
  return rows.map(([name]) => String(name)).filter((name) => databases.includes(name));
}

export interface TableRows {
  database: string;
  table: string;
  rows: number;
}

/** Tables of databases; `rows` is 0 where a table keeps none itself. */
export async function tableRows(
  telemetry: BackedUp,
  databases: readonly string[],
): Promise<TableRows[]> {
  const { rows } = await telemetry.query(
    sql`SELECT database, name, toString(ifNull(total_rows, 0)) FROM system.tables
      ORDER BY database, name`,
    admin,
  );
  return rows
    .map(([database, table, count]) => ({
      database: String(database),
      table: String(table),
      rows: Number(count),
    }))
    .filter(({ database }) => databases.includes(database));
}

function databaseList(databases: readonly string[]): Sql {
  return join(
    databases.map((database) => sql`DATABASE ${identifier(database)}`),
    ', ',
  );
}

function target(place: EnginePlace): Sql {
  return place.kind === 'file'
    ? sql`File(${place.path})`
    : sql`S3(${place.url}, ${place.accessKeyId}, ${place.secretAccessKey})`;
}

async function run(telemetry: BackedUp, statement: Sql, place: EnginePlace): Promise<void> {
  try {
    await telemetry.command(statement, admin);
  } catch (error) {
    throw withoutSecrets(error, place);
  }
}

interface Progress {
  status: string;
  files: number;
  bytes: number;
}

/** Waits until the progress satisfies the condition. @throws TelemetryError if the engine gives up. */
async function watch(
  telemetry: BackedUp,
  id: string,
  isReached: (progress: Progress) => boolean,
): Promise<Progress> {
  for (;;) {
    const { rows } = await telemetry.query(
      sql`SELECT status, toString(num_files), toString(total_size), error
        FROM system.backups WHERE id = ${id}`,
      admin,
    );
    const [status, files, bytes, error] = rows[0] ?? [];
    if (status === undefined) {
      throw new TelemetryError('unavailable', 'the telemetry engine was restarted meanwhile');
    }
    const progress = { status: String(status), files: Number(files), bytes: Number(bytes) };
    if (/FAILED|CANCELLED/.test(progress.status)) {
      throw new TelemetryError('other', firstLine(String(error)));
    }
    if (isReached(progress)) {
      return progress;
    }
    await pause(pollMs);
  }
}

/** Without the stack trace of the engine. */
const firstLine = (text: string): string => text.split(/, Stack trace|\n/)[0] ?? text;

function withoutSecrets(error: unknown, place: EnginePlace): unknown {
  if (!(error instanceof TelemetryError) || place.kind === 'file') {
    return error;
  }
  return new TelemetryError(error.kind, error.message.replaceAll(place.secretAccessKey, '***'));
}
