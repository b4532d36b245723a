import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { createGunzip } from 'node:zlib';
import { restorePostgresStore } from '../../adapters/store/drivers/postgres.ts';
import { restoreSqliteStore } from '../../adapters/store/drivers/sqlite.ts';
import { openPostgresSnapshot } from '../../adapters/store/snapshot/postgres-snapshot.ts';
import { hasData } from '../../adapters/store/snapshot/snapshot.ts';
import { openSqliteSnapshot } from '../../adapters/store/snapshot/sqlite-snapshot.ts';
import {
  restoreEngineBackup,
  tableRows,
  type TableRows,
} from '../../adapters/telemetry/engine-backup.ts';
import type { SchemaOptions } from '../../adapters/telemetry/tables/schema.ts';
import { recountRollup } from '../../adapters/telemetry/tables/recount-rollup.ts';
import { stagePrefix } from '../../core/pipes/load/staged/stage-names.ts';
import type { Log } from '../../ports/ambient.ts';
import type { BackupPlace, EnginePlace } from '../../ports/backup-place.ts';
import type { Telemetry, TelemetryShard } from '../../ports/telemetry.ts';
import { qualified, sql } from '../../sql/sql.ts';
import type { Config } from '../config/config.ts';
import { makeDataDirectory } from '../data/data-directory.ts';
import { backupFolder, keyPath, openExistingVault, openTelemetry, storePath } from '../stores.ts';
import { refuseReplicas } from './backup.ts';
import {
  keyCheck,
  Manifest,
  manifestFile,
  metadataFile,
  shardFolder,
  telemetryFolder,
} from './manifest.ts';

export interface RestoreOptions {
  config: Config;
  log: Log;
  place: BackupPlace;
}

export interface RestoreReport {
  manifest: Manifest;
  metadataRows: number;
  tables: readonly TableRows[];
}

/**
 * Restores a backup into empty stores; no server may run on them. Telemetry comes first and the
 * metadata last, in one transaction: a restore that was interrupted leaves the metadata store empty.
 * @throws Error that says what to do.
 */
export async function restoreBackup(options: RestoreOptions): Promise<RestoreReport> {
  const { config, place } = options;
  refuseReplicas(config);
  const manifest = await readManifest(place);
  await requireKey(config, manifest);
  await requireEmptyStore(config);
  const tables = await restoreTelemetry(options, manifest);
  const lines = linesOf(Readable.from(await place.get(metadataFile)).pipe(createGunzip()));
  const metadataRows =
    config.databaseUrl === undefined
      ? await restoreSqliteStore(storePath(config), lines)
      : await restorePostgresStore(config.databaseUrl, lines);
  return { manifest, metadataRows, tables };
}

/**
 * Starts to read when the first line is asked for. The interface of node:readline starts at once, and
 * loses lines that come before.
 */
async function* linesOf(stream: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const chunk of stream) {
    const lines = (rest + decoder.write(chunk)).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') {
    yield rest;
  }
}

async function readManifest(place: BackupPlace): Promise<Manifest> {
  let text = '';
  for await (const chunk of await place.get(manifestFile)) {
    text += Buffer.from(chunk).toString('utf8');
  }
  const manifest = Manifest.safeParse(JSON.parse(text));
  if (!manifest.success) {
    throw new Error(`${place.name} was written by a newer version of Sightline; use that version`);
  }
  return manifest.data;
}

async function requireKey(config: Config, manifest: Manifest): Promise<void> {
  const vault = await openExistingVault(config);
  if (vault === undefined) {
    throw new Error(
      'the secret key of the backed-up server is missing. The backup does not contain it: ' +
        `set SIGHTLINE_SECRET_KEY, or copy the key to ${keyPath(config)}`,
    );
  }
  try {
    vault.open(manifest.keyCheck, keyCheck.context);
  } catch (error) {
    throw new Error(
      'the secret key is not the one of the backed-up server: its stored secrets could not be read. ' +
        'Set SIGHTLINE_SECRET_KEY, or replace secret.key in the data directory',
      { cause: error },
    );
  }
}

async function requireEmptyStore(config: Config): Promise<void> {
  const path = storePath(config);
  const isUsed =
    config.databaseUrl === undefined
      ? existsSync(path) && (await hasData(() => openSqliteSnapshot(path)))
      : await hasData(() => openPostgresSnapshot(config.databaseUrl ?? ''));
  if (isUsed) {
    throw new Error(
      config.databaseUrl === undefined
        ? `${config.dataDir} has a metadata store with data: restore into an empty data directory`
        : 'the PostgreSQL database has data of Sightline: restore into an empty database',
    );
  }
}

async function restoreTelemetry(
  { config, log, place }: RestoreOptions,
  { telemetry: { databases, shards } }: Manifest,
): Promise<readonly TableRows[]> {
  const local = config.clickhouseUrl === undefined ? await localCopy(config, place) : undefined;
  try {
    const telemetry = await openTelemetry(config, log, { backupFolder: local?.folder });
    try {
      requireShards(telemetry, shards);
      if (telemetry.shards !== undefined) {
        return await restoreShards(telemetry.shards.all(), databases, place);
      }
      await requireEmptyTelemetry(telemetry, databases);
      await restoreEngineBackup(
        telemetry,
        databases,
        local?.place ?? (await place.enginePlace(telemetryFolder)),
      );
      return await repairTables(telemetry, databases);
    } finally {
      await telemetry.close();
    }
  } finally {
    await local?.remove();
  }
}

/** Rows by key are where their shard is, so each shard gets its own part. */
function requireShards({ shards }: Telemetry, wanted = 1): void {
  const given = shards?.all().length ?? 1;
  if (given !== wanted) {
    throw new Error(
      `the backup is of ${shardCount(wanted)}, and SIGHTLINE_CLICKHOUSE_URL has ${shardCount(given)}: ` +
        'restore it into a cluster with as many shards',
    );
  }
}

const shardCount = (count: number): string =>
  count === 1 ? 'one engine' : `a cluster of ${count} shards`;

async function restoreShards(
  shards: readonly TelemetryShard[],
  databases: readonly string[],
  place: BackupPlace,
): Promise<readonly TableRows[]> {
  for (const shard of shards) {
    await requireEmptyTelemetry(shard, databases);
  }
  const tables: TableRows[] = [];
  for (const [index, shard] of shards.entries()) {
    const shardPlace = await place.enginePlace(shardFolder(index));
    await restoreEngineBackup(shard, databases, shardPlace, { isShard: true });
    tables.push(...(await repairTables(shard, databases, { isShard: true })));
  }
  return tables;
}

/** Where the embedded engine reads the backup: in its directory, or in a copy on this machine. */
async function localCopy(
  config: Config,
  place: BackupPlace,
): Promise<{ folder: string; place: EnginePlace; remove(): Promise<void> }> {
  await makeDataDirectory(config.dataDir);
  if (place.directory !== undefined) {
    const path = join(place.directory, telemetryFolder);
    return { folder: place.directory, place: { kind: 'file', path }, remove: async () => {} };
  }
  const parent = backupFolder(config);
  await mkdir(parent, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(parent, 'restore-'));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const path = join(folder, telemetryFolder);
    await place.getFolder(telemetryFolder, path);
    return { folder, place: { kind: 'file', path }, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function requireEmptyTelemetry(
  telemetry: Pick<Telemetry, 'query' | 'command'>,
  databases: readonly string[],
): Promise<void> {
  const [table] = await tableRows(telemetry, databases);
  if (table !== undefined) {
    throw new Error(
      `the telemetry engine has a table ${table.database}.${table.table}: ` +
        'restore into an engine without these databases, or drop them: ' +
        databases.join(', '),
    );
  }
}

/**
 * Tables were fixed one after another, while rows came in: the rollup is counted again where it
 * differs from the logs. Stage tables are dropped, and their ranges are read again.
 */
async function repairTables(
  telemetry: Pick<Telemetry, 'query' | 'command' | 'columns'>,
  databases: readonly string[],
  schema: SchemaOptions = {},
): Promise<readonly TableRows[]> {
  const admin = { purpose: 'admin', timeoutMs: 60_000 } as const;
  for (const { database, table } of await tableRows(telemetry, databases)) {
    if (table.startsWith(stagePrefix)) {
      await telemetry.command(sql`DROP TABLE IF EXISTS ${qualified(database, table)}`, admin);
    }
  }
  for (const database of databases) {
    await recountRollup(telemetry, database, schema);
  }
  return tableRows(telemetry, databases);
}
