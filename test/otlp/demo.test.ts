import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLog } from '../../src/adapters/ambient/log.ts';
import { AlertInput } from '../../src/contract/alert/alert.ts';
import { DashboardInput } from '../../src/contract/dashboard/dashboard.ts';
import { alertTileName, demoAlert, demoDashboard } from '../../src/demo/dashboard.ts';
import { startDemo } from '../../src/demo/demo.ts';
import { isIncident } from '../../src/demo/schedule.ts';
import { services } from '../../src/demo/shop.ts';
import type { Value } from '../../src/ports/telemetry.ts';
import { sql, type Sql } from '../../src/sql/sql.ts';
import { key, openEngine, startOtlp } from './kit.ts';

let engine: Awaited<ReturnType<typeof openEngine>>;
let otlp: Awaited<ReturnType<typeof startOtlp>>;
const backfillMinutes = 8;
const nowMs = Date.UTC(2026, 10, 21, 12, 0, 30);

beforeAll(async () => {
  engine = await openEngine();
  otlp = await startOtlp(engine.telemetry, { nowMs });
  const ending = new AbortController();
  const demo = startDemo({
    otlpUrl: otlp.httpUrl,
    ingestionKey: async () => key,
    clock: { now: () => nowMs },
    log: createLog({ level: 'silent' }),
    signal: ending.signal,
    backfillMinutes,
  });
  await demo.backfilled;
  ending.abort();
  await demo.ended;
});
afterAll(async () => {
  await otlp?.stop();
  await engine?.close();
});

const ask = async (statement: Sql): Promise<Value[][]> =>
  (await engine.telemetry.query(statement, { purpose: 'admin', timeoutMs: 20_000 })).rows;

test('the past is filled, minute by minute, up to now', async () => {
  const minutes = await ask(
    sql`SELECT toUInt32(toUnixTimestamp(toStartOfMinute(Timestamp))) AS minute, toUInt32(count())
      FROM shop.otel_traces WHERE Timestamp <= fromUnixTimestamp64Milli(${nowMs})
      GROUP BY minute ORDER BY minute`,
  );
  expect(minutes.length).toBe(backfillMinutes + 1);
  expect(minutes[0]![0]).toBe(nowMs / 1000 - 30 - backfillMinutes * 60);
  for (const [, spans] of minutes.slice(1, -1)) {
    expect(Number(spans)).toBeGreaterThan(100);
  }
});

test('traces reach over services, every parent is there', async () => {
  expect(
    await ask(sql`SELECT DISTINCT ServiceName FROM shop.otel_traces ORDER BY ServiceName`),
  ).toEqual([...services].sort().map((name) => [name]));
  expect(
    await ask(
      sql`SELECT toUInt32(count()) FROM shop.otel_traces
        WHERE ParentSpanId != ''
          AND (TraceId, ParentSpanId) NOT IN (SELECT TraceId, SpanId FROM shop.otel_traces)`,
    ),
  ).toEqual([[0]]);
  const [widest] = await ask(
    sql`SELECT toUInt32(uniqExact(ServiceName)) AS reach FROM shop.otel_traces
      GROUP BY TraceId ORDER BY reach DESC LIMIT 1`,
  );
  expect(Number(widest![0])).toBeGreaterThanOrEqual(5);
});

test('logs name the span they were written in', async () => {
  const [counts] = await ask(
    sql`SELECT toUInt32(count()),
        toUInt32(countIf((TraceId, SpanId) IN (SELECT TraceId, SpanId FROM shop.otel_traces)))
      FROM shop.otel_logs`,
  );
  expect(Number(counts![0])).toBeGreaterThan(500);
  expect(counts![1]).toBe(counts![0]);
});

test('gauges, cumulative sums and histograms move on', async () => {
  const [gauge] = await ask(
    sql`SELECT toUInt32(uniqExact(TimeUnix)) FROM shop.otel_metrics_gauge WHERE MetricName = 'shop.carts.active'`,
  );
  expect(Number(gauge![0])).toBe(backfillMinutes * 3);
  const sums = await ask(
    sql`SELECT Value, AggregationTemporality, IsMonotonic FROM shop.otel_metrics_sum
      WHERE MetricName = 'shop.orders' AND Attributes['outcome'] = 'placed'
      ORDER BY TimeUnix`,
  );
  expect(
    sums.every(
      ([value, temporality, monotonic], index) =>
        temporality === 2 &&
        monotonic === true &&
        (index === 0 || Number(value) >= Number(sums[index - 1]![0])),
    ),
  ).toBe(true);
  expect(Number(sums.at(-1)![0])).toBeGreaterThan(50);
  const [histogram] = await ask(
    sql`SELECT toUInt32(max(Count)), toUInt32(max(arraySum(BucketCounts)))
      FROM shop.otel_metrics_histogram
      WHERE Attributes['http.route'] = '/products' AND Attributes['http.response.status_code'] = '200'`,
  );
  expect(Number(histogram![0])).toBeGreaterThan(100);
  expect(histogram![1]).toBe(histogram![0]);
});

test('payment fails often enough in an incident to fire the alert, and else seldom enough to resolve it', async () => {
  const { threshold } = demoAlert({ dashboardId: '', tileId: '', webhookId: '' });
  const rows = await ask(
    sql`SELECT toUInt32(toUnixTimestamp(toStartOfMinute(Timestamp))) AS minute, toUInt32(count())
      FROM shop.otel_logs WHERE ServiceName = 'payment' AND SeverityText = 'ERROR'
      GROUP BY minute`,
  );
  const errors = new Map(rows.map(([minute, count]) => [Number(minute), Number(count)]));
  for (let minute = 1; minute < backfillMinutes; minute++) {
    const minuteStart = nowMs / 1000 - 30 - minute * 60;
    const [first, last] = [isIncident(minuteStart * 1000), isIncident(minuteStart * 1000 + 59_999)];
    if (first && last) {
      expect(
        errors.get(minuteStart),
        new Date(minuteStart * 1000).toISOString(),
      ).toBeGreaterThanOrEqual(threshold);
    }
    if (!first && !last) {
      expect(errors.get(minuteStart) ?? 0, new Date(minuteStart * 1000).toISOString()).toBeLessThan(
        threshold,
      );
    }
  }
});

test('the dashboard and the alert are what the contract takes', () => {
  const id = (digit: string): string => digit.repeat(24);
  const dashboard = DashboardInput.parse(
    demoDashboard({ logs: id('a'), traces: id('b'), metrics: id('c') }),
  );
  expect(dashboard.tiles.filter(({ name }) => name === alertTileName)).toHaveLength(1);
  const cells = dashboard.tiles.flatMap(({ x, y, w, h }) =>
    Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)},${y + Math.floor(cell / w)}`),
  );
  expect(new Set(cells).size, 'no tile covers another').toBe(cells.length);
  expect(
    AlertInput.parse(demoAlert({ dashboardId: id('d'), tileId: id('e'), webhookId: id('f') })),
  ).toMatchObject({ source: 'tile', interval: '1m' });
});
