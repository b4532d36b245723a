import type { Page } from 'playwright-core';
import type { Status } from '../../../src/contract/status.ts';
import { webhook } from './alerts.ts';
import { callApi } from './call-api.ts';

/** The machine of a test may be short of space: its disks count as half empty. */
export async function withRoomyDisks(page: Page): Promise<void> {
  await page.route('**/api/v2/status', async (route) => {
    const response = await route.fetch();
    const json = (await response.json()) as { data: Status };
    const { nodes = [], engines = [] } = json.data.server ?? {};
    for (const disk of [
      ...nodes.flatMap((node) => node.disk ?? []),
      ...engines.flatMap(({ disks = [] }) => disks),
    ]) {
      disk.freeBytes = disk.totalBytes / 2;
    }
    await route.fulfill({ response, json });
  });
}

/** An alert that watches nothing, so that it is broken. */
export async function brokenAlert(page: Page, name: string): Promise<{ id: string }> {
  const { id: webhookId } = await webhook(page, name, 'https://hooks.example.com/alerts');
  return callApi(page, 'POST', '/alerts', {
    name,
    source: 'search',
    interval: '1m',
    threshold: 1,
    thresholdType: 'above',
    channel: { type: 'webhook', webhookId },
  });
}

/** A pipe whose broker refuses every connection. */
export const brokenPipe = (page: Page, name: string): Promise<void> =>
  page.evaluate(async (pipe) => {
    const headers = { 'content-type': 'application/json', 'x-sightline': '1' };
    const session = (await (await fetch('/api/v2/session')).json()) as {
      data: { organizationId: string; serviceId: string };
    };
    const { organizationId, serviceId } = session.data;
    const answer = await fetch(`/v1/organizations/${organizationId}/services/${serviceId}/pipes`, {
      method: 'POST',
      headers,
      body: JSON.stringify({
        name: pipe,
        source: { kafka: { brokers: '127.0.0.1:9', topics: 'orders', format: 'JSONEachRow' } },
        destination: { table: 'orders', columns: [{ name: 'a', type: 'String' }] },
      }),
    });
    if (!answer.ok) {
      throw new Error(`the pipe was refused: ${answer.status} ${await answer.text()}`);
    }
  }, name);

const gib = 2 ** 30;

/** A server with some of everything that can be wrong. */
export function statusInTrouble(time: string): Status {
  const before = (seconds: number): string =>
    new Date(Date.parse(time) - seconds * 1000).toISOString();
  const id = (last: number): string => `65f0c1d2e3a4b5c6d7e8f9${String(last).padStart(2, '0')}`;
  const node = (number: number, alertShards: number[]) => ({
    id: `web-${number}`,
    host: `web-${number}`,
    processId: 7,
    version: '1.0.0',
    roles: ['api', 'ui', 'ingest', 'alerts', 'pipes'],
    state: 'running' as const,
    startedAt: before(86_400),
    lastSeenAt: before(4),
    memoryBytes: 0.3 * gib,
    alertShards,
    pipeReaders: 2,
    pipes: [],
  });
  return {
    version: '1.0.0',
    time,
    alerts: {
      total: 14,
      lateCount: 2,
      late: [
        { id: id(1), name: 'Slow checkout', lateSeconds: 372 },
        { id: id(2), name: 'Errors by service', lateSeconds: 190 },
      ],
      brokenCount: 1,
      broken: [
        {
          id: id(3),
          name: 'Failed payments',
          type: 'QUERY_ERROR',
          message: 'the column "Bank" does not exist',
          since: before(7200),
        },
      ],
    },
    outbox: {
      waiting: 3,
      oldestAt: before(900),
      webhooks: [{ id: id(4), name: 'on-call', waiting: 3, oldestAt: before(900) }],
    },
    pipes: {
      total: 5,
      failingCount: 1,
      failing: [
        {
          id: '3c6e0b8a-9c15-4d2e-b3f1-5a7d9e1f2c4b',
          name: 'orders',
          state: 'Failed',
          message: 'the topic "orders" does not exist. Create it, then start the pipe.',
          since: before(3600),
        },
      ],
    },
    ingest: {
      windowSeconds: 300,
      storedRecords: 364_500,
      recordsPerSecond: 1215,
      rejectedRecords: 0,
      refusedRequests: 12,
      lastRefusal: { reason: 'too much telemetry is waiting to be stored', at: before(30) },
    },
    server: {
      nodes: [
        node(1, [0, 1, 2, 3, 4, 5, 6, 7]),
        node(2, [8, 9, 10, 11, 12, 13, 14, 15]),
        { ...node(3, []), state: 'lost', lastSeenAt: before(240), pipeReaders: 0 },
      ],
      freeAlertShards: [],
      engines: [
        {
          shard: 'ch-1:9000',
          disks: [{ name: 'default', freeBytes: 12 * gib, totalBytes: 100 * gib }],
          memory: { usedBytes: 2 * gib, limitBytes: 8 * gib },
          parts: { active: 1412, mostInPartition: 31, broken: 0, detached: 0 },
          errors: [],
        },
        {
          errors: [
            'shard 2 (ch-2:9000) of the ClickHouse cluster does not respond. ' +
              'Start the server, or check its network.',
          ],
        },
      ],
    },
  };
}

/** The same server, when everything works. */
export function statusInOrder(time: string): Status {
  const { server, ...status } = statusInTrouble(time);
  return {
    ...status,
    alerts: { total: 14, lateCount: 0, late: [], brokenCount: 0, broken: [] },
    outbox: { waiting: 0, webhooks: [] },
    pipes: { total: 5, failingCount: 0, failing: [] },
    ingest: {
      windowSeconds: 300,
      storedRecords: 364_500,
      recordsPerSecond: 1215,
      rejectedRecords: 0,
      refusedRequests: 0,
    },
    ...(server && {
      server: {
        ...server,
        nodes: server.nodes.slice(0, 2),
        engines: [
          {
            ...server.engines[0]!,
            disks: [{ name: 'default', freeBytes: 61 * gib, totalBytes: 100 * gib }],
          },
        ],
      },
    }),
  };
}
