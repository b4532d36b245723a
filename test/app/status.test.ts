import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSqliteStore } from '../../src/adapters/store/drivers/sqlite.ts';
import { Status } from '../../src/contract/status.ts';
import type { Store } from '../../src/ports/store/store.ts';
import { startTestApp, type TestApp } from '../kit/app.ts';
import { until } from '../kit/eventually.ts';
import { http } from '../kit/http.ts';
import { openTestTelemetry, type TestTelemetry } from '../kit/telemetry.ts';
import { RawGrpc } from '../otlp/raw-grpc.ts';

const folder = mkdtempSync(join(tmpdir(), 'sightline-status-'));
const ingestionKey = 'sli_test_ingestion_key_0000000000000000000000';
let engine: TestTelemetry;
let store: Store;
let app: TestApp;

beforeAll(async () => {
  engine = await openTestTelemetry({ database: 'telemetry' });
  store = await openSqliteStore({ path: join(folder, 'sightline.db') });
  app = await startTestApp({
    folder,
    roles: ['api', 'ingest', 'alerts', 'pipes'],
    config: { bootstrapIngestionKey: ingestionKey },
    parts: { store, telemetry: engine.telemetry },
    tuning: { heartbeatMs: 50, ingest: { maxAgeMs: 5 } },
  });
});
afterAll(async () => {
  await app.stop();
  await store.close();
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

async function status(): Promise<Status> {
  const { json } = await http('GET', `${app.addresses.surfaces?.[0]}/status`, {
    headers: { authorization: `Bearer ${app.first?.accessKey}` },
  });
  return Status.parse(json.data);
}

const send = (signal: string, body: object) =>
  http('POST', `${app.addresses.otlpHttp}/v1/${signal}`, {
    headers: { authorization: ingestionKey },
    body,
  });
const now = `${Date.now()}000000`;
const logs = (...texts: string[]) => ({
  resourceLogs: [
    {
      scopeLogs: [
        {
          logRecords: texts.map((text) => ({
            timeUnixNano: now,
            body: { stringValue: text },
          })),
        },
      ],
    },
  ],
});
const inJson = (text: string | undefined): string => JSON.stringify(text ?? '?').slice(1, -1);
const seen = (what: string, found: (one: Status) => boolean): Promise<Status> =>
  until(
    what,
    async () => {
      const one = await status();
      return found(one) ? one : undefined;
    },
    10_000,
  );

describe('a server', () => {
  it('tells what it received: stored once, rejected, refused', async () => {
    expect((await status()).ingest).toMatchObject({ storedRecords: 0, refusedRequests: 0 });
    expect((await send('logs', logs('one', 'two', 'three'))).status).toBe(200);
    // Sent again, as a sender does that saw no answer.
    expect((await send('logs', logs('one', 'two', 'three'))).status).toBe(200);
    await seen('the stored records', ({ ingest }) => ingest.storedRecords === 3);

    const point = { timeUnixNano: now };
    const gauge = { name: 'temperature', gauge: { dataPoints: [point, { ...point, asInt: '7' }] } };
    const partial = await send('metrics', {
      resourceMetrics: [{ scopeMetrics: [{ metrics: [gauge] }] }],
    });
    const { ingest } = await seen('the rejected one', (one) => one.ingest.rejectedRecords === 1);
    expect([partial.status, ingest.storedRecords]).toEqual([200, 4]);
    expect(partial.text).toContain(inJson(ingest.lastRefusal?.reason));

    const refused = await send('logs', { resourceLogs: 'none' });
    const after = await seen('the refused one', (one) => one.ingest.refusedRequests === 1);
    expect(refused.status).toBe(400);
    expect(refused.text).toContain(inJson(after.ingest.lastRefusal?.reason));
    expect(after.ingest.recordsPerSecond).toBe(0);
  });

  it('counts what a receiver refuses unread, and over gRPC', async () => {
    const refusal = (requests: number) =>
      seen('the refusal', (one) => one.ingest.refusedRequests === requests);
    const unread = await fetch(`${app.addresses.otlpHttp}/v1/logs`, {
      method: 'POST',
      headers: { authorization: ingestionKey, 'content-type': 'text/plain' },
      body: 'a log line',
    });
    const { ingest } = await refusal(2);
    expect(unread.status).toBe(415);
    expect(await unread.text()).toContain(inJson(ingest.lastRefusal?.reason));

    const grpc = new RawGrpc(app.addresses.otlpGrpc ?? '');
    const headers = { authorization: ingestionKey };
    const message = Buffer.from('no protobuf');
    const { headers: told } = await grpc.call({ message, headers }).answer;
    const after = await refusal(3);
    expect(decodeURIComponent(String(told['grpc-message']))).toBe(after.ingest.lastRefusal?.reason);
    const keyless = { authorization: 'sli_of_nobody' };
    expect((await grpc.call({ message: Buffer.of(), headers: keyless }).answer).code).toBe(16);
    grpc.session.close();
    expect((await status()).ingest.refusedRequests).toBe(3);
  });

  it('lists itself with its roles and the shards of alerts that it evaluates', async () => {
    const { server } = await seen('its shards', (one) => one.server?.freeAlertShards.length === 0);
    expect(server!.nodes).toHaveLength(1);
    expect(server!.nodes[0]).toMatchObject({
      id: 'embedded',
      processId: process.pid,
      state: 'running',
      version: '0.0.0-test',
      roles: ['api', 'ingest', 'alerts', 'pipes'],
      alertShards: Array.from({ length: 16 }, (_, shard) => shard),
      pipeReaders: 0,
    });
    expect(server!.engines[0]!.errors).toEqual([]);
  });

  it('is not listed any more once it has stopped', async () => {
    expect(await store.nodes.list()).toHaveLength(1);
    await app.stop();
    expect(await store.nodes.list()).toEqual([]);
    expect(await store.leases.held()).toEqual([]);
  });
});
