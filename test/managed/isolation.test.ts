import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAccessKey, createUser, createWorkspace } from '../../src/core/identity/provision.ts';
import { startApi, type ApiKit, type TestKey } from '../kit/api.ts';
import { http, type HttpAnswer, type HttpCall } from '../kit/http.ts';
import { openTestTelemetry, testRows, type TestTelemetry } from '../kit/telemetry.ts';

interface TestService {
  name: string;
  key: TestKey;
  sourceId: string;
  /** A user of the same workspace, on the open-source surface. */
  open(method: string, path: string, call?: HttpCall): Promise<HttpAnswer>;
}

let api: ApiKit;
let engine: TestTelemetry;
const services: TestService[] = [];
const hour = 3_600_000;
const now = Math.floor(Date.now() / hour) * hour;

/** A service of the organization with a telemetry database of its own, and so many rows in it. */
async function newService(name: string, rows: number): Promise<TestService> {
  await engine.telemetry.migrate(name);
  await testRows(engine.telemetry, name).insert(
    'otel_logs',
    Array.from({ length: rows }, (_, index) => ({
      Timestamp: new Date(now - hour + index * 1000)
        .toISOString()
        .replace('T', ' ')
        .replace('Z', ''),
      ServiceName: `only-${name}`,
      SeverityText: 'error',
      Body: `hello from ${name}`,
    })),
  );
  const deps = { store: api.store, ids: api.ids, vault: api.vault };
  const workspace = await createWorkspace(deps, {
    organizationId: api.managed.organizationId,
    name,
    database: name,
  });
  const user = await createUser(deps, { workspaceId: workspace.id, email: `${name}@example.com` });
  const { text } = await createAccessKey(deps, {
    workspaceId: workspace.id,
    userId: user.id,
    name: 'key',
  });
  const key = api.keyOf({ ...api.managed, serviceId: workspace.serviceId });
  const sources = (await key.stack('GET', '/sources')).json.result as {
    id: string;
    kind: string;
  }[];
  const open: TestService['open'] = (method, path, call = {}) =>
    http(method, `${api.url}/api/v2${path}`, {
      ...call,
      headers: { authorization: `Bearer ${text}` },
    });
  return { name, key, sourceId: sources.find(({ kind }) => kind === 'log')!.id, open };
}

beforeAll(async () => {
  engine = await openTestTelemetry();
  api = await startApi({ telemetry: engine.telemetry });
  services.push(await newService('service_a', 7), await newService('service_b', 30));
});
afterAll(async () => {
  await api.stop();
  await engine.close();
});

const chart = (sourceId: string) => ({
  startTime: now - hour,
  endTime: now,
  granularity: '1h',
  series: [{ sourceId, aggFn: 'count', where: 'SeverityText:"error"', groupBy: ['ServiceName'] }],
});

describe('a service', () => {
  it('sees its own rows only: the same query through two services, at once and again', async () => {
    for (let time = 0; time < 2; time++) {
      const answers = await Promise.all(
        services.map(({ open, sourceId }) =>
          open('POST', '/charts/series', { body: chart(sourceId) }),
        ),
      );
      expect(answers.map(({ json }) => json.data)).toEqual([
        [{ ts_bucket: now - hour, 'series_0.data': 7, group: ['only-service_a'] }],
        [{ ts_bucket: now - hour, 'series_0.data': 30, group: ['only-service_b'] }],
      ]);
    }
  });

  it('evaluates its alerts on its own rows, over the managed surface', async () => {
    for (const [index, { key, sourceId }] of services.entries()) {
      const search = (
        await key.stack('POST', '/saved-searches', {
          body: { name: 'errors', sourceId, where: 'SeverityText:"error"' },
        })
      ).json.result;
      const { status, json, text } = await key.stack('POST', '/alerts/preview', {
        body: {
          threshold: 1,
          thresholdType: 'above',
          interval: '1h',
          source: 'search',
          savedSearchId: search.id,
          windows: 2,
        },
      });
      expect(status, text).toBe(200);
      const values = (json.result.windows as { windowEnd: string; value: number | null }[])
        .filter(({ windowEnd }) => Date.parse(windowEnd) === now)
        .map(({ value }) => value);
      expect(values).toEqual([[7], [30]][index]);
    }
  });

  it('cannot name a source, or move one to a table, of another', async () => {
    const [a, b] = services as [TestService, TestService];
    expect((await a.open('POST', '/charts/series', { body: chart(b.sourceId) })).status).toBe(404);
    expect(
      (await a.key.stack('POST', '/saved-searches', { body: { name: 'x', sourceId: b.sourceId } }))
        .status,
    ).toBe(400);
    for (const from of [
      { databaseName: b.name, tableName: 'otel_logs' },
      { databaseName: 'system', tableName: 'query_log' },
    ]) {
      expect(
        (await a.open('PUT', `/sources/${a.sourceId}`, { body: { from } })).json.errors[0].path,
      ).toBe('from.databaseName');
      expect(
        (await a.open('POST', '/sources', { body: { kind: 'log', name: 'x', from } })).status,
      ).toBe(400);
    }
    const where = `ServiceName IN (SELECT ServiceName FROM ${b.name}.otel_logs)`;
    expect(
      (
        await a.open('POST', '/charts/series', {
          body: {
            ...chart(a.sourceId),
            series: [{ sourceId: a.sourceId, aggFn: 'count', where, whereLanguage: 'sql' }],
          },
        })
      ).status,
    ).toBe(400);
    // A table may be named before it exists; a name is a name, whatever stands in it.
    await a.open('PUT', `/sources/${a.sourceId}`, {
      body: {
        from: {
          databaseName: a.name,
          tableName: `otel_logs\` UNION ALL SELECT * FROM ${b.name}.otel_logs -- `,
        },
      },
    });
    const escaped = await a.open('POST', '/charts/series', { body: chart(a.sourceId) });
    expect([escaped.status, escaped.text.includes('only-')]).toEqual([400, false]);
  });

  it("a pipe writes into no other service's database", async () => {
    const [a, b] = services as [TestService, TestService];
    const path = `/organizations/${a.key.organizationId}/services/${a.key.serviceId}/pipes`;
    const body = {
      source: { kafka: { brokers: '127.0.0.1:9092', topics: 't' } },
      destination: { database: b.name, table: 'stolen', columns: [{ name: 'id', type: 'UInt64' }] },
    };
    const { status, json } = await a.key.call('POST', path, { body });
    expect([status, json.errors?.[0]?.path]).toEqual([400, 'destination.database']);
  });
});
