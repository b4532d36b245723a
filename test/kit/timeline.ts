import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore } from '../../src/adapters/store/drivers/sqlite.ts';
import { createVault } from '../../src/adapters/vault/vault.ts';
import { egressGuard } from '../../src/adapters/webhook/egress-guard.ts';
import { createWebhookSender } from '../../src/adapters/webhook/webhook-sender.ts';
import type { WebhookEvent } from '../../src/contract/webhook/webhook-event.ts';
import type { Alerting } from '../../src/core/alerting/alerting.ts';
import { sealWebhookSecrets, type WebhookSecrets } from '../../src/core/webhook/webhook-secrets.ts';
import type { Ids, Vault } from '../../src/ports/ambient.ts';
import type { WebhookSender } from '../../src/ports/webhook-sender.ts';
import type { JsonObject, StoredDocument } from '../../src/ports/store/document-store.ts';
import type { Store } from '../../src/ports/store/store.ts';
import type { Telemetry } from '../../src/ports/telemetry.ts';
import { linesOfLog, startTestApp, type TestApp } from './app.ts';
import { documentBody } from './document-body.ts';
import { openTestTelemetry, type TestTelemetry } from './telemetry.ts';
import { startWebhookReceiver, type Received, type WebhookReceiver } from './webhook-receiver.ts';

/** The day on which every timeline plays. */
const day = '2026-03-14';

export const timeOf = (time: string): number =>
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
  deliveries(): string[];
  events(): WebhookEvent[];
  /** `12:05 firing 20 breached`, oldest first. */
  history(alertId: string): Promise<string[]>;
  /** The app ends and another begins on the same store, or with what the change puts there. */
  restart(change?: TimelineChange): Promise<void>;
  logLines: string[];
  close(): Promise<void>;
}

export interface TimelineChange {
  store?: Store;
  telemetry?: Telemetry;
  queryTimeoutMs?: number;
}

/**
 * Alerts over a real store, a real engine and a real receiver, under a clock that the test moves.
 * `engine`: one that others use too; without it the timeline has an engine of its own.
 */
export async function startTimeline({
  engine,
  nodeAheadMs = 0,
}: {
  engine?: TestTelemetry;
  /** How far the clock of the app is ahead of the store's. */
  nodeAheadMs?: number;
} = {}): Promise<Timeline> {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-timeline-'));
  let nowMs = timeOf('12:00:00');
  const clock = { now: () => nowMs };
  const vault = createVault(randomBytes(32));
  const { log, lines: logLines } = linesOfLog();
  const store = await openSqliteStore({ path: join(folder, 'metadata.db'), clock });
  const test = engine ?? (await openTestTelemetry());
  const receiver = await startWebhookReceiver({ now: clock.now });
  const sender = createWebhookSender({
    egress: egressGuard({ allow: ['127.0.0.0/8'] }),
    timeoutMs: 500,
  });

  const start = (change: TimelineChange = {}): Promise<TestApp> =>
    startTestApp({
      folder,
      roles: ['alerts'],
      config: {
        clickhouseDatabase: test.database,
        queryTimeoutMs: change.queryTimeoutMs ?? 10_000,
        publicUrl: 'https://sightline.test',
      },
      log,
      clock: { now: () => nowMs + nodeAheadMs },
      random: () => 0,
      parts: {
        store: change.store ?? store,
        telemetry: change.telemetry ?? test.telemetry,
        vault,
        sender,
      },
      tuning: { ticksByHand: true },
    });
  let app = await start();
  if (!app.first) {
    throw new Error('the app made no workspace in an empty store');
  }
  const workspaceId = app.first.workspace.id;
  const objects = await stackObjects({ store, vault, ids: app.ids, workspaceId }, test, receiver);

  const settle = async (): Promise<void> => {
    await alertingOf(app).tick();
    await alertingOf(app).delivered();
  };
  const manyLogs: Timeline['manyLogs'] = (time, rows) => {
    const base = {
      Timestamp: new Date(timeOf(time)).toISOString().replace('T', ' ').replace('Z', ''),
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
      return alertingOf(app);
    },
    now: clock.now,
    jump: (time) => {
      nowMs = timeOf(time);
    },
    async runUntil(time, stepMs = 5000) {
      const endMs = timeOf(time);
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
    ...objects,
    deliveries: () => receiver.received.map(toldLine),
    async history(alertId) {
      const rows = await store.alerts.history(workspaceId, alertId, {
        limit: 1000,
        beforeMs: Number.MAX_SAFE_INTEGER,
      });
      return rows.toReversed().map((row) => {
        const clock = clockText(row.windowEndMs).slice(0, 5);
        if (row.skipped > 0) {
          return `${clock} skipped ${row.skipped}${reasonText(row.reason)}`;
        }
        return `${clock} ${row.state} ${row.value ?? '-'}${reasonText(row.reason)}`;
      });
    },
    async restart(change) {
      await app.stop();
      app = await start(change);
    },
    async close() {
      await app.stop();
      await sender.close();
      await receiver.close();
      if (!engine) {
        await test.close();
      }
      await store.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function alertingOf({ alerting }: TestApp): Alerting {
  if (!alerting) {
    throw new Error('the app does not run alerts');
  }
  return alerting;
}

/** What a timeline's alerts are made of, over a source of logs. */
async function stackObjects(
  { store, vault, ids, workspaceId }: { store: Store; vault: Vault; ids: Ids; workspaceId: string },
  { database }: TestTelemetry,
  receiver: WebhookReceiver,
): Promise<Pick<Timeline, 'search' | 'tile' | 'webhook' | 'alert' | 'change' | 'remove'>> {
  const put = async (
    kind: StoredDocument['kind'],
    body: JsonObject,
    sealed: (id: string) => string | null = () => null,
  ): Promise<string> => {
    const id = ids.object();
    await store.documents.insert(workspaceId, {
      kind,
      id,
      body: documentBody(body),
      sealed: sealed(id),
    });
    return id;
  };
  const sourceId = await put('source', {
    kind: 'log',
    name: 'Logs',
    from: { databaseName: database, tableName: 'otel_logs' },
    timestampValueExpression: 'Timestamp',
    bodyExpression: 'Body',
    serviceNameExpression: 'ServiceName',
    severityTextExpression: 'SeverityText',
  });
  return {
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
  };
}

function reasonText(reason: string | null): string {
  return reason !== null && reason !== 'skipped' ? ` ${reason}` : '';
}

function toldLine({ atMs, json }: Received): string {
  const { data } = json as WebhookEvent;
  return (
    `${clockText(atMs)} ${data.state} ${data.reason} ` +
    `${data.value ?? '-'}${data.group === '' ? '' : ` [${data.group}]`}`
  );
}
