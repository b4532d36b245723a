import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createIds } from '../src/adapters/ambient/ids.ts';
import { createLog } from '../src/adapters/ambient/log.ts';
import { openPostgresStore } from '../src/adapters/store/drivers/postgres.ts';
import { openSqliteStore } from '../src/adapters/store/drivers/sqlite.ts';
import { createVault } from '../src/adapters/vault/vault.ts';
import { durationMs } from '../src/contract/common.ts';
import type { Alerting } from '../src/core/alerting/alerting.ts';
import { sealWebhookSecrets } from '../src/core/webhook/webhook-secrets.ts';
import type { JsonObject, StoredDocument } from '../src/ports/store/document-store.ts';
import { sql } from '../src/sql/sql.ts';
import { startTestApp } from '../test/kit/app.ts';
import { eventually } from '../test/kit/eventually.ts';
import type { TestTelemetry } from '../test/kit/telemetry.ts';
import { documentBody } from '../test/kit/document-body.ts';
import { insertWorkspace } from '../test/kit/workspace.ts';
import { measureCpu } from './cpu-time.ts';

/** The end of the window that is filled first, minus a minute. */
export const firstMs = Date.parse('2026-03-14T12:00:00Z');

/**
 * A million rows in a window that begins at `startMs`: ten thousand services, a tenth of whose rows
 * are errors.
 */
export async function fillWindow(engine: TestTelemetry, startMs: number): Promise<void> {
  await engine.telemetry.command(
    sql`INSERT INTO sightline.otel_logs (Timestamp, ServiceName, SeverityText, LogAttributes, Body)
      SELECT fromUnixTimestamp64Milli(${startMs} + intDiv(number, 20)),
        concat('svc-', toString(number % 10000)),
        if(intDiv(number, 10000) % 10 = 0, 'ERROR', 'INFO'), map('tenant', toString(number % 500)),
        concat('request ', toString(cityHash64(number) % 1000000),
          ' handled by worker ', toString(number % 997),
          ' status ', toString(200 + number % 300),
          ' path /api/items/', toString(number % 5000),
          ' tag', toString(cityHash64(number) % 20000))
      FROM numbers(1000000)`,
    { purpose: 'admin', timeoutMs: 600_000 },
  );
}

/**
 * The same rows as the collector's exporter keeps them: other order, and an index of words that a
 * search without regard to case cannot use.
 */
export async function fillCollectorTable(engine: TestTelemetry): Promise<void> {
  await engine.telemetry.command(
    sql`CREATE TABLE sightline.collector_logs (
        Timestamp DateTime64(9) CODEC(Delta(8), ZSTD(1)),
        TimestampTime DateTime DEFAULT toDateTime(Timestamp),
        ServiceName LowCardinality(String) CODEC(ZSTD(1)),
        SeverityText LowCardinality(String) CODEC(ZSTD(1)),
        Body String CODEC(ZSTD(1)),
        LogAttributes Map(LowCardinality(String), String) CODEC(ZSTD(1)),
        INDEX idx_body Body TYPE tokenbf_v1(32768, 3, 0) GRANULARITY 8
      )
      ENGINE = MergeTree PARTITION BY toDate(TimestampTime)
      PRIMARY KEY (ServiceName, TimestampTime)
      ORDER BY (ServiceName, TimestampTime, Timestamp)`,
    { purpose: 'admin', timeoutMs: 60_000 },
  );
  for (const windowMs of [0, 1, 2, 3].map((index) => firstMs + index * 60_000)) {
    await engine.telemetry.command(
      sql`INSERT INTO sightline.collector_logs
          (Timestamp, ServiceName, SeverityText, Body, LogAttributes)
        SELECT Timestamp, ServiceName, SeverityText, Body, LogAttributes
        FROM sightline.otel_logs
        WHERE Timestamp >= fromUnixTimestamp64Milli(${windowMs})
          AND Timestamp < fromUnixTimestamp64Milli(${windowMs + 60_000})`,
      { purpose: 'admin', timeoutMs: 600_000 },
    );
  }
}

/**
 * Waits until the engine has merged the parts of what was just inserted: merges would slow down
 * what is measured next.
 */
export async function settled(engine: TestTelemetry): Promise<void> {
  let idleLooks = 0;
  await eventually(
    async () => {
      const { rows } = await engine.telemetry.query(
        sql`SELECT toString(count()) FROM system.merges`,
        { purpose: 'admin', timeoutMs: 10_000 },
      );
      const merges = rows[0]?.[0];
      idleLooks = merges === '0' ? idleLooks + 1 : 0;
      if (idleLooks < 5) {
        throw new Error(`the engine is not idle: ${String(merges)} merges`);
      }
    },
    120_000,
    200,
  );
}

export interface BenchAlert {
  where: string;
  threshold?: number;
  groupBy?: string;
  /** Where this one sends instead. */
  webhookUrl?: string;
}

export interface AlertBenchOptions {
  engine: TestTelemetry;
  clock: { now(): number };
  alerts: BenchAlert[];
  interval?: string;
  /** Whose rows they look at; absent: the table that OTLP fills. */
  table?: string;
  /** Where every alert sends; absent: nowhere. */
  webhookUrl?: string;
  tickMs?: number;
  ingestDelayMs?: number;
  /** A PostgreSQL database for the metadata; absent: SQLite. */
  databaseUrl?: string | undefined;
}

/**
 * Alerts over a store on the disk and a supervisor for them, all real, under a clock that the
 * benchmark moves.
 */
export async function startAlertBench(
  options: AlertBenchOptions,
): Promise<{ alerting: Alerting; close(): Promise<void> }> {
  const {
    engine,
    clock,
    alerts,
    interval = '1m',
    table = 'otel_logs',
    webhookUrl,
    tickMs = 1000,
    ingestDelayMs = 5000,
    databaseUrl,
  } = options;
  const folder = mkdtempSync(join(tmpdir(), 'sightline-bench-'));
  const ids = createIds(clock);
  const vault = createVault(Buffer.alloc(32, 1));
  const store =
    databaseUrl === undefined
      ? await openSqliteStore({ path: join(folder, 'metadata.db'), clock })
      : await openPostgresStore({ url: databaseUrl, clock });
  const workspaceId = ids.object();
  await insertWorkspace(store, workspaceId, engine.database);
  const put = (
    kind: StoredDocument['kind'],
    id: string,
    body: JsonObject,
    sealed: string | null = null,
  ) => store.documents.insert(workspaceId, { kind, id, body: documentBody(body), sealed });
  const sourceId = ids.object();
  const webhooks = new Map<string, string>();
  await put('source', sourceId, {
    kind: 'log',
    name: 'Logs',
    from: { databaseName: engine.database, tableName: table },
    timestampValueExpression: 'Timestamp',
    bodyExpression: 'Body',
  });
  for (const url of new Set([webhookUrl, ...alerts.map((alert) => alert.webhookUrl)])) {
    if (url === undefined) {
      continue;
    }
    const id = ids.object();
    webhooks.set(url, id);
    await put(
      'webhook',
      id,
      { name: `bench ${webhooks.size}`, service: 'generic', url },
      sealWebhookSecrets(
        vault,
        { workspaceId, id },
        { secret: `whsec_${Buffer.alloc(32, 2).toString('base64')}` },
      ),
    );
  }
  const create = async (
    { where, threshold = 1e9, groupBy, webhookUrl: own }: BenchAlert,
    index: number,
  ): Promise<void> => {
    const webhookId = webhooks.get(own ?? webhookUrl ?? '');
    const searchId = ids.object();
    await put('savedSearch', searchId, {
      name: 's',
      sourceId,
      where,
      whereLanguage: 'lucene',
      filters: [],
    });
    await put('alert', ids.object(), {
      name: `alert ${index}`,
      threshold,
      thresholdType: 'above',
      interval,
      source: 'search',
      savedSearchId: searchId,
      ...(groupBy !== undefined && { groupBy }),
      ...(webhookId !== undefined && { channel: { type: 'webhook', webhookId } }),
    });
  };
  // PostgreSQL has few connections: what waits for one too long fails.
  const together = databaseUrl === undefined ? alerts.length : 200;
  for (let start = 0; start < alerts.length; start += together) {
    const some = alerts.slice(start, start + together);
    await Promise.all(some.map((alert, offset) => create(alert, start + offset)));
  }
  const app = await startTestApp({
    folder,
    roles: ['alerts'],
    config: {
      clickhouseDatabase: engine.database,
      alertTickMs: tickMs,
      alertIngestDelayMs: ingestDelayMs,
      queryTimeoutMs: 120_000,
    },
    log: createLog({ level: 'error', destination: process.stderr }),
    clock,
    parts: { store, telemetry: engine.telemetry, vault },
    tuning: { ticksByHand: true },
  });
  if (!app.alerting) {
    throw new Error('the app does not run alerts');
  }
  return {
    alerting: app.alerting,
    async close() {
      await app.stop();
      await store.close();
      rmSync(folder, { recursive: true });
    },
  };
}

export interface Measured {
  ms: number;
  cpuUs: number;
}

/**
 * One tick for each window from `firstMs` on, each over fresh windows, durable. Without `warmUp` the
 * best after the first, which compiles every condition.
 */
export async function measureTicks(
  name: string,
  engine: TestTelemetry,
  {
    alerts,
    interval = '1m',
    table = 'otel_logs',
    databaseUrl,
    storeCpuUs = () => 0,
    warmUp,
  }: Pick<AlertBenchOptions, 'alerts' | 'interval' | 'table' | 'databaseUrl'> & {
    /** How many of the first ticks do not count; then the median of the others does. */
    warmUp?: number;
    /** CPU time so far of the program that keeps the metadata, in microseconds. */
    storeCpuUs?: () => number;
  },
  windows: number,
): Promise<Measured> {
  const intervalMs = durationMs(interval)!;
  let nowMs = firstMs + 6000;
  const bench = await startAlertBench({
    engine,
    clock: { now: () => nowMs },
    alerts,
    interval,
    table,
    databaseUrl,
  });
  const results: (Measured & { storeUs: number })[] = [];
  for (let tick = 0; tick < windows; tick++) {
    nowMs += intervalMs;
    const [cpu, storeBefore] = [measureCpu(), storeCpuUs()];
    const startedMs = performance.now();
    await bench.alerting.tick();
    const ms = performance.now() - startedMs;
    const storeUs = (storeCpuUs() - storeBefore) / alerts.length;
    results.push({ ms, cpuUs: cpu().total / alerts.length, storeUs });
  }
  await bench.close();
  const [first] = results;
  const warm = results.slice(warmUp ?? 1);
  const pick = (values: number[]): number =>
    values.toSorted((a, b) => a - b)[warmUp === undefined ? 0 : values.length >> 1]!;
  const measured = {
    ms: pick(warm.map(({ ms }) => ms)),
    cpuUs: pick(warm.map(({ cpuUs }) => cpuUs)),
    storeUs: pick(warm.map(({ storeUs }) => storeUs)),
  };
  console.log(
    `${name}: first tick ${Math.round(first!.ms)} ms (compiles every condition), ` +
      `then ${warmUp === undefined ? 'at best' : `median of ${warm.length}`} ` +
      `${Math.round(measured.ms)} ms = ` +
      `${Math.round((alerts.length / measured.ms) * 1000)} alerts/s, ` +
      `CPU ${measured.cpuUs.toFixed(1)} µs an alert (engine included)` +
      (measured.storeUs > 0 ? ` and ${measured.storeUs.toFixed(1)} in the store` : ''),
  );
  return measured;
}

export const services = (count: number): BenchAlert[] =>
  Array.from({ length: count }, (_, index) => ({
    where: `ServiceName:"svc-${index}" SeverityText:"ERROR"`,
  }));
/** Ten thousand alerts of which a hundred fire. */
export const tenThousand = (): BenchAlert[] =>
  services(10_000).map((alert, index) => ({ ...alert, threshold: index % 100 === 0 ? 1 : 1e9 }));

/** One line for each row of docs/benchmarks.md. */
export function verdict(
  row: string,
  measured: number,
  target: { atLeast: number } | { atMost: number },
  unit: string,
): void {
  const met = 'atLeast' in target ? measured >= target.atLeast : measured <= target.atMost;
  const text = (value: number): string =>
    Math.abs(value) >= 100 ? String(Math.round(value)) : value.toFixed(2);
  const bound = 'atLeast' in target ? `>= ${text(target.atLeast)}` : `<= ${text(target.atMost)}`;
  console.log(`${met ? 'PASS' : 'MISS'} ${row}: ${text(measured)}${unit}, target ${bound}${unit}`);
}
