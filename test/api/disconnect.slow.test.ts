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
          WHERE match(query, 'otel_(logs|traces)')
            AND positionCaseInsensitive(query, 'system.processes') = 0`,
      )
    )[0]!['n'],
  );

/** Some twenty seconds of work for one core on 100,000 texts, were it left alone. */
const matches = (column: string): string[] =>
  Array.from({ length: 20 }, (_, index) => `match(${column}, '(x+.*){3}y${index}')`);

/** Sends the request, hangs up once its query runs, and expects the engine to stop it. */
async function stopsWithItsCaller(method: string, path: string, body?: object): Promise<void> {
  const gone = new AbortController();
  const beganMs = performance.now();
  const request = api.call(method, path, { signal: gone.signal, ...(body && { body }) }).then(
    () => 'answered',
    () => 'gone',
  );
  await eventually(async () => expect(await running()).toBeGreaterThan(0));
  gone.abort();
  expect(await request).toBe('gone');
  await eventually(async () => expect(await running()).toBe(0), 5000);
  expect(performance.now() - beganMs).toBeLessThan(15_000);
}

it('a caller who goes away takes the running query along', async () => {
  const [{ id: sourceId }] = (await api.call('GET', '/sources')).json.data as [JsonAnswer];
  const where = matches('Body').join(' OR ');
  await stopsWithItsCaller('POST', '/charts/series', {
    series: [{ sourceId, aggFn: 'count', where, whereLanguage: 'sql' }],
    startTime: t0,
    endTime: t0 + 3_600_000,
    granularity: '1m',
  });
});

it('a reader of a trace who goes away takes the running query along', async () => {
  await engine.command(
    sql`INSERT INTO telemetry.otel_traces (Timestamp, TraceId, SpanId, SpanName)
      SELECT fromUnixTimestamp64Milli(${t0} + number), 'long', toString(number),
        concat(repeat('x', 2000), toString(number))
      FROM numbers(100000)`,
  );
  const sources = (await api.call('GET', '/sources')).json.data as JsonAnswer[];
  const spans = sources.find(({ kind }) => kind === 'trace')!;
  const given = ['id', 'team', 'createdAt', 'updatedAt'];
  const made = await api.call('POST', '/sources', {
    body: {
      ...Object.fromEntries(Object.entries(spans).filter(([name]) => !given.includes(name))),
      name: 'Slow spans',
      spanNameExpression: `toString(${matches('SpanName').join(' + ')})`,
    },
  });
  expect(made.json).toMatchObject({ data: { name: 'Slow spans' } });
  const { id } = made.json.data as JsonAnswer;
  await stopsWithItsCaller('GET', `/traces/long?sourceId=${id}&at=${t0}`);
});
