import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { UnansweredInsert } from '../../src/ports/telemetry.ts';
import { sql } from '../../src/sql/sql.ts';
import { until } from '../kit/eventually.ts';
import { logBlock, openSharded, type Sharded } from '../kit/sharded.ts';

const database = 'shop';
/** Enough that the memory of a block is freed at once. */
const rowsOfLarge = 3000;
let sharded: Sharded;
let number = 0;
/** A name for the rows of one test. */
let service = '';

beforeAll(async () => {
  sharded = await openSharded(3);
  await sharded.telemetry.migrate(database);
});
beforeEach(() => {
  service = `service-${(number += 1)}`;
});
afterAll(() => sharded?.close());

const insert = (rows: number, token?: string): Promise<void> =>
  sharded.telemetry.insert(database, 'otel_logs', logBlock(service, rows), {
    ...(token !== undefined && { deduplicationToken: token }),
  });
const stored = (): Promise<number[]> =>
  sharded.counts(`${database}.otel_logs_local WHERE ServiceName = '${service}'`);
const counted = async (): Promise<number> =>
  Number(
    await sharded.ask(
      0,
      `SELECT sum(Count) FROM ${database}.otel_logs_1m WHERE ServiceName = '${service}'`,
    ),
  );
const total = (counts: number[]): number => counts.reduce((sum, count) => sum + count, 0);
const allPresent = (): Promise<unknown> =>
  until('all shards', async () => {
    await sharded.telemetry.query(sql`SELECT 1`, {
      purpose: 'alert',
      timeoutMs: 5_000,
    });
    return true;
  });

test('a block is whole on one shard, and blocks are on all of them', async () => {
  for (let block = 0; block < 30; block++) {
    await insert(10);
  }
  const counts = await stored();
  expect(total(counts)).toBe(300);
  for (const count of counts) {
    expect(count).toBeGreaterThan(0);
    expect(count % 10).toBe(0);
  }
  expect(await counted()).toBe(300);
});

test('a block under one token is stored once, also by another process', async () => {
  const other = await sharded.open();
  await other.migrate(database);
  for (let attempt = 0; attempt < 3; attempt++) {
    await insert(10, `${service}/token`);
    await other.insert(database, 'otel_logs', logBlock(service, 10), {
      deduplicationToken: `${service}/token`,
    });
  }
  expect(total(await stored())).toBe(10);
  expect(await counted()).toBe(10);
});

describe('a shard that is away', () => {
  test('killed: gets no block, all are stored on the others, and it gets blocks again', async () => {
    const lost = sharded.cluster.servers[1]!;
    await lost.kill();
    for (let block = 0; block < 20; block++) {
      await insert(1);
    }
    expect(sharded.lines.some((line) => line.includes('shard does not respond'))).toBe(true);
    await lost.restart();
    const counts = await stored();
    expect([total(counts), counts[1]]).toEqual([20, 0]);
    await allPresent();
    await until('a block on the shard that is back', async () => {
      await insert(1);
      return (await stored())[1]! > 0;
    });
  });

  test('paused with blocks in flight: they wait for it with their memory, and are stored once', async () => {
    const lost = sharded.cluster.servers[2]!;
    await lost.pause();
    const failures: unknown[] = [];
    const blocks = Array.from({ length: 20 }, () => logBlock(service, rowsOfLarge));
    const work = blocks.map((block, index) =>
      sharded.telemetry
        .insert(database, 'otel_logs', block, {
          deduplicationToken: `${service}/${index}`,
          givesMemory: true,
        })
        .catch((error: unknown) => failures.push(error)),
    );
    await Promise.all(work);
    const kept = blocks.filter(({ data }) => data.length > 0);
    expect(kept.length).toBe(failures.length);
    expect(failures.length).toBeGreaterThan(0);
    expect(failures.every((error) => error instanceof UnansweredInsert)).toBe(true);
    // New blocks do not wait.
    await insert(1, `${service}/new`);
    lost.resume();
    await Promise.all(failures.map((error) => (error as UnansweredInsert).outcome));
    const counts = await stored();
    const rows = 20 * rowsOfLarge + 1;
    expect([total(counts), counts[2]]).toEqual([rows, failures.length * rowsOfLarge]);
    expect(await counted()).toBe(rows);
    await allPresent();
  });

  test('killed with blocks in flight: every block is stored once', async () => {
    const lost = sharded.cluster.servers[0]!;
    const work: Promise<void>[] = [];
    for (let block = 0; block < 60; block++) {
      work.push(
        insert(100, `${service}/${block}`).catch((error: unknown) => {
          if (!(error instanceof UnansweredInsert)) {
            throw error;
          }
          return error.outcome;
        }),
      );
      if (block === 20) {
        await lost.kill();
      }
    }
    await lost.restart();
    await Promise.all(work);
    await allPresent();
    expect(total(await stored())).toBe(6000);
    expect(await counted()).toBe(6000);
  });

  test('none is left: the block fails, and nothing of it is stored', async () => {
    await Promise.all(sharded.cluster.servers.map((server) => server.kill()));
    await expect(insert(1)).rejects.toMatchObject({ kind: 'unavailable' });
    await Promise.all(sharded.cluster.servers.map((server) => server.restart()));
    await allPresent();
    expect(total(await stored())).toBe(0);
  });
});
