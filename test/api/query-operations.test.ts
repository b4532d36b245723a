import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApiWithEngine, type ApiWithEngine } from '../kit/api-with-engine.ts';
import type { ApiKit } from '../kit/api.ts';
import type { JsonAnswer } from '../kit/http.ts';
import { nobodysId } from '../kit/stack-objects.ts';

const t0 = 1_767_225_600_000;
let kit: ApiWithEngine;
let api: ApiKit;
let logs: string;
let traces: string;

beforeAll(async () => {
  kit = await startApiWithEngine();
  ({ api } = kit);
  const { json } = await api.call('GET', '/sources');
  [logs, traces] = json.data.map(({ id }: JsonAnswer) => id);
  await kit.engine.insert('otel_logs', [
    { Timestamp: '2026-01-01 00:00:01.000', ServiceName: 'shop', Body: 'one' },
    { Timestamp: '2026-01-01 00:00:02.000', ServiceName: 'cart', Body: 'two' },
  ]);
  await kit.engine.insert('otel_traces', [
    { Timestamp: '2026-01-01 00:00:01.000', TraceId: 'abc', SpanId: '1', Duration: 5 },
  ]);
});
afterAll(() => kit.stop());

const range = { startTime: t0, endTime: t0 + 3_600_000 };
const ids = (sourceId: string) => ({ ...range, sourceId });
const seriesOf = (sourceId: string) => ({ ...range, series: [{ sourceId, aggFn: 'count' }] });

/** Every operation that asks the telemetry of a source, by name. */
const operations: [name: string, method: string, path: string, body: (source: string) => object][] =
  [
    ['search', 'POST', '/search', ids],
    ['facets', 'POST', '/search/facets', ids],
    ['series', 'POST', '/charts/series', seriesOf],
    ['totals', 'POST', '/charts/totals', seriesOf],
  ];

describe('operations on the telemetry of a source', () => {
  it.each(operations)(
    '%s: an unknown source, and another team’s, is the same 404',
    async (_, method, path, body) => {
      const stranger = await api.newCaller();
      const unknown = await api.call(method, path, { body: body(nobodysId) });
      const foreign = await stranger.call(method, path, { body: body(logs) });
      expect([unknown.status, foreign.status]).toEqual([404, 404]);
      expect(foreign.json.message).toBe(unknown.json.message);
      expect((await api.call(method, path, { body: body(logs) })).status).toBe(200);
    },
  );

  it.each(operations)('%s: headers tell what it cost', async (name, method, path, body) => {
    // Each asks for a range of its own: a cached result costs nothing.
    const place = operations.findIndex(([other]) => other === name);
    const { headers } = await api.call(method, path, {
      body: { ...body(logs), startTime: t0 + 500 + place },
    });
    expect(Number(headers.get('x-sightline-rows-read'))).toBeGreaterThanOrEqual(2);
    expect(headers.get('x-sightline-elapsed')).toMatch(/^\d+$/);
  });

  it.each(operations)('%s: an end before the start is a 400', async (_, method, path, body) => {
    const { status, json } = await api.call(method, path, {
      body: { ...body(logs), endTime: t0 },
    });
    expect([status, json.errors[0].path]).toEqual([400, 'endTime']);
  });
});

describe('GET /traces/{traceId}', () => {
  it('finds the trace in the sources of the team, or in the one that is named', async () => {
    for (const query of ['', `?sourceId=${traces}`, `?at=${t0}`]) {
      const { status, json } = await api.call('GET', `/traces/abc${query}`);
      expect([status, json.data?.sourceId, json.data?.spanCount]).toEqual([200, traces, 1]);
    }
  });

  it('an unknown trace, and another team’s, is the same 404', async () => {
    const stranger = await api.newCaller();
    const [unknown, foreign] = [
      await api.call('GET', '/traces/nobody'),
      await stranger.call('GET', '/traces/abc'),
    ];
    expect([unknown.status, foreign.status]).toEqual([404, 404]);
    expect(foreign.json.message).toBe(unknown.json.message);
    expect((await stranger.call('GET', `/traces/abc?sourceId=${traces}`)).status).toBe(404);
  });

  it.each([
    ['sourceId', () => `sourceId=${logs}`],
    ['sourceId', () => 'sourceId=x'],
    ['at', () => 'at=1767225600'],
    ['at', () => 'at=now'],
  ])('a wrong %s is a 400 that names it', async (path, query) => {
    const { status, json } = await api.call('GET', `/traces/abc?${query()}`);
    expect([status, json.errors?.[0].path]).toEqual([400, path]);
  });
});

describe('POST /services/map', () => {
  const map = (over: object = {}) =>
    api.call('POST', '/services/map', { body: { ...ids(traces), ...over } });

  it('returns nodes and edges, and headers tell what it cost', async () => {
    const { status, json, headers } = await map();
    expect([status, json.data]).toEqual([
      200,
      {
        nodes: [
          expect.objectContaining({ name: '', kind: 'service', calls: 1, p50Nanos: 5 }) as object,
        ],
        edges: [],
        sampleShare: 1,
        truncated: false,
      },
    ]);
    expect(Number(headers.get('x-sightline-rows-read'))).toBeGreaterThanOrEqual(2);
  });

  it('an unknown source, and another team’s, is the same 404', async () => {
    const stranger = await api.newCaller();
    const unknown = await map({ sourceId: nobodysId });
    const foreign = await stranger.call('POST', '/services/map', { body: ids(traces) });
    expect([unknown.status, foreign.status]).toEqual([404, 404]);
    expect(foreign.json.message).toBe(unknown.json.message);
  });

  it.each([
    ['sourceId', () => ({ sourceId: logs })],
    ['endTime', () => ({ endTime: t0 })],
    ['where', () => ({ where: 'Nope:1' })],
    ['filters.0.field', () => ({ filters: [{ type: 'field', field: 'Nope', op: 'exists' }] })],
  ])('a wrong %s is a 400 that names it', async (path, over) => {
    const { status, json } = await map(over());
    expect([status, json.errors?.[0].path]).toEqual([400, path]);
  });
});
