import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { qualified, sql } from '../../src/sql/sql.ts';
import { startApiWithEngine, type ApiWithEngine } from '../kit/api-with-engine.ts';
import type { ApiKit } from '../kit/api.ts';
import type { JsonAnswer } from '../kit/http.ts';
import { newDashboard, nobodysId, tileInput } from '../kit/stack-objects.ts';

let kit: ApiWithEngine;
let api: ApiKit;
let logs: string;
let metrics: string;

const point = (MetricName: string, minute: number, more: object = {}) => ({
  MetricName,
  MetricUnit: 'By',
  ServiceName: 'shop',
  StartTimeUnix: '2026-01-01 00:00:00.000',
  TimeUnix: `2026-01-01 00:${String(minute).padStart(2, '0')}:00.000`,
  Attributes: {},
  ...more,
});
const t0 = 1_767_225_600_000;

beforeAll(async () => {
  kit = await startApiWithEngine();
  ({ api } = kit);
  const { json } = await api.call('GET', '/sources');
  [logs, , metrics] = json.data.map(({ id }: JsonAnswer) => id);
  await kit.engine.insert(
    'otel_logs',
    Array.from({ length: 7 }, (_, index) => ({
      Timestamp: `2026-01-01 00:00:0${index}.000`,
      ServiceName: 'shop',
      Body: `row ${index}`,
    })),
  );
  await kit.engine.insert('otel_metrics_gauge', [
    point('memory.usage', 1, { Value: 10 }),
    point('memory.usage', 50, { Value: 30 }),
    point('memory.usage', 3, { Value: 20 }),
    point('Memory%limit', 2, { Value: 7, MetricUnit: '' }),
    point('it\'s, "odd" \\ OR 1=1', 2, { Value: 1 }),
  ]);
  await kit.engine.insert('otel_metrics_sum', [
    point('memory.usage', 5, {
      Value: 4,
      AggregationTemporality: 2,
      IsMonotonic: true,
      Attributes: { 'http.route': '/cart' },
    }),
  ]);
  const observed = { Count: 12, Sum: 30 };
  await kit.engine.insert('otel_metrics_histogram', [point('latency', 6, observed)]);
  await kit.engine.insert('otel_metrics_exponential_histogram', [point('sizes', 6, observed)]);
  await kit.engine.insert('otel_metrics_summary', [point('waits', 6, observed)]);
});
afterAll(() => kit.stop());

const namesOf = (json: JsonAnswer) =>
  json.data.map(({ name, type }: JsonAnswer) => `${name} (${type})`);
const pathsOf = (json: JsonAnswer) => json.errors.map(({ path }: { path: string }) => path).sort();

describe('GET /sources/{id}/fields', () => {
  it('has the attributes of every table of a metric source, each once', async () => {
    const { json } = await api.call('GET', `/sources/${metrics}/fields`);
    const names = json.data.map(({ name }: JsonAnswer) => name);
    const route = json.data.find(({ name }: JsonAnswer) => name === 'Attributes.http.route');
    expect(route).toMatchObject({ kind: 'attribute', values: ['/cart'] });
    expect(names).toHaveLength(new Set(names).size);
    expect(names).toContain('ServiceName');
  });
});

describe('GET /sources/{id}/metrics', () => {
  const list = (query = '') => api.call('GET', `/sources/${metrics}/metrics${query}`);

  it('lists the metrics of all five tables by name, with the newest point of each', async () => {
    const { status, json, headers } = await list();
    expect([status, json.meta.total]).toEqual([200, 7]);
    expect(namesOf(json)).toEqual([
      'Memory%limit (gauge)',
      'it\'s, "odd" \\ OR 1=1 (gauge)',
      'latency (histogram)',
      'memory.usage (gauge)',
      'memory.usage (sum)',
      'sizes (exponential histogram)',
      'waits (summary)',
    ]);
    expect(json.data[3]).toEqual({
      name: 'memory.usage',
      type: 'gauge',
      unit: 'By',
      lastValue: 30,
      lastTime: t0 + 50 * 60_000,
    });
    expect(json.data[0]).toMatchObject({ unit: '', lastValue: 7 });
    expect([json.data[2].lastValue, json.data[6].lastValue]).toEqual([12, 12]);
    expect(Number(headers.get('x-sightline-rows-read'))).toBeGreaterThan(0);
  });

  it('finds a part of a name as it is written, in any case', async () => {
    expect(namesOf((await list('?find=MEMORY')).json)).toHaveLength(3);
    expect(namesOf((await list(`?find=${encodeURIComponent('y%l')}`)).json)).toEqual([
      'Memory%limit (gauge)',
    ]);
    expect(namesOf((await list(`?find=${encodeURIComponent('\'s, "')}`)).json)).toHaveLength(1);
    expect((await list('?find=nothing')).json).toMatchObject({ data: [], meta: { total: 0 } });
  });

  it('pages, and every metric is on one page', async () => {
    const pages = await Promise.all([0, 3, 6].map((offset) => list(`?limit=3&offset=${offset}`)));
    expect(pages.flatMap(({ json }) => namesOf(json))).toEqual(namesOf((await list()).json));
    expect(pages.map(({ json }) => json.meta.total)).toEqual([7, 7, 7]);
  });

  it('is a 400 for another kind of source, and a 404 for another team’s', async () => {
    const { status, json } = await api.call('GET', `/sources/${logs}/metrics`);
    expect([status, pathsOf(json)]).toEqual([400, ['id']]);
    const stranger = await api.newCaller();
    expect((await stranger.call('GET', `/sources/${metrics}/metrics`)).status).toBe(404);
    expect((await api.call('GET', `/sources/${nobodysId}/metrics`)).status).toBe(404);
  });
});

describe('GET /sources/tables', () => {
  it('lists tables and views with their columns and the kinds of source that they fit', async () => {
    const { status, json } = await api.call('GET', '/sources/tables');
    expect(status).toBe(200);
    const byName = new Map<string, JsonAnswer>(
      json.data.map((table: JsonAnswer) => [table.tableName, table]),
    );
    expect([...byName.keys()]).toEqual([...byName.keys()].sort());
    expect(byName.get('otel_logs')).toMatchObject({
      databaseName: 'telemetry',
      kind: 'table',
      sourceKinds: ['log'],
    });
    expect(byName.get('otel_logs')!.columns).toContainEqual({ name: 'Body', type: 'String' });
    expect(byName.get('otel_traces')!.sourceKinds).toEqual(['trace', 'log']);
    expect(
      ['gauge', 'sum', 'histogram', 'exponential_histogram', 'summary'].map((type) => {
        const { sourceKinds, metricDataType } = byName.get(`otel_metrics_${type}`)!;
        return [sourceKinds[0], metricDataType];
      }),
    ).toEqual(
      ['gauge', 'sum', 'histogram', 'exponential histogram', 'summary'].map((type) => [
        'metric',
        type,
      ]),
    );
    expect([...byName.keys()].some((name) => /^sightline_|inner/.test(name))).toBe(false);
  });

  it('leaves out views that only fill another table, and lists the others', async () => {
    const { command, database } = kit.engine;
    const rows = sql`SELECT Timestamp, Body FROM ${qualified(database, 'otel_logs')}`;
    await command(sql`CREATE VIEW ${qualified(database, 'a view')} AS ${rows}`);
    await command(
      sql`CREATE MATERIALIZED VIEW ${qualified(database, 'own_rows')}
        ENGINE = MergeTree ORDER BY Timestamp AS ${rows}`,
    );
    const { json } = await api.call('GET', '/sources/tables');
    const kinds = new Map(json.data.map(({ tableName, kind }: JsonAnswer) => [tableName, kind]));
    expect([kinds.get('a view'), kinds.get('own_rows')]).toEqual(['view', 'view']);
    expect(kinds.get('otel_logs_1m')).toBe('table');
    expect([...kinds.keys()].filter((name) => String(name).endsWith('_mv'))).toEqual([]);
  });
});

describe('GET /sources/times', () => {
  const timeOf = async (id: string) => {
    const { status, json } = await api.call('GET', '/sources/times');
    expect(status).toBe(200);
    return json.data.find(({ sourceId }: JsonAnswer) => sourceId === id)?.lastTime;
  };
  const made = async (body: object): Promise<string> =>
    (await api.call('POST', '/sources', { body: { name: 'n', ...body } })).json.data.id;

  it('has the newest row of each source, of all tables of a metric source', async () => {
    expect(await timeOf(logs)).toBe(t0 + 6000);
    expect(await timeOf(metrics)).toBe(t0 + 50 * 60_000);
  });

  it('has no time for a source without rows or without a table, nor for a time that is none', async () => {
    const from = { databaseName: 'telemetry', tableName: 'otel_traces' };
    const gone = { kind: 'log', from: { ...from, tableName: 'not_there' } };
    const { json } = await api.call('GET', '/sources');
    const traces = json.data.find(({ kind }: JsonAnswer) => kind === 'trace').id;
    const text = await made({ kind: 'log', from, timestampValueExpression: 'SpanName' });
    expect(await timeOf(traces)).toBeUndefined();
    expect(await timeOf(await made(gone))).toBeUndefined();
    expect(await timeOf(text)).toBeUndefined();
  });

  it('shows nobody else’s', async () => {
    const stranger = await api.newCaller();
    const { json } = await stranger.call('GET', '/sources/times');
    const ids = json.data.map(({ sourceId }: JsonAnswer) => sourceId);
    expect(ids.length).toBeGreaterThan(0);
    expect(ids).not.toContain(logs);
    expect(json.data.every(({ lastTime }: JsonAnswer) => lastTime === undefined)).toBe(true);
  });
});

describe('POST /sources/check', () => {
  const from = { databaseName: 'telemetry', tableName: 'otel_logs' };
  const draft = { kind: 'log', name: 'draft', from };
  const check = (over: object = {}) =>
    api.call('POST', '/sources/check', { body: { ...draft, ...over } });

  it('shows the five newest rows, and stores nothing', async () => {
    const before = (await api.call('GET', '/sources')).json.meta.total;
    const { status, json } = await check({ defaultTableSelectExpression: 'Body' });
    expect(status).toBe(200);
    expect(json.data.columns).toEqual([{ name: 'Body', type: 'String' }]);
    expect(json.data.rows.map(({ Body }: JsonAnswer) => Body)).toEqual(
      [6, 5, 4, 3, 2].map((index) => `row ${index}`),
    );
    expect((await api.call('GET', '/sources')).json.meta.total).toBe(before);
  });

  it('checks every table of a metric source', async () => {
    const kind = { kind: 'metric', from: { ...from, tableName: 'otel_metrics' } };
    const good = await check({ ...kind, metricTables: { gauge: 'otel_metrics_gauge' } });
    expect([good.status, good.json.data?.rows.length]).toEqual([200, 5]);
    const bad = await check({
      ...kind,
      metricTables: { gauge: 'otel_metrics_gauge', sum: 'no_such_table' },
    });
    expect([bad.status, pathsOf(bad.json)]).toEqual([400, ['metricTables.sum']]);
    expect(pathsOf((await check({ ...kind, metricTables: {} })).json)).toEqual(['metricTables']);
  });

  it.each<[string, object, string[]]>([
    ['a table that does not exist', { from: { ...from, tableName: 'none' } }, ['from.tableName']],
    ['another database', { from: { ...from, databaseName: 'system' } }, ['from.databaseName']],
    [
      'expressions that do not compile',
      { bodyExpression: 'Bod', serviceNameExpression: 'upper(' },
      ['bodyExpression', 'serviceNameExpression'],
    ],
    [
      'a time that is none',
      { timestampValueExpression: 'SeverityText' },
      ['timestampValueExpression'],
    ],
    ['a field that is too long', { bodyExpression: 'x'.repeat(2049) }, ['bodyExpression']],
  ])('%s is a 400 at its field', async (_name, over, paths) => {
    const { status, json } = await check(over);
    expect([status, pathsOf(json)]).toEqual([400, paths]);
  });
});

describe('GET /dashboards/summaries', () => {
  it('lists name, tags and number of tiles, and no tile', async () => {
    const tiles = [tileInput(logs), tileInput(logs)];
    const { id, name, updatedAt } = await newDashboard(api, { tags: ['shop'], tiles });
    const { status, json, text } = await api.call('GET', '/dashboards/summaries');
    expect(status).toBe(200);
    const summary = json.data.find((one: JsonAnswer) => one.id === id);
    expect(summary).toEqual({
      id,
      name,
      tags: ['shop'],
      tileCount: 2,
      createdAt: expect.any(String) as string,
      updatedAt,
    });
    expect(text).not.toContain('displayType');
  });

  it('pages, and shows nobody else’s', async () => {
    await newDashboard(api);
    await newDashboard(api);
    const { json } = await api.call('GET', '/dashboards/summaries?limit=1&offset=1');
    expect([json.data.length, json.meta.limit, json.meta.offset]).toEqual([1, 1, 1]);
    const stranger = await api.newCaller();
    expect((await stranger.call('GET', '/dashboards/summaries')).json.data).toEqual([]);
  });
});

describe('POST /charts/batch', () => {
  const series = (sourceId: string) => ({
    type: 'series',
    series: [{ sourceId, aggFn: 'count' }],
    startTime: t0,
    endTime: t0 + 3_600_000,
  });
  const batch = (requests: object[]) => api.call('POST', '/charts/batch', { body: { requests } });

  it('answers each request, or says what is wrong with it', async () => {
    const { status, json, headers } = await batch([
      series(logs),
      { ...series(logs), type: 'totals' },
      series(nobodysId),
      { ...series(logs), seriesReturnType: 'ratio' },
      { ...series(logs), endTime: t0 },
    ]);
    expect(status).toBe(200);
    expect(json.data[0].points[0]).toMatchObject({ 'series_0.data': 7 });
    expect(json.data[1].totals.rows).toEqual([{ 'series_0.data': 7 }]);
    const codes = json.data.slice(2).map(({ error }: JsonAnswer) => error.code);
    expect(codes).toEqual(['not_found', 'bad_request', 'bad_request']);
    expect(json.data[3].error.errors[0].path).toBe('series');
    expect(json.data[4].error.errors[0].path).toBe('endTime');
    expect(Number(headers.get('x-sightline-rows-read'))).toBeGreaterThanOrEqual(1);
  });

  it('refuses a body that is no batch, and more than a hundred requests', async () => {
    expect((await batch([])).status).toBe(400);
    expect((await batch(Array.from({ length: 101 }, () => series(logs)))).status).toBe(400);
    const { json } = await batch([series(logs), { ...series(logs), type: 'rows' }]);
    expect(pathsOf(json)).toEqual(['requests.1.type']);
  });

  it('another team’s source is unknown', async () => {
    const stranger = await api.newCaller();
    const { json } = await stranger.call('POST', '/charts/batch', {
      body: { requests: [series(logs)] },
    });
    expect(json.data[0].error.code).toBe('not_found');
  });
});
