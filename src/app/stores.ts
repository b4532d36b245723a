import { join } from 'node:path';
import { openPostgresStore } from '../adapters/store/drivers/postgres.ts';
import { openSqliteStore } from '../adapters/store/drivers/sqlite.ts';
import { openEmbedded } from '../adapters/telemetry/embedded/open-embedded.ts';
import { openClickHouse } from '../adapters/telemetry/clickhouse.ts';
import { loadOrCreateKey, parseKey } from '../adapters/vault/key.ts';
import { createVault } from '../adapters/vault/vault.ts';
import type { Config } from './config/config.ts';
import { makeDataDirectory } from './data-directory.ts';
import type { Clock, Log, Vault } from '../ports/ambient.ts';
import type { Egress } from '../ports/egress.ts';
import type { Store } from '../ports/store/store.ts';
import type { Telemetry } from '../ports/telemetry.ts';

/**
 * The metadata store that the configuration names: PostgreSQL, or SQLite in the data directory.
 * `beside`: next to a running server.
 */
export async function openStore(
  config: Config,
  log: Log,
  { beside = false, clock }: { beside?: boolean; clock?: Clock } = {},
): Promise<Store> {
  const onMigrated = (steps: readonly string[]): void =>
    log.info({ steps }, 'metadata store migrated');
  if (config.databaseUrl !== undefined) {
    return openPostgresStore({
      onMigrated,
      url: config.databaseUrl,
      onWarning: (message, cause) => log.warn({ err: cause }, message),
      ...(clock && { clock }),
    });
  }
  await makeDataDirectory(config.dataDir);
  return openSqliteStore({
    path: join(config.dataDir, 'sightline.db'),
    beside,
    onMigrated,
    ...(clock && { clock }),
  });
}

/**
 * The telemetry engine that the configuration names: a ClickHouse server, or a process started on
 * the data directory, which fetches objects only from addresses that the guard allows.
 */
export async function openTelemetry(config: Config, log: Log, guard?: Egress): Promise<Telemetry> {
  const schema = {
    retentionDays: {
      logs: config.retentionDaysLogs,
      traces: config.retentionDaysTraces,
      metrics: config.retentionDaysMetrics,
    },
    clusterName: config.clickhouseCluster,
    syncTelemetry: config.otlpSync,
  };
  if (config.clickhouseUrl !== undefined) {
    return openClickHouse({ url: config.clickhouseUrl, ...schema });
  }
  await makeDataDirectory(config.dataDir);
  return openEmbedded({
    path: join(config.dataDir, 'telemetry'),
    memoryMib: config.engineMemoryMib,
    log,
    ...(guard && {
      egress: { guard, trusted: config.egressAllow, regions: config.objectStorageRegions },
    }),
    ...schema,
  });
}

/** Seals and opens stored secrets, under the configured key or the one in the data directory. */
export async function openVault(config: Config): Promise<Vault> {
  if (config.secretKey !== undefined) {
    return createVault(parseKey(config.secretKey));
  }
  await makeDataDirectory(config.dataDir);
  return createVault(loadOrCreateKey(join(config.dataDir, 'secret.key')));
}
