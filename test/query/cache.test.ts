import * as fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ChartRequest } from '../../src/contract/query/chart.ts';
import { createQuery, type Query } from '../../src/core/query/index.ts';
import type { Telemetry } from '../../src/ports/telemetry.ts';
import { ids, log, openQueryKit, t0, type QueryKit } from './query-kit.ts';

let kit: QueryKit;
let statements: string[];
let query: Query;
beforeAll(async () => {
  kit = await openQueryKit();
  await kit.insert(
    'otel_logs',
    Array.from({ length: 600 }, (_, index) =>
      log(t0 + index * 6000, {
        ServiceName: index % 3 === 0 ? 'cart' : 'checkout',
        SeverityText: index % 7 === 0 ? 'error' : 'info',
        Body: `row ${index}`,
      }),
    ),
  );
});
afterAll(() => kit.close());
beforeEach(() => {
  statements = [];
  kit.now.ms = t0 + 86_400_000;
  query = watched(64 * 1024 * 1024);
});

/** A query engine that notes what it asks. */
function watched(maxBytes: number): Query {
  const { telemetry } = kit;
  const noting = {
    columns: telemetry.columns.bind(telemetry),
    rollupExactFrom: telemetry.rollupExactFrom.bind(telemetry),
    query: (...[statement, options]: Parameters<Telemetry['query']>) => {
      statements.push(statement.text);
      return telemetry.query(statement, options);
    },
  } as unknown as Telemetry;
  return createQuery({
    telemetry: noting,
    workspaceDatabase: () => Promise.resolve(kit.database),
    clock: { now: () => kit.now.ms },
    limits: { timeoutMs: 20_000 },
    cache: { maxBytes, ttlMs: 60_000, ingestDelayMs: 5000 },
  });
}

const chart = (
  request: Record<string, unknown> = {},
  series: Record<string, unknown> = {},
  by = query,
) =>
  by.series(
    ChartRequest.parse({
      startTime: t0,
      endTime: t0 + 3_600_000,
      granularity: '5m',
      series: [
        {
          sourceId: ids.logs,
          aggFn: 'count',
          where: 'Body:row',
          groupBy: ['ServiceName'],
          ...series,
        },
      ],
      ...request,
    }),
    (id) => Promise.resolve(kit.sources[id]),
  );

describe('what is kept of charts', () => {
  it('a repeat of a chart whose buckets are closed asks nothing and answers the same', async () => {
    const first = await chart();
    expect(await chart()).toEqual(first);
    expect(statements).toHaveLength(1);
  });

  it('a chart that moves on asks only for what is new', async () => {
    await chart({ endTime: t0 + 1_800_000 });
    const moved = await chart({ startTime: t0 + 600_000, endTime: t0 + 2_400_000 });
    expect(statements[1]).toContain(`toDateTime(${(t0 + 1_800_000) / 1000})`);
    expect(statements[1]).not.toContain(`toDateTime(${(t0 + 600_000) / 1000})`);
    expect(moved).toEqual(
      await chart({ startTime: t0 + 600_000, endTime: t0 + 2_400_000 }, {}, watched(0)),
    );
  });

  it('a bucket that may still get rows is asked for again', async () => {
    kit.now.ms = t0 + 3_600_000;
    await chart();
    await chart();
    expect(statements[1]).toContain(`>= toDateTime(${(t0 + 3_300_000) / 1000})`);
    kit.now.ms += 5000;
    await chart();
    await chart();
    expect(statements).toHaveLength(3);
  });

  it('another condition, group, aggregate or workspace is another chart', async () => {
    await chart();
    await chart({}, { where: 'Body:ro' });
    await chart({}, { groupBy: [] });
    await chart({}, { aggFn: 'count_distinct', field: 'Body' });
    expect(statements).toHaveLength(4);
  });

  it('rows that came late through this process show at once, others after the time to live', async () => {
    const first = await chart();
    await kit.insert('otel_logs', [log(t0 + 1000, { Body: 'row late' })]);
    expect(await chart()).toEqual(first);
    query.inserted(kit.database, t0 + 1000);
    const second = await chart();
    expect(second).not.toEqual(first);
    await kit.insert('otel_logs', [log(t0 + 1000, { Body: 'row later' })]);
    expect(await chart()).toEqual(second);
    kit.now.ms += 60_000;
    expect(await chart()).not.toEqual(second);
  });

  it('a condition on the current time is never kept', async () => {
    await chart({}, { where: 'Timestamp < now()', whereLanguage: 'sql' });
    await chart({}, { where: 'Timestamp < now()', whereLanguage: 'sql' });
    expect(statements).toHaveLength(2);
  });

  it('stays within its bytes', async () => {
    query = watched(2000);
    await chart();
    await chart();
    expect(statements.length).toBeGreaterThan(1);
  });

  it('any walk over ranges gives what no cache gives', async () => {
    const bare = watched(0);
    const second = fc.integer({ min: 0, max: 3600 });
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(second, second).filter(([a, b]) => a !== b),
        fc.constantFrom('30s', '1m', '5m', '30m'),
        async ([a, b], granularity) => {
          const request = {
            startTime: t0 + Math.min(a, b) * 1000,
            endTime: t0 + Math.max(a, b) * 1000,
            granularity,
          };
          expect(await chart(request)).toEqual(await chart(request, {}, bare));
        },
      ),
      { numRuns: 30 },
    );
  });
});

describe('counts by the minute', () => {
  it.each<
    [what: string, request: Record<string, unknown>, series: Record<string, unknown>, used: boolean]
  >([
    [
      'whole minutes, conditions and groups on service and severity',
      {},
      { where: '-ServiceName:"cart" SeverityText:err*' },
      true,
    ],
    ['no condition at all', {}, { where: '', groupBy: [] }, true],
    ['a range within a minute', { startTime: t0 + 1000 }, { where: '' }, false],
    ['buckets of 30 s', { granularity: '30s' }, { where: '' }, false],
    ['a condition on the body', {}, { where: 'row' }, false],
    ['another aggregate', {}, { where: '', aggFn: 'max', field: 'SeverityNumber' }, false],
    ['a group by anything else', {}, { where: '', groupBy: ['Body'] }, false],
  ])('%s: the same numbers as from the rows', async (_, request, series, used) => {
    const points = await chart(request, series);
    expect(statements.some((text) => text.includes('otel_logs_1m'))).toBe(used);
    // length(Body) >= 0 is always true and only the rows can tell.
    const plain = await chart(request, {
      ...series,
      where: `${typeof series['where'] === 'string' ? series['where'] : ''} -Body:"never there"`,
    });
    expect(points).toEqual(plain);
  });
});
