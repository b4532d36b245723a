import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ChartRequest } from '../../src/contract/query/chart.ts';
import { FacetRequest } from '../../src/contract/query/facets.ts';
import { SearchRequest } from '../../src/contract/query/search.ts';
import { TotalsRequest } from '../../src/contract/query/totals.ts';
import { createQuery, newMeter, type Query } from '../../src/core/query/index.ts';
import type { TraceSource } from '../../src/core/query/plan/plan-trace.ts';
import { sql } from '../../src/sql/sql.ts';
import { until } from '../kit/eventually.ts';
import { logBlock, openSharded, type Sharded } from '../kit/sharded.ts';
import { ids, t0, testSources } from '../query/query-kit.ts';
import { testRows } from '../kit/telemetry.ts';

const database = 'shop';
const blocks = 30;
const rowsPerBlock = 40;
const range = { startTime: t0, endTime: t0 + 3_600_000 };
let sharded: Sharded;
let query: Query;
/** Rows of logs by shard. */
let own: number[] = [];
const sources = testSources(database);
const source = sources[ids.logs]!;
const traceSource = sources[ids.traces] as TraceSource;
const traceId = 'a'.repeat(32);
const spanNames = Array.from({ length: 12 }, (_, index) => `span ${index}`);

beforeAll(async () => {
  sharded = await openSharded(2);
  const { telemetry } = sharded;
  await telemetry.migrate(database);
  for (let block = 0; block < blocks; block++) {
    // Many rows of one time, on both shards: ties of the order.
    await telemetry.insert(database, 'otel_logs', logBlock(`service-${block % 3}`, rowsPerBlock));
  }
  for (const [index, name] of spanNames.entries()) {
    await testRows(telemetry, database).insert('otel_traces', [
      {
        Timestamp: `${t0 / 1000 + index}.000000000`,
        TraceId: traceId,
        SpanId: String(index),
        SpanName: name,
        ServiceName: 'shop',
        Duration: 1,
      },
    ]);
  }
  own = await sharded.counts('shop.otel_logs_local');
  expect(Math.min(...own)).toBeGreaterThan(0);
  query = createQuery({
    telemetry,
    workspaceDatabase: async () => database,
    clock: { now: () => t0 + 365 * 86_400_000 },
    limits: { timeoutMs: 60_000 },
  });
});
afterAll(() => sharded?.close());

const count = async (field: object = {}, meter = newMeter()) => {
  const request = ChartRequest.parse({
    series: [{ sourceId: ids.logs, aggFn: 'count', ...field }],
    granularity: '1h',
    ...range,
  });
  const points = await query.series(request, async (id) => sources[id], { meter });
  return { points, missing: [...meter.missingShards] };
};
const search = (request: object, meter = newMeter()) =>
  query.search(SearchRequest.parse({ sourceId: ids.logs, ...range, ...request }), source, {
    meter,
  });
const everyPage = async (request: object): Promise<Record<string, unknown>[]> => {
  const rows: Record<string, unknown>[] = [];
  let cursor: string | undefined;
  do {
    const page = await search({ ...request, ...(cursor !== undefined && { cursor }) });
    rows.push(...page.rows);
    ({ cursor } = page);
  } while (cursor !== undefined);
  return rows;
};
const allPresent = (): Promise<unknown> =>
  until('all shards', async () => {
    await sharded.telemetry.query(sql`SELECT 1`, { purpose: 'alert', timeoutMs: 5_000 });
    return true;
  });

describe('all shards', () => {
  test('charts add up', async () => {
    const { points, missing } = await count({ groupBy: ['ServiceName'] });
    expect(points.map((point) => [point.group, point['series_0.data']])).toEqual(
      [0, 1, 2].map((service) => [[`service-${service}`], (blocks / 3) * rowsPerBlock]),
    );
    expect(missing).toEqual([]);
    // From the rows, not from the counts by minute.
    const rows = await count({ where: 'Body:service' });
    expect(rows.points.map((point) => point['series_0.data'])).toEqual([blocks * rowsPerBlock]);
  });

  test.each([{}, { orderBy: 'Body ASC' }, { orderBy: 'ServiceName DESC' }])(
    'pages of a search have every row once: %o',
    async (order) => {
      const rows = await everyPage({ ...order, limit: 130 });
      const bodies = rows.map(({ Body }) => String(Body));
      expect(bodies.length).toBe(blocks * rowsPerBlock);
      expect(new Set(bodies).size).toBe(3 * rowsPerBlock);
    },
  );

  test('facets, totals, fields and traces are those of all shards', async () => {
    const facets = await query.facets(
      FacetRequest.parse({ sourceId: ids.logs, ...range, fields: ['ServiceName'] }),
      source,
    );
    expect(facets.rows).toBe(blocks * rowsPerBlock);
    expect(facets.facets[0]!.values.map((value) => value.rows)).toEqual(
      [0, 1, 2].map(() => (blocks / 3) * rowsPerBlock),
    );
    const totals = await query.totals(
      TotalsRequest.parse({
        series: [{ sourceId: ids.logs, aggFn: 'count', groupBy: ['ServiceName'] }],
        ...range,
        limit: 2,
      }),
      async (id) => sources[id],
    );
    expect(JSON.stringify(totals)).toContain(`"series_0.data":${(blocks / 3) * rowsPerBlock}`);
    const fields = await query.fields(source);
    expect(fields.map(({ name }) => name)).toContain('ServiceName');
    const trace = await query.trace({ traceId, atMs: undefined }, traceSource);
    expect(trace?.spans.map(({ name }) => name).toSorted()).toEqual(spanNames.toSorted());
  });
});

describe.each(['killed', 'paused'] as const)('a shard that is %s', (how) => {
  beforeAll(async () => {
    const lost = sharded.cluster.servers[1]!;
    if (how === 'killed') {
      await lost.kill();
    } else {
      await lost.pause();
    }
  });
  afterAll(async () => {
    const lost = sharded.cluster.servers[1]!;
    if (how === 'killed') {
      await lost.restart();
    } else {
      lost.resume();
    }
    await allPresent();
  });

  test('charts have the rows of the others, and say so; nothing of it is cached', async () => {
    const [here = 0] = own;
    for (let attempt = 0; attempt < 2; attempt++) {
      const { points, missing } = await count({ where: `Body:service AND NOT Body:"${how}"` });
      expect(points.map((point) => point['series_0.data'])).toEqual([here]);
      expect(missing).toEqual([2]);
    }
  });

  test('searches have the rows of the others, and say so', async () => {
    const meter = newMeter();
    const page = await search({ limit: 2000 }, meter);
    expect([page.rows.length, [...meter.missingShards]]).toEqual([own[0], [2]]);
  });

  test('what the others do not have is not said to be missing', async () => {
    const nowhere = query.trace({ traceId: 'f'.repeat(32), atMs: undefined }, traceSource);
    await expect(nowhere).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('shard 2 of the ClickHouse cluster does not respond'),
    });
  });

  test('alerts and exports get no part of the rows', async () => {
    const statement = sql`SELECT count() FROM shop.otel_logs`;
    const options = { tenant: database, timeoutMs: 30_000 } as const;
    await expect(
      sharded.telemetry.query(statement, { ...options, purpose: 'alert' }),
    ).rejects.toMatchObject({ kind: 'unavailable' });
    await expect(
      sharded.telemetry.stream(statement, { ...options, purpose: 'export' }, async () => {}),
    ).rejects.toMatchObject({ kind: 'unavailable' });
  });
});

test('a shard that stops in the middle of a chart is left out of it', async () => {
  const lost = sharded.cluster.servers[1]!;
  const chart = sharded.telemetry.query(
    sql`SELECT count(), sum(sleepEachRow(0.005)) FROM shop.otel_logs
      SETTINGS max_block_size = 50, function_sleep_max_microseconds_per_block = 60000000`,
    { tenant: database, purpose: 'chart', timeoutMs: 120_000 },
  );
  await until('the chart on the shard', async () => {
    const running = await sharded.ask(
      1,
      `SELECT count() FROM system.processes WHERE query LIKE '%sleep' || 'EachRow%'`,
    );
    return running !== '0';
  });
  await lost.pause();
  try {
    const { rows, missingShards } = await chart;
    expect([rows, missingShards]).toEqual([[[String(own[0]), '0']], [2]]);
  } finally {
    lost.resume();
  }
  await allPresent();
});

test('after that all rows are there again, in charts asked before too', async () => {
  for (const how of ['killed', 'paused']) {
    const { points, missing } = await count({ where: `Body:service AND NOT Body:"${how}"` });
    expect(points.map((point) => point['series_0.data'])).toEqual([blocks * rowsPerBlock]);
    expect(missing).toEqual([]);
  }
});
