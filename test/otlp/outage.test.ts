import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-proto';
import { LoggerProvider, SimpleLogRecordProcessor } from '@opentelemetry/sdk-logs';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openEmbedded } from '../../src/adapters/telemetry/embedded/open-embedded.ts';
import type { Telemetry } from '../../src/ports/telemetry.ts';
import { sql } from '../../src/sql/sql.ts';
import { database, key, post, startOtlp } from './kit.ts';
import { readNumberAndText, wire } from './wire.ts';

const directory = mkdtempSync(join(tmpdir(), 'sightline-outage-'));
const path = join(directory, 'engine');
let engine: Telemetry;
let refusals = 0;
let otlp: Awaited<ReturnType<typeof startOtlp>>;

beforeAll(async () => {
  engine = await openEmbedded({ path });
  await engine.migrate(database);
  // The receivers keep their telemetry while the engine behind it is really stopped and started.
  const current = {
    migrate: (...call: Parameters<Telemetry['migrate']>) => engine.migrate(...call),
    columns: (...call: Parameters<Telemetry['columns']>) => engine.columns(...call),
    insert: (...call: Parameters<Telemetry['insert']>) =>
      engine.insert(...call).catch((error: unknown) => {
        refusals++;
        throw error;
      }),
  };
  otlp = await startOtlp(current as Telemetry);
});
afterAll(async () => {
  await otlp?.stop();
  await engine?.close();
  rmSync(directory, { recursive: true, force: true });
});

const request = wire([
  1,
  'message',
  [[2, 'message', [[2, 'message', [[5, 'message', [[1, 'string', 'before']]]]]]]],
]);

test('with the engine stopped every request is refused for now, and one sent again is stored once', async () => {
  expect((await post(`${otlp.httpUrl}/v1/logs`, request)).status).toBe(200);
  await engine.close();
  const refused = await post(`${otlp.httpUrl}/v1/logs`, request);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
  expect(readNumberAndText(refused.bytes)).toMatchObject({
    number: 14,
    text: 'cannot store the telemetry. Send the request again.',
  });
  expect(otlp.ingest.pendingBytes()).toBe(0);

  // The SDK's exporter waits as it was told and tries again by itself.
  const provider = new LoggerProvider({
    processors: [
      new SimpleLogRecordProcessor({
        exporter: new OTLPLogExporter({
          url: `${otlp.httpUrl}/v1/logs`,
          headers: { authorization: key },
          timeoutMillis: 25_000,
        }),
      }),
    ],
  });
  expect(refusals).toBe(1);
  provider.getLogger('outage').emit({ body: 'sent again' });
  const sent = provider.forceFlush();
  await vi.waitUntil(() => refusals === 2, { timeout: 10_000 });
  engine = await openEmbedded({ path });
  await sent;
  await provider.shutdown();

  const stored = await engine.query(
    sql`SELECT Body, toUInt32(count()) FROM shop.otel_logs GROUP BY Body ORDER BY Body`,
    { purpose: 'admin', timeoutMs: 20_000 },
  );
  expect(stored.rows).toEqual([
    ['before', 1],
    ['sent again', 1],
  ]);
});
