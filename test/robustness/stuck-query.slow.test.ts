import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openEmbedded } from '../../src/adapters/telemetry/embedded/open-embedded.ts';
import { TelemetryError, type Telemetry } from '../../src/ports/telemetry.ts';
import { sql } from '../../src/sql/sql.ts';
import { eventually } from '../kit/eventually.ts';
import { testRows } from '../kit/telemetry.ts';

/** Quadratic in the length of its arguments, and it does not look whether it was stopped. */
const stuck = sql`SELECT count() FROM stuck.otel_logs WHERE levenshteinDistance(Body, reverse(concat(Body, 'k'))) > 1
  AND levenshteinDistance(Body, reverse(concat(Body, 'l'))) > 1`;
const chart = { purpose: 'chart', tenant: 'stuck', timeoutMs: 300_000 } as const;

let directory: string;
let telemetry: Telemetry;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sightline-stuck-'));
  telemetry = await openEmbedded({ path: join(directory, 'engine') });
  await telemetry.migrate('stuck');
  await testRows(telemetry, 'stuck').insert(
    'otel_logs',
    Array.from({ length: 200 }, (_, index) => ({
      Timestamp: '2026-11-20 10:00:00',
      Body: `${index} ${'x'.repeat(60_000)}`,
    })),
  );
});
afterAll(async () => {
  await telemetry?.close();
  await rm(directory, { recursive: true, force: true });
});

const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof TelemetryError ? error.kind : error),
  );

test('queries that do not stop cost one restart of the engine, and nothing acknowledged', async () => {
  const caller = new AbortController();
  // One workspace does not get the last of four places.
  const queries = Array.from({ length: 3 }, () =>
    failure(telemetry.query(stuck, { ...chart, signal: caller.signal })),
  );
  await eventually(async () => {
    const { rows } = await telemetry.query(
      sql`SELECT count() FROM system.processes
        WHERE query LIKE '%levenshteinDistance%' AND query NOT LIKE '%system.processes%'`,
      { purpose: 'admin', timeoutMs: 5_000 },
    );
    expect(rows).toEqual([['3']]);
  });
  caller.abort();
  const stored = testRows(telemetry, 'stuck').insert('otel_logs', [
    { Timestamp: '2026-11-20 11:00:00', Body: 'written meanwhile' },
  ]);
  // The first to run out of time costs the restart, which breaks the connections of the others.
  for (const kind of await Promise.all(queries)) {
    expect(['aborted', 'unavailable']).toContain(kind);
  }
  await stored;
  await eventually(async () =>
    expect((await telemetry.query(sql`SELECT count() FROM stuck.otel_logs`, chart)).rows).toEqual([
      ['201'],
    ]),
  );
  expect(telemetry.engineProcess?.restarts).toBe(1);
});

test('closing takes no longer than the limits of a stop, whatever runs', async () => {
  const running = failure(telemetry.query(stuck, chart));
  await eventually(async () => {
    const { rows } = await telemetry.query(
      sql`SELECT count() FROM system.processes
        WHERE query LIKE '%levenshteinDistance%' AND query NOT LIKE '%system.processes%'`,
      { purpose: 'admin', timeoutMs: 5_000 },
    );
    expect(rows).toEqual([['1']]);
  });
  const began = performance.now();
  await telemetry.close();
  expect(performance.now() - began).toBeLessThan(10_000);
  expect(['aborted', 'unavailable']).toContain(await running);
});
