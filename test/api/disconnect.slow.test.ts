import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from '../../src/sql/sql.ts';
import { startApi, type ApiKit } from '../kit/api.ts';
import { eventually } from '../kit/eventually.ts';
import type { JsonAnswer } from '../kit/http.ts';
import { openTestTelemetry, type TestTelemetry } from '../kit/telemetry.ts';

const t0 = 1_767_225_600_000;
let engine: TestTelemetry;
let api: ApiKit;

beforeAll(async () => {
  engine = await openTestTelemetry({ database: 'telemetry' });
  await engine.command(
    sql`INSERT INTO telemetry.otel_logs (Timestamp, ServiceName, Body)
      SELECT fromUnixTimestamp64Milli(${t0} + number), 's', concat(repeat('x', 2000), toString(number))
      FROM numbers(100000)`,
  );
  api = await startApi({ telemetry: engine.telemetry });
});
afterAll(async () => {
  await api?.stop();
  await engine?.close();
});

const running = async (): Promise<number> =>
  Number(
    (
      await engine.rows(
        sql`SELECT count() AS n FROM system.processes
          WHERE positionCaseInsensitive(query, 'otel_logs') > 0
            AND positionCaseInsensitive(query, 'system.processes') = 0`,
      )
    )[0]!['n'],
  );

it('a caller who goes away takes the running query along', async () => {
  const [{ id: sourceId }] = (await api.call('GET', '/sources')).json.data as [JsonAnswer];
  // Some twenty seconds of work for one core, were it left alone.
  const where = Array.from({ length: 20 }, (_, index) => `match(Body, '(x+.*){3}y${index}')`).join(
    ' OR ',
  );
  const gone = new AbortController();
  const beganMs = performance.now();
  const request = api
    .call('POST', '/charts/series', {
      signal: gone.signal,
      body: {
        series: [{ sourceId, aggFn: 'count', where, whereLanguage: 'sql' }],
        startTime: t0,
        endTime: t0 + 3_600_000,
        granularity: '1m',
      },
    })
    .then(
      () => 'answered',
      () => 'gone',
    );
  await eventually(async () => expect(await running()).toBeGreaterThan(0));
  gone.abort();
  expect(await request).toBe('gone');
  await eventually(async () => expect(await running()).toBe(0), 5000);
  expect(performance.now() - beganMs).toBeLessThan(15_000);
});
