import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { openPostgresStore } from '../adapters/store/drivers/postgres.ts';
import { openSqliteStore } from '../adapters/store/drivers/sqlite.ts';
import { openEmbedded } from '../adapters/telemetry/embedded/open-embedded.ts';
import { pendingStored } from '../adapters/telemetry/intake-log/pending-segments.ts';
import { readEngineAccess } from '../adapters/telemetry/embedded/engine-access.ts';
import { openClickHouse } from '../adapters/telemetry/clickhouse.ts';
import { describeCluster, openCluster } from '../adapters/telemetry/shards/open-cluster.ts';
import { loadKeys, parseKey } from '../adapters/vault/key.ts';
import { keyFileVault } from '../adapters/vault/key-file.ts';
import { serverUserSecret } from './server-users.ts';
import { createVault } from '../adapters/vault/vault.ts';
import { BlockJoiner } from '../core/otlp/block/block-joiner.ts';
import type { Config } from './config/config.ts';
import { connectorSettings } from './config/connector-settings.ts';
import { makeDataDirectory } from './data/data-directory.ts';
import type { Clock, Log, Vault } from '../ports/ambient.ts';
import type { Egress } from '../ports/egress.ts';
import type { Store } from '../ports/store/store.ts';
import type { Telemetry } from '../ports/telemetry.ts';

/**
 * The metadata store that the configuration names: PostgreSQL, or SQLite in the data directory.
 * `beside`: next to a running server. `complete`: refuse a store that a newer version has extended.
 */
export async function openStore(
  config: Config,
  log: Log,
  {
    beside = false,
    complete = false,
    clock,
  }: { beside?: boolean; complete?: boolean; clock?: Clock } = {},
): Promise<Store> {
  const common = {
    onMigrated: (steps: readonly string[]) => log.info({ steps }, 'metadata store migrated'),
    onNewer: (steps: readonly string[]) =>
      log.warn({ steps }, 'newer version shares the metadata store'),
    complete,
    ...(clock && { clock }),
  };
  if (config.databaseUrl !== undefined) {
    return openPostgresStore({
      ...common,
      url: config.databaseUrl,
      onWarning: (message, cause) => log.warn({ err: cause }, message),
    });
  }
  const path = storePath(config);
  refuseLostStore(config, path);
  if (beside && !existsSync(path)) {
    // Only a start creates it, together with its secret key.
    throw new Error(
      `there is no metadata store at ${path}. ` +
        'Start the server once, or set SIGHTLINE_DATA_DIR to its directory.',
    );
  }
  await makeDataDirectory(config.dataDir);
  try {
    return await openSqliteStore({ ...common, path, beside });
  } catch (error) {
    throw storeError(path, error);
  }
}

/** @throws Error if the telemetry of a lost store is there: a new store would not know it. */
function refuseLostStore({ dataDir }: Config, path: string): void {
  const telemetry = join(dataDir, 'telemetry', 'store');
  if (!existsSync(path) && existsSync(telemetry) && readdirSync(telemetry).length > 0) {
    throw new Error(
      `${path} is missing, but ${join(dataDir, 'telemetry')} has telemetry of an earlier run. ` +
        'Restore the file from a backup. To start over, move the telemetry directory away.',
    );
  }
}

function storeError(path: string, error: unknown): unknown {
  const { message, code = '' } = error as { message: string; code?: string };
  if (message.includes(path) || !code.startsWith('SQLITE_')) {
    return error;
  }
  const advice = /^SQLITE_(?:NOTADB|CORRUPT)/.test(code)
    ? 'Restore the file from a backup.'
    : 'Check that this user can read and write the file and its directory, and that the disk is not full.';
  return new Error(`cannot open the metadata store ${path}: ${message}. ${advice}`, {
    cause: error,
  });
}

/**
 * The telemetry engine that the configuration names: a ClickHouse server, or a process started on
 * the data directory, which fetches objects only from addresses that the guard allows.
 */
export async function openTelemetry(
  config: Config,
  log: Log,
  {
    guard,
    vault,
    databases = [],
    backupFolder: folder = backupFolder(config),
  }: TelemetryOptions = {},
): Promise<Telemetry> {
  const schema = {
    retentionDays: {
      logs: config.retentionDaysLogs,
      traces: config.retentionDaysTraces,
      metrics: config.retentionDaysMetrics,
    },
    syncTelemetry: config.otlpSync,
  };
  const users = vault && { secret: () => serverUserSecret(vault), log };
  const { clickhouseUrl: urls, clickhouseCluster: clusterName } = config;
  if (urls !== undefined && clusterName !== undefined) {
    return openCluster({ urls, clusterName, users, log, ...schema });
  }
  if (urls?.[0] !== undefined) {
    return openClickHouse({ url: urls[0], users, ...schema });
  }
  await makeDataDirectory(config.dataDir);
  const joiner = new BlockJoiner();
  return openEmbedded({
    path: join(config.dataDir, 'telemetry'),
    memoryMib: config.engineMemoryMib,
    backupFolder: folder,
    accessFile: accessFile(config),
    intakeLog: {
      folder: intakeFolder(config),
      join: (...blocks) => joiner.join(...blocks),
    },
    databases: [config.clickhouseDatabase, ...databases],
    log,
    ...(guard && {
      egress: { guard, trusted: config.egressAllow, regions: connectorSettings(config).regions },
    }),
    ...schema,
  });
}

/**
 * The shards of the configured cluster, as a sentence.
 * @throws Error if a shard does not respond, or if the addresses are not those of the cluster
 */
export function describeTelemetryCluster(config: Config): Promise<string> {
  const { clickhouseUrl: urls = [], clickhouseCluster: clusterName = '' } = config;
  return describeCluster({ urls, clusterName });
}

export interface TelemetryOptions {
  /** Judges the addresses from which an embedded engine fetches objects; absent: any. */
  guard?: Egress;
  /** Passwords of users on a ClickHouse server are made of its key; absent: there are no such users. */
  vault?: Vault;
  /** Databases of the workspaces, so that an embedded engine starts with users for them. */
  databases?: readonly string[];
  /** The only folder for backups of an embedded engine. */
  backupFolder?: string | undefined;
}

/**
 * The telemetry engine beside a server that may be running: the embedded engine that the server has
 * started, else one that is started now.
 */
export async function openTelemetryBeside(config: Config, log: Log): Promise<Telemetry> {
  const access =
    config.clickhouseUrl === undefined ? await readEngineAccess(accessFile(config)) : undefined;
  if (access === undefined) {
    return openTelemetry(config, log);
  }
  const running = await openClickHouse({ ...access, embedded: true });
  try {
    await running.ping(10_000);
  } catch {
    // The server was killed, so nobody holds the directory; else the message names the process.
    await running.close();
    return openTelemetry(config, log);
  }
  try {
    await pendingStored(intakeFolder(config));
    return running;
  } catch (error) {
    await running.close();
    throw error;
  }
}

/** The embedded store's file. */
export const storePath = (config: Config): string => join(config.dataDir, 'sightline.db');

/** Where the embedded engine writes backups before they go to their place. */
export const backupFolder = (config: Config): string => resolve(config.dataDir, 'backup');

/** Where blocks of OTLP wait for the embedded engine. */
const intakeFolder = (config: Config): string => join(config.dataDir, 'intake');

const accessFile = (config: Config): string => join(config.dataDir, 'engine.json');

/** Seals and opens stored secrets, under the configured key or the one in the data directory. */
export async function openVault(config: Config): Promise<Vault> {
  const configured = configuredVault(config);
  if (configured !== undefined) {
    return configured;
  }
  await makeDataDirectory(config.dataDir);
  const path = keyPath(config);
  const store = storePath(config);
  if (!existsSync(path) && config.databaseUrl === undefined && existsSync(store)) {
    throw new Error(
      `${path} is missing, but ${store} has secrets that are encrypted with it. ` +
        'Restore the file from a backup, or set SIGHTLINE_SECRET_KEY to the same key. ' +
        'To start over, move the data directory away.',
    );
  }
  return keyFileVault(path);
}

/** The vault under a key that exists; undefined if there is none yet. */
export async function openExistingVault(config: Config): Promise<Vault | undefined> {
  return (
    configuredVault(config) ??
    (loadKeys(keyPath(config)) === undefined ? undefined : keyFileVault(keyPath(config)))
  );
}

function configuredVault({ secretKey, previousSecretKey }: Config): Vault | undefined {
  if (secretKey === undefined) {
    return undefined;
  }
  const previous = previousSecretKey === undefined ? [] : [parseKey(previousSecretKey)];
  const keys = { current: parseKey(secretKey), previous };
  return createVault({ keys: () => keys, refresh: () => false });
}

/** The file of the secret key, unless a setting contains it. */
export const keyPath = (config: Config): string => join(config.dataDir, 'secret.key');
