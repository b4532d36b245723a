import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startClickHouseServer, type ClickHouseServer } from '../kit/clickhouse-server.ts';
import { postgresMissing, startPostgres, type PostgresPeer } from '../kit/postgres.ts';
import { until } from '../kit/eventually.ts';
import { Program, type Server } from '../kit/program.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../kit/webhook-receiver.ts';

const accessKey = 'slp_test_access_key_000000000000000000000000';
const ingestionKey = 'sli_test_ingestion_key_0000000000000000000000';
const managedKey = {
  id: 'TESTKEYID0000000TEST',
  secret: 'test_key_secret_0000000000000000000000000000',
};
const bootstrapped = {
  SIGHTLINE_BOOTSTRAP_ACCESS_KEY: accessKey,
  SIGHTLINE_BOOTSTRAP_INGESTION_KEY: ingestionKey,
  SIGHTLINE_BOOTSTRAP_KEY_ID: managedKey.id,
  SIGHTLINE_BOOTSTRAP_KEY_SECRET: managedKey.secret,
  SIGHTLINE_EGRESS_ALLOW: '127.0.0.0/8',
  SIGHTLINE_ALERT_TICK_MS: '200',
  SIGHTLINE_ALERT_INGEST_DELAY_MS: '500',
};
const outageMs = 30_000;
const minuteMs = 60_000;

const ask = (server: Server, path: string, method = 'GET', body?: unknown) =>
  fetch(`${server.api}${path}`, {
    method,
    headers: {
      authorization: path.startsWith('/v1')
        ? `Basic ${Buffer.from(`${managedKey.id}:${managedKey.secret}`).toString('base64')}`
        : `Bearer ${accessKey}`,
      'content-type': 'application/json',
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
const data = async <T>(answer: Response): Promise<T> => {
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { data: T }).data;
};
const waitsFor = (answer: Response): [number, boolean] => [
  answer.status,
  Number(answer.headers.get('retry-after')) > 0,
];

const send = (server: Server, timesMs: readonly number[] = [Date.now()]) =>
  fetch(`${server.otlpHttp}/v1/logs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: ingestionKey },
    body: JSON.stringify({
      resourceLogs: [
        {
          scopeLogs: [
            {
              logRecords: timesMs.map((ms) => ({
                timeUnixNano: `${ms}000000`,
                body: { stringValue: 'payment failed' },
              })),
            },
          ],
        },
      ],
    }),
  });

interface Running {
  server: Server;
  receiver: WebhookReceiver;
  alertId: string;
  sourceId: string;
}

/**
 * An alert that fires from the first minute on, and has reason to do so until long after the
 * outage.
 */
async function withFiringAlert(server: Server): Promise<Running> {
  const receiver = await startWebhookReceiver();
  const [source] = await data<{ id: string; kind: string }[]>(await ask(server, '/api/v2/sources'));
  const nowMs = Date.now();
  expect(
    (
      await send(
        server,
        [-1, 0, 1, 2, 3].map(
          (minutes) => Math.floor(nowMs / minuteMs) * minuteMs + minutes * minuteMs + 1000,
        ),
      )
    ).status,
  ).toBe(200);
  const { id: webhookId } = await data<{ id: string }>(
    await ask(server, '/api/v2/webhooks', 'POST', {
      name: 'on-call',
      service: 'generic',
      url: receiver.url,
    }),
  );
  const { id: savedSearchId } = await data<{ id: string }>(
    await ask(server, '/api/v2/saved-searches', 'POST', {
      name: 'Failed payments',
      sourceId: source!.id,
      where: '"payment failed"',
    }),
  );
  const alert = {
    name: 'Failed payments',
    source: 'search',
    savedSearchId,
    threshold: 1,
    thresholdType: 'above',
    interval: '1m',
    channel: { type: 'webhook', webhookId },
  };
  const { id: alertId } = await data<{ id: string }>(
    await ask(server, '/api/v2/alerts', 'POST', alert),
  );
  await receiver.waitFor(1, 20_000);
  return { server, receiver, alertId, sourceId: source!.id };
}

/** So that a window ends, and would be evaluated, while it is away. */
async function untilTheOutageSpansAMinute(): Promise<void> {
  const secondMs = Date.now() % minuteMs;
  const earliestMs = minuteMs - outageMs + 3000;
  if (secondMs < earliestMs) {
    await pause(earliestMs - secondMs);
  }
}

/** Probes all the time until the outage has lasted long enough. */
async function throughout(probe: () => Promise<void>): Promise<number> {
  const endMs = Date.now() + outageMs;
  let probes = 0;
  for (; Date.now() < endMs; probes++) {
    await probe();
    await pause(200);
  }
  return probes;
}

/**
 * The alert goes on where it was: every window of the outage has been looked at or is said to be
 * missed, none was taken for the end of the trouble.
 */
async function expectNoFalseResolve(
  { server, receiver, alertId }: Running,
  backAtMs: number,
): Promise<void> {
  const alert = await until(
    'the alert to be evaluated again',
    async () => {
      const record = await data<{
        state: string;
        lastEvaluatedAt: string;
        executionErrors?: unknown;
      }>(await ask(server, `/api/v2/alerts/${alertId}`));
      return Date.parse(record.lastEvaluatedAt) > backAtMs && record.executionErrors === undefined
        ? record
        : undefined;
    },
    75_000,
  );
  expect(alert.state).toBe('firing');
  const history = await data<{ state: string }[]>(
    await ask(server, `/api/v2/alerts/${alertId}/history`),
  );
  expect(history.length).toBeGreaterThanOrEqual(2);
  expect(new Set(history.map(({ state }) => state))).toEqual(new Set(['firing']));
  // The same message may come twice: what was sent just before the store went away could not be
  // marked as sent.
  const messages = new Map(
    receiver.received.map(({ json }) => [
      (json as { id: string }).id,
      (json as { type: string }).type,
    ]),
  );
  expect([...messages.values()]).toEqual(['alert.firing']);
}

let postgres: PostgresPeer;
let programs: Program[] = [];
let servers: Server[] = [];
const get = (server: Server, path = '/api/v2/sources', key = accessKey) =>
  fetch(`${server.api}${path}`, { headers: { authorization: `Bearer ${key}` } });
beforeAll(async () => {
  postgres = await startPostgres();
  const shared = {
    SIGHTLINE_DATABASE_URL: await postgres.createDatabase(),
    SIGHTLINE_SECRET_KEY: randomBytes(32).toString('base64'),
    ...bootstrapped,
  };
  // One engine of its own each, so only one of them evaluates.
  programs = [new Program(shared), new Program({ ...shared, SIGHTLINE_ROLES: 'api,ingest' })];
  servers = await Promise.all(programs.map((program) => program.serve()));
});
afterAll(async () => {
  await Promise.all(programs.map((program) => program.remove()));
  await postgres?.remove();
});

describe.skipIf(postgresMissing())('two processes on one PostgreSQL', () => {
  it('that race for the first start: one fills the store, and both serve it', async () => {
    expect(servers.filter(({ banner }) => banner.includes('First start'))).toHaveLength(1);
    const lists = await Promise.all(servers.map(async (server) => (await get(server)).json()));
    expect(lists[0]).toEqual(lists[1]);
  });

  it('a key revoked through one is refused by the other within two seconds', async () => {
    const [one, other] = servers as [Server, Server];
    const made = await data<Record<string, string>>(
      await ask(one, '/api/v2/team/access-keys', 'POST', { name: 'short-lived' }),
    );
    const key = Object.values(made).find((value) => String(value).startsWith('slp_'))!;
    expect((await get(other, '/api/v2/sources', key)).status).toBe(200);
    expect((await ask(one, `/api/v2/team/access-keys/${made['id']}`, 'DELETE')).status).toBe(200);
    await until(
      'the other to refuse it',
      async () => ((await get(other, '/api/v2/sources', key)).status === 401 ? true : undefined),
      2000,
    );
  });

  describe('half a minute without', () => {
    it.concurrent('the store: always 503 with Retry-After, no false resolve, recovery by itself', async () => {
      const running = await withFiringAlert(servers[0]!);
      await untilTheOutageSpansAMinute();
      await postgres.stop('immediate');
      await until('/ready to notice', async () =>
        (await get(servers[0]!, '/ready')).status === 503 &&
        (await get(servers[1]!, '/ready')).status === 503
          ? true
          : undefined,
      );
      const probes = await throughout(async () => {
        for (const server of servers) {
          const ready = await get(server, '/ready');
          expect([await ready.json(), ...waitsFor(ready)]).toEqual([
            { status: 'unavailable', failing: ['store'] },
            503,
            true,
          ]);
          expect((await get(server, '/health')).status).toBe(200);
          for (const path of ['/api/v2/sources', '/v1/organizations']) {
            expect([path, ...waitsFor(await ask(server, path))]).toEqual([path, 503, true]);
          }
          expect(
            waitsFor(
              await ask(server, '/api/v2/webhooks', 'POST', {
                name: 'x',
                service: 'generic',
                url: 'https://hooks.example.com',
              }),
            ),
          ).toEqual([503, true]);
          // A key that is known stays good for a minute; otherwise the sender is told to come back.
          const sent = await send(server);
          expect([200, 503]).toContain(sent.status);
          expect(sent.status === 200 || waitsFor(sent)[1]).toBe(true);
        }
      });
      expect(probes).toBeGreaterThan(5);
      await postgres.start();
      const backAtMs = Date.now();
      for (const server of servers) {
        await until('recovery', async () =>
          (await get(server)).status === 200 &&
          (await get(server, '/ready')).status === 200 &&
          (await send(server)).status === 200
            ? true
            : undefined,
        );
      }
      await expectNoFalseResolve(running, backAtMs);
      expect(servers.map(({ child }) => child.exitCode)).toEqual([null, null]);
      await running.receiver.close();
    });

    it.concurrent('the engine: charts and senders are to retry, the rest works, recovery by itself', async () => {
      const engine: ClickHouseServer = await startClickHouseServer();
      const program = new Program({ SIGHTLINE_CLICKHOUSE_URL: engine.url, ...bootstrapped });
      try {
        const server = await program.serve();
        const running = await withFiringAlert(server);
        const chart = () =>
          ask(server, '/api/v2/charts/series', 'POST', {
            series: [
              {
                sourceId: running.sourceId,
                aggFn: 'count',
                where: `"payment failed" ${Math.random()}`,
              },
            ],
            startTime: Date.now() - minuteMs,
            endTime: Date.now(),
          });
        expect((await chart()).status).toBe(200);
        await untilTheOutageSpansAMinute();
        await engine.kill();
        await until('/ready to notice', async () =>
          (await get(server, '/ready')).status === 503 ? true : undefined,
        );
        const probes = await throughout(async () => {
          const ready = await get(server, '/ready');
          expect([await ready.json(), ...waitsFor(ready)]).toEqual([
            { status: 'unavailable', failing: ['engine'] },
            503,
            true,
          ]);
          expect(waitsFor(await chart())).toEqual([503, true]);
          expect(waitsFor(await send(server))).toEqual([503, true]);
          for (const path of ['/health', '/api/v2/sources', '/v1/organizations']) {
            expect([path, (await ask(server, path)).status]).toEqual([path, 200]);
          }
        });
        expect(probes).toBeGreaterThan(5);
        await engine.restart();
        const backAtMs = Date.now();
        await until('recovery', async () =>
          (await chart()).status === 200 &&
          (await get(server, '/ready')).status === 200 &&
          (await send(server)).status === 200
            ? true
            : undefined,
        );
        await expectNoFalseResolve(running, backAtMs);
        expect(server.child.exitCode).toBe(null);
        await running.receiver.close();
      } finally {
        await program.remove();
        await engine.close();
      }
    });
  });
});
