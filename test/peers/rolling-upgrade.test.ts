import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Status, type NodeStatus } from '../../src/contract/status.ts';
import { startClickHouseServer, type ClickHouseServer } from '../kit/clickhouse-server.ts';
import { until } from '../kit/eventually.ts';
import { http } from '../kit/http.ts';
import { buildNextVersion, nextVersion } from '../kit/next-version/build-next.ts';
import { askAddress } from '../kit/own-servers.ts';
import { postgresMissing, startPostgres, type PostgresPeer } from '../kit/postgres.ts';
import { Program, type Server } from '../kit/program.ts';
import { UpgradeTraffic } from '../kit/upgrade-traffic.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../kit/webhook-receiver.ts';

/**
 * The older process is the present program. The newer one is built from the same sources with more
 * steps in both lists of migrations and with another version, because CI has no earlier commit. So
 * this shows that the present program lives beside a later schema: its statements, inserts, leases,
 * restarts and refusals. It does not show that code of two commits agrees on what they store.
 */

const accessKey = 'slp_test_access_key_000000000000000000000000';
const ingestionKey = 'sli_test_ingestion_key_0000000000000000000000';
const organization = {
  organizationId: '0b0f7f3c-0f0e-4f0a-8f5e-3a6f0d6c1a01',
  serviceId: '0b0f7f3c-0f0e-4f0a-8f5e-3a6f0d6c1a02',
  keyId: 'TESTKEYID0000000TEST',
  keySecret: 'test_key_secret_0000000000000000000000000000',
};
const pipesPath = `/v1/organizations/${organization.organizationId}/services/${organization.serviceId}/pipes`;
const minuteMs = 60_000;

let postgres: PostgresPeer;
let engine: ClickHouseServer;
let receiver: WebhookReceiver;
const bins = { expand: '', contract: '' };
const programs: Program[] = [];

const engineUrl = () => engine.url.replace('://', '://sightline:secret@');
async function onPostgres<Row>(url: string, text: string): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows as Row[];
  } finally {
    await client.end();
  }
}

/** Makes programs that share a new store. */
async function installation(database: string) {
  const storeUrl = await postgres.createDatabase();
  const shared = {
    SIGHTLINE_DATABASE_URL: storeUrl,
    SIGHTLINE_CLICKHOUSE_URL: engineUrl(),
    SIGHTLINE_CLICKHOUSE_DATABASE: database,
    SIGHTLINE_SECRET_KEY: randomBytes(32).toString('base64'),
    SIGHTLINE_BOOTSTRAP_ACCESS_KEY: accessKey,
    SIGHTLINE_BOOTSTRAP_INGESTION_KEY: ingestionKey,
    SIGHTLINE_BOOTSTRAP_ORGANIZATION_ID: organization.organizationId,
    SIGHTLINE_BOOTSTRAP_SERVICE_ID: organization.serviceId,
    SIGHTLINE_BOOTSTRAP_KEY_ID: organization.keyId,
    SIGHTLINE_BOOTSTRAP_KEY_SECRET: organization.keySecret,
    SIGHTLINE_EGRESS_ALLOW: '127.0.0.0/8',
    SIGHTLINE_RATE_LIMIT: 'off',
    SIGHTLINE_ALERT_TICK_MS: '200',
    SIGHTLINE_ALERT_INGEST_DELAY_MS: '500',
    SIGHTLINE_LOG_LEVEL: 'info',
  };
  const program = (bin?: string): Program => {
    const made = new Program(shared, bin);
    programs.push(made);
    return made;
  };
  return { storeUrl, program };
}

async function call<T>({ api }: Server, method: string, path: string, body?: object): Promise<T> {
  const basic = Buffer.from(`${organization.keyId}:${organization.keySecret}`).toString('base64');
  const isManaged = path.startsWith('/v1/');
  const { status, text } = await http(method, `${api}${isManaged ? '' : '/api/v2'}${path}`, {
    headers: { authorization: isManaged ? `Basic ${basic}` : `Bearer ${accessKey}` },
    ...(body && { body: JSON.stringify(body) }),
  });
  expect([status, method, path, status === 200 ? '' : text]).toEqual([200, method, path, '']);
  const answer = JSON.parse(text) as { data?: T; result?: T };
  return (answer.data ?? answer.result) as T;
}

async function nodes(server: Server): Promise<NodeStatus[]> {
  return Status.parse(await call(server, 'GET', '/status')).server!.nodes;
}

/** Alerts that fire in every window of the next minutes. */
async function alertsOf(server: Server) {
  const firstMs = Math.floor(Date.now() / minuteMs) * minuteMs - minuteMs + 1000;
  const logRecords = Array.from({ length: 12 }, (_, minute) => ({
    timeUnixNano: `${firstMs + minute * minuteMs}000000`,
    body: { stringValue: 'payment failed' },
  }));
  const sent = await http('POST', `${server.otlpHttp}/v1/logs`, {
    headers: { authorization: ingestionKey },
    body: JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] }),
  });
  expect(sent.status, sent.text).toBe(200);
  const [source] = await call<[{ id: string }]>(server, 'GET', '/sources');
  const { id: webhookId } = await call<{ id: string }>(server, 'POST', '/webhooks', {
    name: 'on-call',
    service: 'generic',
    url: receiver.url,
  });
  const { id: savedSearchId } = await call<{ id: string }>(server, 'POST', '/saved-searches', {
    name: 'Failed payments',
    sourceId: source.id,
    where: '"payment failed"',
  });
  const ids: string[] = [];
  return {
    ids,
    /** Through this process; those of the shards of another process are evaluated there. */
    async create(through: Server, count: number): Promise<void> {
      for (let index = 0; index < count; index++) {
        const { id } = await call<{ id: string }>(through, 'POST', '/alerts', {
          name: `Failed payments ${ids.length}`,
          source: 'search',
          savedSearchId,
          threshold: 1,
          thresholdType: 'above',
          interval: '1m',
          channel: { type: 'webhook', webhookId },
        });
        ids.push(id);
      }
      await receiver.waitFor(ids.length, 30_000);
    },
    /** The ends of the windows of each alert, newest first. */
    ends: (through: Server) =>
      Promise.all(
        ids.map(async (id) => {
          type Window = { windowEnd: string; state: string; skipped?: number };
          const history = await call<Window[]>(through, 'GET', `/alerts/${id}/history`);
          expect(history.map(({ state, skipped }) => [state, skipped])).toEqual(
            history.map(() => ['firing', undefined]),
          );
          return history.map(({ windowEnd }) => Date.parse(windowEnd));
        }),
      ),
  };
}

/** A table that gets a row every 100 ms, and a pipe that reads it. */
async function pipeOf(server: Server, database: string) {
  const url = await postgres.createDatabase();
  await onPostgres(url, 'CREATE TABLE orders (id int PRIMARY KEY)');
  const { id } = await call<{ id: string }>(server, 'POST', pipesPath, {
    source: {
      postgres: {
        host: '127.0.0.1',
        port: postgres.port,
        database: new URL(url).pathname.slice(1),
        credentials: { username: 'postgres', password: 'not asked for' },
        settings: { syncIntervalSeconds: 1 },
        tableMappings: [
          { sourceSchemaName: 'public', sourceTable: 'orders', targetTable: 'orders' },
        ],
      },
    },
    destination: { database },
  });
  let count = 0;
  const stop = new AbortController();
  const writing = (async () => {
    const client = new Client({ connectionString: url });
    await client.connect();
    while (!stop.signal.aborted) {
      await client.query('INSERT INTO orders VALUES ($1)', [++count]);
      await pause(100);
    }
    await client.end();
  })();
  const rows = async (): Promise<number> =>
    Number(await askAddress(engineUrl(), `SELECT count() FROM ${database}.orders`).catch(() => 0));
  return {
    id,
    /** Until rows that do not exist yet are in the table. */
    async moves(): Promise<void> {
      const present = count;
      await until('later rows of the pipe', async () => (await rows()) > present);
    },
    async finish(): Promise<void> {
      stop.abort();
      await writing;
      await until('all rows of the pipe', async () => (await rows()) >= count);
      const stored = await askAddress(
        engineUrl(),
        `SELECT count(), uniqExact(id), max(id) FROM ${database}.orders`,
      );
      expect(stored).toBe([count, count, count].join('\t'));
    },
  };
}

/** Short before the end of a minute, so that the next window is due soon. */
async function untilLateInMinute(): Promise<void> {
  const lateMs = 55_000;
  const nowMs = Date.now() % minuteMs;
  await pause(nowMs < lateMs ? lateMs - nowMs : 0);
}

describe.skipIf(postgresMissing())('a newer version beside this one', () => {
  beforeAll(async () => {
    [postgres, engine, receiver, bins.expand, bins.contract] = await Promise.all([
      startPostgres({ wal_level: 'logical' }),
      startClickHouseServer({ user: 'sightline', password: 'secret' }),
      startWebhookReceiver(),
      buildNextVersion('expand'),
      buildNextVersion('contract'),
    ]);
  });
  afterAll(async () => {
    await Promise.all(programs.map((program) => program.remove()));
    await receiver?.close();
    await engine?.close();
    await postgres?.remove();
  });

  it('that only adds to the stores: both serve, and alerts and pipes go over to it', async () => {
    const { storeUrl, program } = await installation('rolling');
    const older = await program().serve();
    const { id: dashboardId } = await call<{ id: string }>(older, 'POST', '/dashboards', {
      name: 'Shared',
    });
    const alerts = await alertsOf(older);
    const pipe = await pipeOf(older, 'rolling');
    const traffic = new UpgradeTraffic({ accessKey, ingestionKey }, dashboardId);
    traffic.add(older);
    await alerts.create(older, 8);
    await pipe.moves();

    const newer = await program(bins.expand).serve();
    traffic.add(newer);
    expect(newer.banner).toMatch(/"steps":\["next-1"\].*metadata store migrated/);
    expect(newer.banner).toMatch(/"a note on each log record".*telemetry database migrated/);
    const again = await program().serve();
    expect(again.banner).toMatch(/"steps":\["next-1"\].*newer version shares the metadata store/);
    expect((await again.stop()).code).toBe(0);

    const shares = await until('both to have shards', async () => {
      const running = await nodes(older);
      return running.length === 2 && running.every(({ alertShards }) => alertShards.length === 8)
        ? running
        : undefined;
    });
    expect(shares.map(({ version }) => version === nextVersion)).toEqual([false, true]);
    expect(shares.map(({ pipes }) => pipes)).toEqual([[pipe.id], []]);
    await alerts.create(newer, 16);
    await pipe.moves();

    await untilLateInMinute();
    const boundaryMs = Math.ceil(Date.now() / minuteMs) * minuteMs;
    const askedOlder = traffic.answered.get(older.api) ?? 0;
    await traffic.leave(older);
    expect((await older.stop()).code).toBe(0);
    await pipe.moves();
    expect((await nodes(newer)).map(({ version, pipes }) => [version, pipes])).toEqual([
      [nextVersion, [pipe.id]],
    ]);
    const ends = await until('the next window of each alert', async () => {
      const all = await alerts.ends(newer);
      return all.every(([last = 0]) => last >= boundaryMs) ? all : undefined;
    });
    for (const windows of ends) {
      const [last = 0] = windows;
      expect(windows).toEqual(windows.map((_, index) => last - index * minuteMs));
      expect(windows.length).toBeGreaterThan(1);
    }
    await pipe.finish();
    await traffic.stop();

    expect(traffic.failures).toEqual([]);
    expect(askedOlder).toBeGreaterThan(20);
    expect(traffic.answered.get(newer.api)).toBeGreaterThan(20);
    const messages = receiver.received.map(({ json }) => json as { id: string; type: string });
    expect(new Set(messages.map(({ id }) => id)).size).toBe(alerts.ids.length);
    expect(messages.map(({ type }) => type)).toEqual(alerts.ids.map(() => 'alert.firing'));
    const ticks = `SELECT count(), countIf(NextNote = 'unknown') FROM rolling.otel_logs WHERE Body = 'tick'`;
    expect(await askAddress(engineUrl(), ticks)).toBe(`${traffic.stored}\t${traffic.stored}`);
    const notes = 'SELECT DISTINCT next_note FROM alert_history';
    expect(await onPostgres(storeUrl, notes)).toEqual([{ next_note: 'unknown' }]);
    expect((await newer.stop()).code).toBe(0);
  });

  it('that does more waits until this one has ended, which does not start again', async () => {
    const { storeUrl, program } = await installation('contracted');
    const recorded = () => onPostgres(storeUrl, `SELECT name FROM migrations WHERE name ~ 'next'`);
    const older = await program().serve();
    const next = program(bins.contract);
    const refused = await next.run('serve');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(
      'older versions of Sightline cannot continue after the steps next-2 of this one, and 1 of ' +
        `their processes still run: process ${older.child.pid} on `,
    );
    expect(await recorded()).toEqual([]);
    expect(await nodes(older)).toHaveLength(1);
    expect((await older.stop()).code).toBe(0);

    const newer = await next.serve();
    expect(await recorded()).toHaveLength(2);
    const late = await program().run('serve');
    expect(late.code).toBe(1);
    expect(late.stderr).toMatch(
      /migrated by a newer version of Sightline \(steps unknown to this one: next-2\); start that version/,
    );
    expect(await nodes(newer)).toHaveLength(1);
  });
});
