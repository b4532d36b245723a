import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ChartRequest } from '../../src/contract/query/chart.ts';
import { FacetRequest } from '../../src/contract/query/facets.ts';
import { SearchRequest } from '../../src/contract/query/search.ts';
import { TotalsRequest } from '../../src/contract/query/totals.ts';
import type { Source } from '../../src/contract/source.ts';
import { createIds } from '../../src/adapters/ambient/ids.ts';
import { createQuery, type Query } from '../../src/core/query/index.ts';
import type { JsonObject } from '../../src/ports/store/document-store.ts';
import type { Telemetry } from '../../src/ports/telemetry.ts';
import { sql } from '../../src/sql/sql.ts';
import { startApi, type ApiKit, type TestCaller } from '../kit/api.ts';
import { documentBody } from '../kit/document-body.ts';
import { openTestTelemetry, testRows, type TestTelemetry } from '../kit/telemetry.ts';
import { insertWorkspace } from '../kit/workspace.ts';
import { startTimeline, timeOf, type Timeline } from '../kit/timeline.ts';

/**
 * A source in the store that names the database of another workspace, which no request can make. The
 * rights of its own workspace count, so the engine shows it nothing.
 */
const ours = 'telemetry';
const theirs = 'another';
const range = { startTime: timeOf('12:00:00'), endTime: timeOf('13:00:00') };
const explained = new RegExp(
  `names the database .{0,2}"${theirs}.{0,2}", but this team can read only its own database`,
);
const told = /their secret|SecretColumn/;
let engine: TestTelemetry;
let api: ApiKit;
let stranger: TestCaller;
let logs: string;
let traces: string;

beforeAll(async () => {
  engine = await openTestTelemetry({ database: ours, databases: [ours, theirs] });
  const { telemetry } = engine;
  api = await startApi({ telemetry });
  stranger = await api.newCaller();
  await telemetry.migrate(theirs);
  await engine.command(sql`ALTER TABLE another.otel_logs ADD COLUMN SecretColumn String`);
  telemetry.forgetColumns(theirs, 'otel_logs');
  const rows = testRows(telemetry, theirs);
  const Timestamp = '2026-03-14 12:00:30';
  await rows.insert('otel_logs', [{ Timestamp, Body: 'their secret', SecretColumn: 'x' }]);
  await rows.insert('otel_traces', [{ Timestamp, TraceId: 'abc', SpanName: 'their secret' }]);
  const { items } = await api.store.documents.list(api.teamId, 'source', { limit: 10, offset: 0 });
  for (const { id, version, body } of items) {
    const from = { ...body.from, databaseName: theirs };
    await api.store.documents.update(api.teamId, 'source', id, version, {
      body: { ...body, from },
    });
  }
  [logs = '', traces = ''] = ['log', 'trace'].map(
    (kind) => items.find(({ body }) => body.kind === kind)?.id ?? '',
  );
});
afterAll(async () => {
  await api?.stop();
  await engine?.close();
});

const count = (sourceId: string, over: object = {}) => ({
  series: [{ sourceId, aggFn: 'count', where: '', ...over }],
  ...range,
});

describe('a source that names the database of another workspace', () => {
  it('is refused with the reason by every operation, which tells nothing of that database', async () => {
    const search = await api.call('POST', '/saved-searches', {
      body: { name: 's', sourceId: logs, where: '' },
    });
    expect(search.status, search.text).toBe(200);
    const preview = {
      threshold: 1,
      thresholdType: 'above',
      interval: '1m',
      source: 'search',
      savedSearchId: search.json.data.id as string,
      windows: 2,
    };
    const rows = { sourceId: logs, where: '', ...range };
    const requests: [string, string, object?][] = [
      ['POST', '/charts/series', count(logs)],
      ['POST', '/charts/series', count(logs, { where: 'SecretColumn:x' })],
      ['POST', '/charts/totals', count(logs)],
      ['POST', '/search', rows],
      ['POST', '/search/facets', { ...rows, fields: ['ServiceName'] }],
      ['POST', '/search/row', { sourceId: logs, id: '1' }],
      ['GET', `/sources/${logs}/fields`],
      ['POST', '/alerts/preview', preview],
    ];
    for (const [method, path, body] of requests) {
      const { status, text } = await api.call(method, path, body && { body });
      expect([path, status, text]).toEqual([path, 400, expect.stringMatching(explained)]);
      expect(text).not.toMatch(told);
    }
    const trace = await api.call('GET', `/traces/abc?sourceId=${traces}`);
    expect([trace.status, told.test(trace.text)]).toEqual([404, false]);
  });

  it('cannot be changed or made: only the own database is accepted, and no column is named', async () => {
    const kept = await api.call('PUT', `/sources/${logs}`, {
      body: {
        kind: 'log',
        name: 'Logs',
        from: { databaseName: theirs, tableName: 'otel_logs' },
        bodyExpression: 'NoSuchColumn',
      },
    });
    expect(kept.json.errors).toEqual([
      {
        path: 'from.databaseName',
        message: `must be ${ours}, the telemetry database of this team`,
      },
    ]);
  });

  it('does not get what the other workspace has in the cache', async () => {
    const own = await stranger.call('GET', '/sources');
    const request = { startTime: range.startTime, endTime: range.startTime + 3_600_000 };
    const sourceId = own.json.data.find(({ kind }: { kind: string }) => kind === 'log').id;
    for (let time = 0; time < 2; time++) {
      const seen = await stranger.call('POST', '/charts/series', {
        body: { ...count(sourceId), ...request, granularity: '30d' },
      });
      expect(seen.json.data).toMatchObject([{ 'series_0.data': 1 }]);
    }
    const { status } = await api.call('POST', '/charts/series', {
      body: { ...count(logs), ...request, granularity: '30d' },
    });
    expect(status).toBe(400);
  });
});

/** As if our own checks knew every column: whatever is asked then, the engine has to refuse it. */
const trusting = (telemetry: Telemetry): Telemetry =>
  new Proxy(telemetry, {
    get(target, name: keyof Telemetry) {
      if (name === 'columns') {
        return (database: string, table: string) => target.columns(database, table);
      }
      const member = target[name];
      return typeof member === 'function' ? (member as () => unknown).bind(target) : member;
    },
  });

describe('past our own checks', () => {
  it('the engine refuses every query of such a source', async () => {
    const query: Query = createQuery({
      telemetry: trusting(engine.telemetry),
      workspaceDatabase: () => Promise.resolve(ours),
      clock: { now: () => range.endTime },
      limits: { timeoutMs: 20_000 },
    });
    const sources = (await api.call('GET', '/sources')).json.data as Source[];
    const find = (id: string) => Promise.resolve(sources.find((source) => source.id === id));
    const log = (await find(logs))!;
    const trace = (await find(traces)) as Extract<Source, { kind: 'trace' }>;
    const rows = { sourceId: logs, where: '', ...range };
    const found = await stranger.call('POST', '/search', {
      body: { ...rows, sourceId: (await stranger.call('GET', '/sources')).json.data[0].id },
    });
    const { _id: id } = (found.json.data ?? found.json).rows[0] as { _id: string };
    const asked: Record<string, () => Promise<unknown>> = {
      series: () => query.series(ChartRequest.parse({ ...count(logs), granularity: '1m' }), find),
      totals: () => query.totals(TotalsRequest.parse(count(logs)), find),
      search: () => query.search(SearchRequest.parse(rows), log),
      row: () => query.searchRow({ sourceId: logs, id }, log),
      facets: () => query.facets(FacetRequest.parse({ ...rows, fields: ['Body'] }), log),
      fields: () => query.fields(log),
      trace: () => query.trace({ traceId: 'abc', atMs: undefined }, trace),
    };
    for (const [name, answer] of Object.entries(asked)) {
      const error: unknown = await answer().catch((cause: unknown) => cause);
      expect([name, error]).toEqual([
        name,
        expect.objectContaining({
          code: 'bad_request',
          message: expect.stringMatching(/the engine refused to read a table of this request/),
          cause: expect.objectContaining({ kind: 'denied' }),
        }),
      ]);
    }
  });

  it('the engine refuses its alerts, alone and in one query with others', async () => {
    const telemetry = trusting(engine.telemetry);
    const t = await startTimeline({ engine: { ...engine, telemetry } });
    try {
      await t.logs('12:01:30', 3);
      const alerts: string[] = [];
      for (const where of ['', 'ServiceName:"checkout"', 'ServiceName:"cart"', 'Body:payment']) {
        alerts.push(await t.alert({ savedSearchId: await t.search(where), interval: '1m' }));
      }
      const neighbours = await alertsOfNeighbour(t);
      await t.runUntil('12:02:10');
      for (const id of alerts) {
        expect((await statusOf(t, id)).executionErrors).toEqual([]);
      }
      await pointElsewhere(t);
      await t.runUntil('12:03:10');
      for (const id of alerts) {
        expect((await statusOf(t, id)).executionErrors).toMatchObject([
          { message: expect.stringMatching(/the engine refused to read a table/) },
        ]);
      }
      for (const id of neighbours) {
        expect(await statusOf(t, id, neighbour)).toMatchObject({
          executionErrors: [],
          lastEvaluatedAtMs: expect.any(Number),
        });
      }
    } finally {
      await t.close();
    }
  });
});

async function statusOf(t: Timeline, id: string, workspaceId = t.workspaceId) {
  const status = (await t.store.alerts.status(workspaceId, [id])).get(id);
  expect(status).toBeDefined();
  return status!;
}

const neighbour = 'f'.repeat(24);

/** The same alerts in the workspace that the other database belongs to; their ids. */
async function alertsOfNeighbour({ store }: Timeline): Promise<string[]> {
  await insertWorkspace(store, neighbour, theirs);
  const { object } = createIds({ now: Date.now });
  const put = async (kind: 'source' | 'savedSearch' | 'alert', body: JsonObject) => {
    const id = object();
    await store.documents.insert(neighbour, { kind, id, body: documentBody(body) });
    return id;
  };
  const sourceId = await put('source', {
    kind: 'log',
    name: 'Logs',
    from: { databaseName: theirs, tableName: 'otel_logs' },
    timestampValueExpression: 'Timestamp',
    bodyExpression: 'Body',
    serviceNameExpression: 'ServiceName',
    severityTextExpression: 'SeverityText',
  });
  const alerts = ['', 'ServiceName:"checkout"', 'ServiceName:"cart"'].map(async (where) =>
    put('alert', {
      name: 'a',
      threshold: 10,
      thresholdType: 'above',
      interval: '1m',
      source: 'search',
      savedSearchId: await put('savedSearch', {
        name: 's',
        sourceId,
        where,
        whereLanguage: 'lucene',
        filters: [],
      }),
    }),
  );
  return Promise.all(alerts);
}

async function pointElsewhere(t: Timeline): Promise<void> {
  const { items } = await t.store.documents.list(t.workspaceId, 'source', { limit: 9, offset: 0 });
  for (const { id, body } of items) {
    await t.change('source', id, { from: { ...body.from, databaseName: theirs } });
  }
}
