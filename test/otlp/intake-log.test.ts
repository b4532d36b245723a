import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { EngineClient } from '../../src/adapters/telemetry/engine-client.ts';
import { readEngineAccess } from '../../src/adapters/telemetry/embedded/engine-access.ts';
import {
  openEmbedded,
  type EmbeddedOptions,
} from '../../src/adapters/telemetry/embedded/open-embedded.ts';
import { IntakeLog } from '../../src/adapters/telemetry/intake-log/intake-log.ts';
import type { Log } from '../../src/ports/ambient.ts';
import type { Purpose, Telemetry } from '../../src/ports/telemetry.ts';
import { sql } from '../../src/sql/sql.ts';
import { joinBlocks, logBlock, otlpBlock } from '../crash/log-block.ts';
import { eventually } from '../kit/eventually.ts';

const database = 'crash';
const admin = { purpose: 'admin', timeoutMs: 30_000 } as const;
/** Nothing is stored because time passes. */
const never = 3_600_000;
const rowsPerBlock = 20;
/** The day of the rows of `logBlock`. */
const days = [20_412];

const silent: Log = { debug() {}, info() {}, warn() {}, error() {}, child: () => silent };

let directory: string;
let folder: string;
let accessFile: string;
let telemetry: Telemetry;
/** Number of the next block; no test uses one twice. */
let next = 0;

async function open(
  limits: NonNullable<EmbeddedOptions['intakeLog']>['limits'] = {},
): Promise<Telemetry> {
  telemetry = await openEmbedded({
    path: join(directory, 'engine'),
    databases: [database],
    accessFile,
    intakeLog: { folder, join: joinBlocks, limits: { delayMs: never, ...limits } },
  });
  return telemetry;
}

/** Resolves with the number of the block once it is acknowledged. */
async function send(): Promise<number> {
  const number = next++;
  const options = { purpose: 'ingest', days } as const;
  await telemetry.insert(database, 'otel_logs', otlpBlock(number, rowsPerBlock), options);
  return number;
}

const segments = (): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.log'))
    .map((name) => join(folder, name));

const countOf = (number: number) =>
  sql`SELECT toUInt32(count()) FROM crash.otel_logs WHERE Body = ${String(number)}`;

async function rowsOf(...numbers: number[]): Promise<unknown[]> {
  return Promise.all(
    numbers.map(async (number) => (await telemetry.query(countOf(number), admin)).rows[0]?.[0]),
  );
}

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'sightline-intake-'));
  folder = join(directory, 'intake');
  accessFile = join(directory, 'engine.json');
  await open();
  await telemetry.migrate(database);
  await telemetry.close();
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe('an engine with an intake log', () => {
  beforeEach(() => open());
  afterEach(() => telemetry.close());

  test.each<Purpose>(['chart', 'export', 'alert', 'admin'])(
    'a query of purpose %s sees a block as soon as it is acknowledged',
    async (purpose) => {
      const number = await send();
      expect(segments()).toHaveLength(1);
      const options = { purpose, tenant: database, timeoutMs: 20_000 };
      const { rows } = await telemetry.query(countOf(number), options);
      expect([rows, segments(), telemetry.intakeLog?.pendingBytes]).toEqual([
        [[rowsPerBlock]],
        [],
        0,
      ]);
    },
  );

  test('streams and commands see it, and work on another database does not wait', async () => {
    const streamed = await send();
    const chart = { purpose: 'chart', timeoutMs: 20_000 } as const;
    await telemetry.query(sql`SELECT 1`, { ...chart, tenant: 'system' });
    expect(segments()).toHaveLength(1);
    const seen: unknown[] = [];
    await telemetry.stream(countOf(streamed), { ...chart, tenant: database }, async (rows) => {
      seen.push(...rows);
    });
    expect(seen).toEqual([[rowsPerBlock]]);
    const copied = await send();
    await telemetry.command(
      sql`CREATE TABLE crash.copied ENGINE = MergeTree ORDER BY () AS SELECT Body FROM crash.otel_logs`,
      admin,
    );
    const { rows } = await telemetry.query(
      sql`SELECT toUInt32(count()) FROM crash.copied WHERE Body = ${String(copied)}`,
      admin,
    );
    expect(rows).toEqual([[rowsPerBlock]]);
  });

  test('blocks that wait are stored by one insert, and the rollup counts them', async () => {
    const parts = async (): Promise<unknown> =>
      (
        await telemetry.query(
          sql`SELECT max(max_block_number) FROM system.parts
WHERE database = 'crash' AND table = 'otel_logs'`,
          admin,
        )
      ).rows[0]?.[0];
    const before = Number(await parts());
    const numbers = await Promise.all(Array.from({ length: 10 }, send));
    numbers.push(await send());
    expect(Number(await parts())).toBe(before + 1);
    expect(await rowsOf(...numbers)).toEqual(numbers.map(() => rowsPerBlock));
    const { rows } = await telemetry.query(
      sql`SELECT (SELECT count() FROM crash.otel_logs) = (SELECT sum(Count) FROM crash.otel_logs_1m)`,
      admin,
    );
    expect(rows).toEqual([[1]]);
  });

  test.each([
    ['through the log', 3000],
    ['at once', 25_000],
  ])('memory that the caller gives is freed when the block is stored %s', async (_way, rows) => {
    const number = next++;
    const [kept, given] = [logBlock(number, rows), logBlock(number, rows)];
    const options = { purpose: 'ingest', days } as const;
    await telemetry.insert(database, 'otel_logs', kept, options);
    await telemetry.insert(database, 'otel_logs', given, { ...options, givesMemory: true });
    expect([kept.data.length > 0, given.data.length]).toEqual([true, 0]);
    expect(await rowsOf(number)).toEqual([2 * rows]);
  });

  test('an engine that is killed before it has the blocks gets them after its restart', async () => {
    const numbers = [await send(), await send()];
    process.kill(telemetry.engineProcess!.pid!, 'SIGKILL');
    numbers.push(await send());
    expect(await rowsOf(...numbers)).toEqual([rowsPerBlock, rowsPerBlock, rowsPerBlock]);
    expect(telemetry.engineProcess?.restarts).toBe(1);
  });

  test('a block that the engine refuses is kept and retried, and the next sender gets the error', async () => {
    // The client of another process: its statements store nothing.
    const access = (await readEngineAccess(accessFile))!;
    const beside = new EngineClient({ ...access, url: new URL(access.url), connections: 1 });
    const kept = await send();
    await beside.text({ query: 'RENAME TABLE crash.otel_logs TO crash.away' });
    await telemetry.query(sql`SELECT 1`, admin);
    expect(telemetry.intakeLog?.unstoredBlocks).toBe(1);
    await expect(send()).rejects.toMatchObject({ kind: 'unknown_table' });
    await beside.text({ query: 'RENAME TABLE crash.away TO crash.otel_logs' });
    await beside.close();
    await eventually(() => expect(telemetry.intakeLog?.unstoredBlocks).toBe(0), 20_000);
    expect([await rowsOf(kept), segments()]).toEqual([[rowsPerBlock], []]);
    await send();
    expect(segments()).toHaveLength(1);
  });
});

describe('what a process leaves in the log', () => {
  afterEach(() => telemetry?.close());

  /** Blocks in a file as a killed process leaves them. Each record has the same length. */
  async function leave(count: number): Promise<{ numbers: number[]; file: string }> {
    const log = await IntakeLog.open({
      folder,
      isSynced: true,
      insert: () => Promise.reject(new Error('no engine')),
      log: silent,
      limits: { delayMs: never },
    });
    const numbers: number[] = [];
    for (let index = 0; index < count; index++) {
      const { data, ...block } = logBlock(1000 + next, rowsPerBlock);
      const pieces = [data].flat() as Buffer[];
      await log.append({ database, table: 'otel_logs', ...block, data: pieces, days });
      numbers.push(1000 + next++);
    }
    const file = segments()[0]!;
    // Without the space that was not used. A block ends with the end of a line.
    truncateSync(file, readFileSync(file).lastIndexOf('\n') + 1);
    return { numbers, file };
  }

  test('is stored before the tables are used, once, however often the process ends', async () => {
    const { numbers, file } = await leave(3);
    copyFileSync(file, join(directory, 'kept'));
    await open();
    await telemetry.migrate(database);
    expect([segments(), telemetry.intakeLog?.pendingBytes]).toEqual([[], 0]);
    expect(await rowsOf(...numbers)).toEqual(numbers.map(() => rowsPerBlock));
    await telemetry.close();
    // As if the process had ended between the insert and the removal of the file.
    copyFileSync(join(directory, 'kept'), file);
    await open();
    expect(await rowsOf(...numbers)).toEqual(numbers.map(() => rowsPerBlock));
    expect(segments()).toEqual([]);
  });

  test('a record that was cut short is left out, the others are stored', async () => {
    const { numbers, file } = await leave(3);
    truncateSync(file, statSync(file).size - 1);
    await open();
    expect(await rowsOf(...numbers)).toEqual([rowsPerBlock, rowsPerBlock, 0]);
    expect(telemetry.intakeLog?.damagedRecords).toBe(0);
  });

  test('a damaged record is counted and its file kept, the others are stored', async () => {
    const { numbers, file } = await leave(3);
    const bytes = readFileSync(file);
    const middle = bytes.length / 2;
    bytes[middle] = bytes[middle]! ^ 1;
    writeFileSync(file, bytes);
    await open();
    expect(await rowsOf(...numbers)).toEqual([rowsPerBlock, 0, rowsPerBlock]);
    expect(telemetry.intakeLog?.damagedRecords).toBe(1);
    expect(readFileSync(file.replace(/log$/, 'damaged'))).toEqual(bytes);
    await telemetry.close();
    await open();
    expect(telemetry.intakeLog?.damagedRecords).toBe(0);
  });

  test('a graceful stop leaves nothing', async () => {
    await open();
    const number = await send();
    await telemetry.close();
    expect(segments()).toEqual([]);
    await open();
    expect(await rowsOf(number)).toEqual([rowsPerBlock]);
  });
});

test('a block keeps its bytes until it is stored, and an insert that failed can still read them', async () => {
  const stored: string[] = [];
  let failed: Buffer | undefined;
  const log = await IntakeLog.open({
    folder: mkdtempSync(join(directory, 'failing-')),
    isSynced: true,
    async insert(into, _table, { data }) {
      const [bytes] = [data].flat();
      if (into === 'failing' && failed === undefined) {
        failed = bytes;
        throw new Error('not now');
      }
      stored.push(`${into}: ${bytes?.toString()}`);
    },
    log: silent,
    limits: { delayMs: never },
  });
  const { data: _, ...block } = logBlock(1, rowsPerBlock);
  const append = (into: string, text: string): Promise<unknown> =>
    log.append({ database: into, table: 'otel_logs', ...block, data: [Buffer.from(text)], days });
  await append('failing', 'kept');
  await log.settled();
  for (const text of ['one', 'two', 'three']) {
    await append('other', text);
    await log.settled();
  }
  await eventually(() => expect(log.pendingBytes).toBe(0), 20_000);
  expect(stored).toEqual(['other: one', 'other: two', 'other: three', 'failing: kept']);
  await append('other', 'four');
  expect(failed?.toString()).toBe('kept');
  await log.close(0);
});

test('files that are kept for later blocks are removed when none come', async () => {
  const spareFolder = mkdtempSync(join(directory, 'idle-'));
  const log = await IntakeLog.open({
    folder: spareFolder,
    isSynced: true,
    insert: () => Promise.resolve(),
    log: silent,
    limits: { delayMs: never, spareIdleMs: 300 },
  });
  const { data, ...block } = logBlock(1, rowsPerBlock);
  const pieces = [data].flat() as Buffer[];
  await log.append({ database, table: 'otel_logs', ...block, data: pieces, days });
  await log.settled();
  expect(readdirSync(spareFolder)).toEqual([expect.stringMatching(/\.spare$/)]);
  await eventually(() => expect(readdirSync(spareFolder)).toEqual([]), 20_000);
  await log.close(0);
});

describe('blocks of several databases in one file', () => {
  /** A log whose inserts end only for one database. */
  async function openFor(database: string, began: string[]): Promise<IntakeLog> {
    return IntakeLog.open({
      folder: mkdtempSync(join(directory, 'several-')),
      isSynced: true,
      insert(into) {
        began.push(into);
        return into === database ? Promise.resolve() : new Promise(() => {});
      },
      log: silent,
      limits: { delayMs: never },
    });
  }

  test('those that somebody waits for are stored first, and nobody waits for the others', async () => {
    const began: string[] = [];
    const log = await openFor('wanted', began);
    const { data, ...block } = logBlock(1, rowsPerBlock);
    const pieces = [data].flat() as Buffer[];
    for (const into of ['a', 'b', 'c', 'wanted']) {
      await log.append({ database: into, table: 'otel_logs', ...block, data: pieces, days });
    }
    await log.settled('wanted');
    expect(began[0]).toBe('wanted');
    await log.append({ database: 'wanted', table: 'otel_logs', ...block, data: pieces, days });
    expect(log.pendingBytes).toBeGreaterThan(0);
    await log.close(0);
  });
});
