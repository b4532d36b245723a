import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openPostgresStore } from './adapters/store/postgres.ts';
import { openSqliteStore } from './adapters/store/sqlite.ts';
import { openChdb } from './adapters/telemetry/chdb.ts';
import { openClickHouse } from './adapters/telemetry/clickhouse.ts';
import { loadOrCreateKey, parseKey } from './adapters/vault/key.ts';
import { createVault } from './adapters/vault/vault.ts';
import type { Config } from './config.ts';
import type { Log, Vault } from './ports/ambient.ts';
import type { Egress } from './ports/egress.ts';
import type { Store } from './ports/store.ts';
import type { Telemetry } from './ports/telemetry.ts';

/** The metadata store that the configuration names: PostgreSQL, or SQLite in the data directory. `beside`: next to a running server. */
export async function openStore(config: Config, log: Log, { beside = false } = {}): Promise<Store> {
  if (config.databaseUrl !== undefined) {
    return openPostgresStore({
      url: config.databaseUrl,
      onWarning: (message, cause) => log.warn({ error: cause }, message),
    });
  }
  await mkdir(config.dataDir, { recursive: true });
  return openSqliteStore({ path: join(config.dataDir, 'sightline.db'), beside });
}

/** The telemetry engine that the configuration names: a ClickHouse server, or chDB in the data directory, which fetches objects by itself only from where the guard lets it. */
export async function openTelemetry(config: Config, guard?: Egress): Promise<Telemetry> {
  const schema = {
    retentionDays: {
      logs: config.retentionDaysLogs,
      traces: config.retentionDaysTraces,
      metrics: config.retentionDaysMetrics,
    },
    clusterName: config.clickhouseCluster,
  };
  if (config.clickhouseUrl !== undefined) {
    return openClickHouse({ url: config.clickhouseUrl, ...schema });
  }
  await mkdir(config.dataDir, { recursive: true });
  return openChdb({
    path: join(config.dataDir, 'telemetry'),
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
  await mkdir(config.dataDir, { recursive: true });
  return createVault(loadOrCreateKey(join(config.dataDir, 'secret.key')));
}
