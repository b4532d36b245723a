import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { openPostgresSnapshot } from '../../adapters/store/snapshot/postgres-snapshot.ts';
import { snapshotLines, type StoreSnapshot } from '../../adapters/store/snapshot/snapshot.ts';
import { openSqliteSnapshot } from '../../adapters/store/snapshot/sqlite-snapshot.ts';
import {
  existingDatabases,
  joinBackups,
  startEngineBackup,
  type EngineBackup,
} from '../../adapters/telemetry/engine-backup.ts';
import type { Log, Vault } from '../../ports/ambient.ts';
import type { BackupPlace, EnginePlace } from '../../ports/backup-place.ts';
import type { Store } from '../../ports/store/store.ts';
import type { Telemetry } from '../../ports/telemetry.ts';
import type { Config } from '../config/config.ts';
import { backupFolder, openStore, openTelemetryBeside, openVault, storePath } from '../stores.ts';
import { holdInserts, KeptLease } from './insert-hold.ts';
import {
  keyCheck,
  manifestFile,
  metadataFile,
  shardFolder,
  telemetryFolder,
  type Manifest,
} from './manifest.ts';

export interface BackupOptions {
  config: Config;
  log: Log;
  version: string;
  place: BackupPlace;
  /** How long running pipes may take to finish the inserts that they have started. */
  waitMs: number;
}

export interface BackupReport extends Manifest {
  /** How long no pipe could start an insert. */
  heldMs: number;
}

const backupLease = 'backup';

/**
 * Backs up metadata and telemetry while servers run. Pipes start no insert for a moment: in this
 * moment every position covers exactly the rows in the tables, and both snapshots are taken.
 * @throws Error that says what to do.
 */
export async function createBackup(options: BackupOptions): Promise<BackupReport> {
  const { config, log, place } = options;
  refuseReplicas(config);
  if (!(await place.isEmpty())) {
    throw new Error(`${place.name} is not empty: choose another place for each backup`);
  }
  const store = await openStore(config, log, { beside: true, complete: true });
  try {
    const holder = `backup/${hostname()}/${process.pid}`;
    const lease = await KeptLease.acquire(store, backupLease, holder);
    if (lease === undefined) {
      throw new Error('another backup is running; wait until it has finished');
    }
    try {
      return await backUpStores(options, store, holder);
    } finally {
      await lease.release();
    }
  } finally {
    await store.close();
  }
}

async function backUpStores(
  options: BackupOptions,
  store: Store,
  holder: string,
): Promise<BackupReport> {
  const { config, log } = options;
  const vault = await openVault(config);
  const telemetry = await openTelemetryBeside(config, log);
  const work = await workFolder(config);
  try {
    return await writeBackup({ ...options, store, vault, telemetry, holder, work });
  } finally {
    await rm(work, { recursive: true, force: true });
    await telemetry.close();
  }
}

interface Writing extends BackupOptions {
  store: Store;
  vault: Vault;
  telemetry: Telemetry;
  holder: string;
  /** A local folder, which becomes the backup. */
  work: string;
}

async function writeBackup(writing: Writing): Promise<BackupReport> {
  const { config, version, place, store, vault, telemetry, work } = writing;
  const databases = await existingDatabases(telemetry, await databasesOf(store));
  if (databases.length === 0) {
    throw new Error('there is nothing to back up: start the server once');
  }
  const snapshots = await takeSnapshots(writing, databases);
  try {
    const rows = await writeMetadata(snapshots.store, join(work, metadataFile));
    const { files, bytes } = await snapshots.engine.finished();
    await place.putFolder(work);
    const manifest: Manifest = {
      format: 1,
      createdAt: snapshots.createdAt,
      version,
      metadata: { store: config.databaseUrl === undefined ? 'SQLite' : 'PostgreSQL', rows },
      telemetry: {
        databases,
        ...(telemetry.shards && { shards: telemetry.shards.all().length }),
        files,
        bytes,
      },
      unfinished: snapshots.unfinished,
      keyCheck: vault.seal(keyCheck.plain, keyCheck.context),
    };
    await place.put(manifestFile, `${JSON.stringify(manifest, null, 2)}\n`);
    return { ...manifest, heldMs: snapshots.heldMs };
  } catch (error) {
    await snapshots.engine.cancel().catch(() => {});
    throw error;
  } finally {
    await snapshots.store.close();
  }
}

interface Snapshots {
  store: StoreSnapshot;
  engine: EngineBackup;
  createdAt: string;
  unfinished: Manifest['unfinished'];
  heldMs: number;
}

/** Both snapshots, of one moment as far as pipes are concerned. */
async function takeSnapshots(
  { config, store, telemetry, holder, place, work, waitMs }: Writing,
  databases: readonly string[],
): Promise<Snapshots> {
  const startMs = performance.now();
  const hold = await holdInserts(store, holder, waitMs);
  let snapshot: StoreSnapshot | undefined;
  let engine: EngineBackup | undefined;
  try {
    snapshot = await openSnapshot(config);
    engine = await startTelemetryBackup(telemetry, databases, { place, work });
    await engine.snapshotTaken();
    await hold.confirm();
    return {
      store: snapshot,
      engine,
      createdAt: new Date().toISOString(),
      unfinished: hold.unfinished.map(({ pipeId, partition }) => ({ pipeId, partition })),
      heldMs: Math.round(performance.now() - startMs),
    };
  } catch (error) {
    await engine?.cancel().catch(() => {});
    await snapshot?.close();
    throw error;
  } finally {
    await hold.release();
  }
}

/** Each shard of a cluster writes its own part. */
async function startTelemetryBackup(
  telemetry: Telemetry,
  databases: readonly string[],
  { place, work }: Pick<Writing, 'place' | 'work'>,
): Promise<EngineBackup> {
  if (telemetry.shards === undefined) {
    const enginePlace: EnginePlace = telemetry.embedded
      ? { kind: 'file', path: join(work, telemetryFolder) }
      : await place.enginePlace(telemetryFolder);
    return startEngineBackup(telemetry, databases, enginePlace);
  }
  const started: EngineBackup[] = [];
  try {
    for (const [index, shard] of telemetry.shards.all().entries()) {
      const shardPlace = await place.enginePlace(shardFolder(index));
      started.push(await startEngineBackup(shard, databases, shardPlace));
    }
  } catch (error) {
    await joinBackups(started).cancel();
    throw error;
  }
  return joinBackups(started);
}

function openSnapshot(config: Config): Promise<StoreSnapshot> {
  return config.databaseUrl === undefined
    ? openSqliteSnapshot(storePath(config))
    : openPostgresSnapshot(config.databaseUrl);
}

/** Databases of workspaces, and those that their pipes write to. */
async function databasesOf(store: Store): Promise<string[]> {
  const databases = new Set<string>();
  const limit = 1000;
  for (const { id, database } of await store.identity.workspaces()) {
    databases.add(database);
    for (let offset = 0; ; offset += limit) {
      const { items } = await store.documents.list(id, 'pipe', { limit, offset });
      for (const { body } of items) {
        databases.add(body.destination.database);
      }
      if (items.length < limit) {
        break;
      }
    }
  }
  return [...databases].sort();
}

async function writeMetadata(snapshot: StoreSnapshot, path: string): Promise<number> {
  let lines = -1;
  async function* counted(): AsyncGenerator<string> {
    for await (const line of snapshotLines(snapshot)) {
      lines++;
      yield line;
    }
  }
  await pipeline(
    Readable.from(counted(), { objectMode: true }),
    createGzip({ level: 6 }),
    createWriteStream(path, { mode: 0o600, flush: true }),
  );
  return lines;
}

/**
 * Beside the data of an embedded engine, which may write nowhere else; so a local backup on the same
 * disk is moved, not copied. The backup lease is held: what is there is left of one that failed.
 */
async function workFolder(config: Config): Promise<string> {
  if (config.clickhouseUrl !== undefined) {
    return mkdtemp(join(tmpdir(), 'sightline-backup-'));
  }
  const folder = backupFolder(config);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const name of await readdir(folder)) {
    await rm(join(folder, name), { recursive: true, force: true });
  }
  return mkdtemp(join(folder, 'unfinished-'));
}

export function refuseReplicas({ clickhouseCluster, clickhouseUrl: urls = [] }: Config): void {
  if (clickhouseCluster !== undefined && urls.length <= 1) {
    throw new Error(
      'sightline does not back up or restore a ClickHouse cluster of one shard ' +
        '(SIGHTLINE_CLICKHOUSE_CLUSTER with one address). ' +
        'Use BACKUP … ON CLUSTER of ClickHouse, while the pipes are stopped',
    );
  }
}
