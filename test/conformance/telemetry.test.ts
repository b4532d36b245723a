import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../src/sql/sql.ts';
import { openTestTelemetry, type TestTelemetry } from '../kit/telemetry.ts';

let engine: TestTelemetry;
beforeAll(async () => { engine = await openTestTelemetry(); });
afterAll(() => engine.close());

test('what was inserted is read back, 64-bit integers as text', async () => {
  await engine.insert('otel_traces', [{ Timestamp: '2026-11-20 10:00:00.123456789', TraceId: 'a'.repeat(32), ServiceName: 'checkout', Duration: 18446744073709551615n, SpanAttributes: { ключ: 'wert "ü"\n' } }]);
  expect(await engine.rows(sql`SELECT Timestamp, Duration, SpanAttributes FROM sightline.otel_traces`)).toEqual([
    { Timestamp: '2026-11-20 10:00:00.123456789', Duration: '18446744073709551615', SpanAttributes: { ключ: 'wert "ü"\n' } },
  ]);
});

test('a stopped query stops', async () => {
  const abort = new AbortController();
  setTimeout(() => abort.abort(), 200);
  await expect(engine.telemetry.query(sql`SELECT count() FROM numbers(1000000000000) WHERE NOT ignore(sipHash64(number))`, { purpose: 'chart', timeoutMs: 30_000, signal: abort.signal })).rejects.toMatchObject({ kind: 'aborted' });
  const after = await engine.telemetry.query(sql`SELECT 1 AS one`, { purpose: 'chart', timeoutMs: 5000 });
  expect(after.rows).toEqual([[1]]);
});
