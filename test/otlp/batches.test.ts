import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { IngestRequest } from '../../src/core/otlp/ingest.ts';
import type { BatchLimits } from '../../src/core/otlp/queue.ts';
import type { Telemetry } from '../../src/ports/telemetry.ts';
import { sql } from '../../src/sql/sql.ts';
import { eventually } from '../kit/eventually.ts';
import { database, openEngine, startOtlp } from './kit.ts';
import { wire, type Field } from './wire.ts';

let engine: Awaited<ReturnType<typeof openEngine>>;
let otlp: Awaited<ReturnType<typeof startOtlp>>;
/** Rows of each insert. */
let inserts: number[] = [];

/** No batch is inserted because it is old. */
const never = 3_600_000;

beforeAll(async () => {
  engine = await openEngine();
  otlp = await start({ returnMs: 0, worthwhileRows: 3, enoughRows: 50 });
});
afterEach(() => {
  inserts = [];
});
afterAll(async () => {
  await otlp?.stop();
  await engine?.close();
});

function start(batch: Partial<BatchLimits>) {
  const { telemetry } = engine;
  const observed = {
    migrate: (...call: Parameters<Telemetry['migrate']>) => telemetry.migrate(...call),
    columns: (...call: Parameters<Telemetry['columns']>) => telemetry.columns(...call),
    insert: (...call: Parameters<Telemetry['insert']>) => {
      inserts.push(call[2].rows);
      return telemetry.insert(...call);
    },
  };
  return startOtlp(observed as Telemetry, { batch: { maxAgeMs: never, ...batch } });
}

/** Padding makes a request large, so that a worker encodes it. */
function logs(body: string, count: number, padding = 0): IngestRequest {
  const record: Field = [
    2,
    'message',
    [
      [1, 'fixed64', 1_763_715_600_000_000_000n],
      [5, 'message', [[1, 'string', body]]],
      [13, 'string', 'x'.repeat(padding)],
    ],
  ];
  return {
    signal: 'logs',
    encoding: 'protobuf',
    compression: 'identity',
    bytes: wire([1, 'message', [[2, 'message', Array.from({ length: count }, () => record)]]]),
    database,
    maxInflatedBytes: 2 ** 26,
  };
}

const storedRows = async (body: string): Promise<number> => {
  const { rows } = await engine.telemetry.query(
    sql`SELECT toUInt32(count()) FROM shop.otel_logs WHERE Body = ${body}`,
    { purpose: 'admin', timeoutMs: 20_000 },
  );
  return Number(rows[0]![0]);
};

test('a batch worth an insert does not wait if no other request is being encoded', async () => {
  await otlp.ingest.accept(logs('worth', 3));
  expect([inserts, await storedRows('worth')]).toEqual([[3], 3]);
});

test('a smaller batch waits for more rows, and one insert stores them', async () => {
  const first = otlp.ingest.accept(logs('small', 2));
  await eventually(() => expect(otlp.ingest.pendingBytes()).toBeGreaterThan(0));
  expect(inserts).toEqual([]);
  await Promise.all([first, otlp.ingest.accept(logs('smaller', 1))]);
  expect([inserts, await storedRows('small'), await storedRows('smaller')]).toEqual([[3], 2, 1]);
});

test('a batch waits for a request that is being encoded, also if that request fails', async () => {
  const large = otlp.ingest.accept(logs('large', 5, 100_000));
  await Promise.all([large, otlp.ingest.accept(logs('joins', 3))]);
  expect(inserts).toEqual([8]);

  const broken = logs('broken', 5, 100_000);
  broken.bytes = broken.bytes.subarray(0, -1);
  const refused = expect(otlp.ingest.accept(broken)).rejects.toThrow('not valid OTLP');
  await Promise.all([refused, otlp.ingest.accept(logs('alone', 3))]);
  expect([inserts, await storedRows('alone')]).toEqual([[8, 3], 3]);
});

test('rows enough for an insert do not wait for requests that are being encoded', async () => {
  const large = otlp.ingest.accept(logs('late', 5, 100_000));
  await otlp.ingest.accept(logs('enough', 50));
  expect(inserts[0]).toBe(50);
  await large;
  expect(inserts).toEqual([50, 5]);
});

test('if every row is worth an insert, only rows that come during one wait, for its end', async () => {
  const { ingest, stop } = await start({ returnMs: 0, worthwhileRows: 1 });
  try {
    const first = ingest.accept(logs('first', 1));
    await eventually(() => expect(inserts).toEqual([1]));
    await Promise.all([first, ingest.accept(logs('second', 1)), ingest.accept(logs('third', 1))]);
    expect([inserts, await storedRows('second'), await storedRows('third')]).toEqual([
      [1, 2],
      1,
      1,
    ]);
  } finally {
    await stop();
  }
});

test('senders that wait for their responses do not wait for more rows', async () => {
  const { ingest, stop } = await start({ returnMs: 60_000, worthwhileRows: 3 });
  try {
    const send = async (sender: number): Promise<void> => {
      for (let request = 0; request < 4; request++) {
        await ingest.accept(logs(`sender ${sender}, request ${request}`, 1));
      }
    };
    await Promise.all([send(1), send(2), send(3)]);
    expect(inserts.reduce((sum, rows) => sum + rows)).toBe(12);
  } finally {
    await stop();
  }
});

test('most senders that return wait a short time for the others, few wait longer', async () => {
  const { ingest, stop } = await start({ returnMs: 300, worthwhileRows: 3 });
  try {
    const send = (...bodies: string[]) =>
      Promise.all(bodies.map((body) => ingest.accept(logs(body, 1))));
    await send('a', 'b', 'c');
    await send('d', 'e');
    expect(inserts).toEqual([3, 2]);
    await send('f', 'g');
    await setTimeout(310);
    const late = send('h');
    await setTimeout(350);
    expect(inserts).toEqual([3, 2, 2]);
    await ingest.stop();
    await late;
  } finally {
    await stop();
  }
});
