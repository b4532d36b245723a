import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createIds } from '../../src/adapters/ambient/ids.ts';
import { createLog } from '../../src/adapters/ambient/log.ts';
import { openSqliteStore } from '../../src/adapters/store/sqlite.ts';
import { createVault } from '../../src/adapters/vault/vault.ts';
import { egressGuard } from '../../src/adapters/webhook/egress-guard.ts';
import { createWebhookSender } from '../../src/adapters/webhook/webhook-sender.ts';
import type { WebhookEvent } from '../../src/contract/webhook-event.ts';
import {
  createAlerting,
  type Alerting,
  type AlertingOptions,
} from '../../src/core/alerting/alerting.ts';
import { createQuery } from '../../src/core/query/index.ts';
import { sealWebhookSecrets, type WebhookSecrets } from '../../src/core/webhook-secrets.ts';
import type { Vault } from '../../src/ports/ambient.ts';
import type { WebhookSender } from '../../src/ports/webhook-sender.ts';
import type { JsonObject, Store, StoredDocument } from '../../src/ports/store.ts';
import type { Telemetry } from '../../src/ports/telemetry.ts';
import { openTestTelemetry, type TestTelemetry } from './telemetry.ts';
import { startWebhookReceiver, type Received, type WebhookReceiver } from './webhook-receiver.ts';

/** The day on which every timeline plays. */
const day = '2026-03-14';

export const at = (time: string): number =>
  Date.parse(time.includes('T') ? time : `${day}T${time}Z`);
export const clockText = (ms: number): string => new Date(ms).toISOString().slice(11, 19);

export interface Timeline {
  /** The real parts under it. */
  store: Store;
  telemetry: Telemetry;
  receiver: WebhookReceiver;
  sender: WebhookSender;
  vault: Vault;
  alerting: Alerting;
  workspaceId: string;
  now(): number;
  /** Moves the clock without letting anything happen in between. */
  jump(time: string): void;
  /** Lets time pass in steps, a tick of the supervisor and everything it sends at each. */
  runUntil(time: string, stepMs?: number): Promise<void>;
  /** One tick, and everything it sends. */
  settle(): Promise<void>;
  /** Log rows at a time: `logs('12:03:10', 20, {ServiceName: 'checkout'})`. */
  logs(time: string, count: number, row?: Record<string, unknown>): Promise<void>;
  /** Log rows at a time, each different. */
  manyLogs(time: string, rows: readonly Record<string, unknown>[]): Promise<void>;
  /** A saved search; its id. */
  search(where: string, more?: JsonObject): Promise<string>;
  /** A dashboard with one tile. */
  tile(config: JsonObject): Promise<{ dashboardId: string; tileId: string }>;
  webhook(change?: JsonObject, secrets?: WebhookSecrets): Promise<string>;
  alert(body: JsonObject): Promise<string>;
  change(kind: StoredDocument['kind'], id: string, change: JsonObject): Promise<void>;
  remove(kind: StoredDocument['kind'], id: string): Promise<void>;
  /** What the receiver got: `12:05:05 firing fired 20`. */
  told(): string[];
  events(): WebhookEvent[];
  /** `12:05 firing 20 breached`, oldest first. */
  history(alertId: string): Promise<string[]>;
  /** The supervisor ends and another begins on the same store. */
  restart(options?: Partial<AlertingOptions>): Promise<void>;
  another(options: Partial<AlertingOptions>): Alerting;
  logLines: string[];
  close(): Promise<void>;
}

export interface TimelineOptions extends Partial<Omit<AlertingOptions, 'clock'>> {
  from?: string;
  /** An engine that others use too. */
  engine?: TestTelemetry;
}

/** Alerts over a real store, a real engine and a real receiver, under a clock that the test moves. */
export async function startTimeline({
  from = '12:00:00',
  engine,
  ...options
}: TimelineOptions = {}): Promise<Timeline> {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-timeline-'));
  let nowMs = at(from);
  const clock = { now: () => nowMs };
  const ids = createIds(clock);
  const vault = createVault(randomBytes(32));
  const logLines: string[] = [];
  const log = createLog({
    level: 'debug',
    destination: { write: (line) => void logLines.push(line) },
  });
  const store =
    options.store ?? (await openSqliteStore({ path: join(folder, 'metadata.db'), clock }));
  const test = engine ?? (await openTestTelemetry());
  const receiver = await startWebhookReceiver({ now: clock.now });
  const sender = createWebhookSender({
    egress: egressGuard({ allow: ['127.0.0.0/8'] }),
    timeoutMs: 500,
  });
  const workspaceId = ids.object();

  const make = (more: Partial<AlertingOptions> = {}): Alerting => {
    const telemetry = more.telemetry ?? options.telemetry ?? test.telemetry;
    const query = createQuery({ telemetry, clock, limits: { timeoutMs: 10_000 } });
    return createAlerting({
      store,
      telemetry,
      query,
      sender,
      vault,
      clock,
      log,
      holder: 'one',
      tickMs: 1000,
      ingestDelayMs: 5000,
      queryTimeoutMs: 10_000,
      publicUrl: 'https://sightline.test',
      random: () => 0,
      ...options,
      ...more,
    });
  };
  let alerting = make();

  const put = async (
    kind: StoredDocument['kind'],
    body: JsonObject,
    sealed: (id: string) => string | null = () => null,
  ): Promise<string> => {
    const id = ids.object();
    await store.documents.insert(workspaceId, { kind, id, body, sealed: sealed(id) });
    return id;
  };
  const sourceId = await put('source', {
    kind: 'log',
    name: 'Logs',
    from: { databaseName: test.database, tableName: 'otel_logs' },
    timestampValueExpression: 'Timestamp',
    bodyExpression: 'Body',
    serviceNameExpression: 'ServiceName',
    severityTextExpression: 'SeverityText',
  });

  const settle = async (): Promise<void> => {
    await alerting.tick();
    await alerting.delivered();
  };
  const manyLogs: Timeline['manyLogs'] = (time, rows) => {
    const base = {
      Timestamp: new Date(at(time)).toISOString().replace('T', ' ').replace('Z', ''),
      ServiceName: 'checkout',
      SeverityText: 'ERROR',
      Body: 'payment failed',
    };
    return test.insert(
      'otel_logs',
      rows.map((row) => ({ ...base, ...row })),
    );
  };
  const events = (): WebhookEvent[] => receiver.received.map(({ json }) => json as WebhookEvent);
  return {
    store,
    telemetry: test.telemetry,
    receiver,
    sender,
    vault,
    workspaceId,
    logLines,
    settle,
    events,
    get alerting() {
      return alerting;
    },
    now: clock.now,
    jump: (time) => {
      nowMs = at(time);
    },
    async runUntil(time, stepMs = 5000) {
      const endMs = at(time);
      while (nowMs < endMs) {
        nowMs = Math.min(nowMs + stepMs, endMs);
        await settle();
      }
    },
    logs: (time, count, row = {}) =>
      manyLogs(
        time,
        Array.from({ length: count }, () => row),
      ),
    manyLogs,
    search: (where, more = {}) =>
      put('savedSearch', {
        name: 'search',
        sourceId,
        select: '',
        where,
        whereLanguage: 'lucene',
        orderBy: '',
        tags: [],
        filters: [],
        ...more,
      }),
    async tile(config) {
      const tileId = ids.object();
      const dashboardId = await put('dashboard', {
        name: 'board',
        tiles: [
          { id: tileId, name: 'tile', x: 0, y: 0, w: 6, h: 4, config: { sourceId, ...config } },
        ],
        tags: [],
        filters: [],
      });
      return { dashboardId, tileId };
    },
    webhook: (change = {}, secrets = {}) =>
      put('webhook', { name: 'on-call', service: 'generic', url: receiver.url, ...change }, (id) =>
        sealWebhookSecrets(vault, { workspaceId, id }, secrets),
      ),
    alert: (body) =>
      put('alert', {
        name: 'Errors',
        threshold: 10,
        thresholdType: 'above',
        interval: '5m',
        source: 'search',
        silenced: false,
        ...body,
      }),
    async change(kind, id, change) {
      const stored = (await store.documents.get(workspaceId, kind, id))!;
      await store.documents.update(workspaceId, kind, id, stored.version, {
        body: { ...stored.body, ...change },
      });
    },
    remove: async (kind, id) => void (await store.documents.remove(workspaceId, kind, id)),
    told: () => receiver.received.map(toldLine),
    async history(alertId) {
      const rows = await store.alerts.history(workspaceId, alertId, {
        limit: 1000,
        beforeMs: Number.MAX_SAFE_INTEGER,
      });
      return rows
        .toReversed()
        .map(
          (row) =>
            `${clockText(row.windowEndMs).slice(0, 5)} ${row.skipped > 0 ? `skipped ${row.skipped}` : `${row.state} ${row.value ?? '-'}`}${row.reason !== null && row.reason !== 'skipped' ? ` ${row.reason}` : ''}`,
        );
    },
    async restart(more) {
      await alerting.stop();
      alerting = make(more);
    },
    another: make,
    async close() {
      await alerting.stop();
      await sender.close();
      await receiver.close();
      if (!engine) {
        await test.close();
      }
      if (!options.store) {
        await store.close();
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function toldLine({ atMs, json }: Received): string {
  const { data } = json as WebhookEvent;
  return `${clockText(atMs)} ${data.state} ${data.reason} ${data.value ?? '-'}${data.group === '' ? '' : ` [${data.group}]`}`;
}
