import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEmbedded } from '../../src/adapters/telemetry/embedded/open-embedded.ts';
import { TelemetryError, type Telemetry } from '../../src/ports/telemetry.ts';
import { sql } from '../../src/sql/sql.ts';
import {
  chartRights,
  denied,
  ingestRights,
  pipeRights,
  reader,
  refusal,
  rightsKit,
} from './engine-rights-suite.ts';

const admin = { purpose: 'admin', timeoutMs: 30_000 } as const;
const folder = mkdtempSync(join(tmpdir(), 'sightline-rights-'));
let telemetry: Telemetry;
const { asks, orders, insert, createNotes } = rightsKit(() => telemetry);

beforeAll(async () => {
  telemetry = await openEmbedded({
    path: join(folder, 'engine'),
    databases: ['ours', 'theirs', "it`s <odd>'", 'te*'],
  });
  for (const database of ['ours', 'theirs']) {
    await createNotes(database);
  }
});
afterAll(async () => {
  await telemetry?.close();
  rmSync(folder, { recursive: true, force: true });
});

chartRights(() => telemetry);
ingestRights(() => telemetry);
pipeRights(() => telemetry);

it('the function file, which needs no grant in the embedded engine, is refused', async () => {
  for (const text of [
    "SELECT file('/etc/passwd')",
    "SELECT `file` /* it's */ ('/etc/passwd')",
    'SELECT "FILE"\n(\'/etc/passwd\')',
    "SELECT 'it''s', file('/etc/passwd')",
    "SELECT $q$ ' $q$, file('/etc/passwd'), ''",
    "SELECT ‘ ' ’, file('/etc/passwd')",
    "SELECT 1 AS `it's`, file('/etc/passwd')",
    "SELECT 1 -- it's\n, file('/etc/passwd')",
  ]) {
    expect(await refusal(asks(text)), text).toMatch(/function file is not available/);
  }
  expect(
    await asks("SELECT count() FROM ours.notes WHERE note = 'a \\' file(x)' -- file("),
  ).toEqual([['0']]);
});

it('a view that somebody made feeds its table, whoever inserts', async () => {
  await telemetry.command(
    sql`CREATE TABLE ours.counts (id UInt64) ENGINE = MergeTree ORDER BY id`,
    admin,
  );
  await telemetry.command(
    sql`CREATE MATERIALIZED VIEW ours.counting TO ours.counts AS SELECT id FROM ours.notes`,
    admin,
  );
  await insert('ours');
  expect(await asks('SELECT id FROM ours.counts')).toEqual([['7']]);
});

it('a star in the name of a database is no pattern', async () => {
  await createNotes('te*');
  await insert('te*');
  expect(await refusal(orders("INSERT INTO theirs.notes VALUES (2, '')", 'ingest', 'te*'))).toMatch(
    denied,
  );
  expect(await asks('SELECT count() FROM theirs.notes', 'theirs')).toEqual([['1']]);
});

it('a pipe cannot read a file through the function either', async () => {
  expect(await refusal(orders("INSERT INTO ours.notes SELECT 1, file('/etc/passwd')"))).toMatch(
    /function file/,
  );
});

describe('a database that is new while the engine runs', () => {
  it('can be used within moments, and no request of anybody fails', async () => {
    const starts = telemetry.engineProcess?.restarts;
    const stop = new AbortController();
    let charts = 0;
    let slowestMs = 0;
    const busy = Array.from({ length: 3 }, async () => {
      while (!stop.signal.aborted) {
        const startedMs = performance.now();
        await Promise.all([
          asks('SELECT sum(sipHash64(number)) FROM numbers(300000)'),
          insert('ours'),
        ]);
        slowestMs = Math.max(slowestMs, performance.now() - startedMs);
        charts += 1;
      }
    });
    for (const database of ['new1', 'new2']) {
      await createNotes(database);
      const [own, again] = await Promise.all([
        asks(`SELECT note FROM ${database}.notes`, database),
        asks(`SELECT note FROM ${database}.notes`, database),
      ]);
      expect([own, again]).toEqual([[[`of ${database}`]], [[`of ${database}`]]]);
      expect(await refusal(asks(`SELECT * FROM ${database}.notes`))).toMatch(denied);
    }
    stop.abort();
    await Promise.all(busy);
    expect(charts).toBeGreaterThan(0);
    expect(slowestMs).toBeLessThan(15_000);
    expect(telemetry.engineProcess?.restarts).toBe(starts);
  });

  it('is waited for by every request that comes at any moment of the restart', async () => {
    const starts = telemetry.engineProcess?.restarts;
    await createNotes('held');
    const work = Array.from({ length: 60 }, async (_, index) => {
      await pause(index * 10);
      await (index % 10 === 0
        ? insert('held')
        : asks('SELECT 1', index % 2 === 1 ? 'held' : 'ours'));
    });
    await Promise.all(work);
    expect(await asks('SELECT count() FROM held.notes', 'held')).toEqual([['7']]);
    expect(telemetry.engineProcess?.restarts).toBe(starts);
  });

  it('has to exist', async () => {
    const { pid } = telemetry.engineProcess ?? {};
    const error = await telemetry
      .query(sql`SELECT 1`, reader('nowhere'))
      .catch((cause: TelemetryError) => cause);
    expect(error).toBeInstanceOf(TelemetryError);
    const { kind, message } = error as TelemetryError;
    expect([kind, message]).toEqual(['unknown_table', 'the database nowhere does not exist']);
    expect(telemetry.engineProcess?.pid).toBe(pid);
  });

  it('has its users from the start of the next engine', async () => {
    await telemetry.close();
    telemetry = await openEmbedded({ path: join(folder, 'engine') });
    const { pid } = telemetry.engineProcess ?? {};
    for (const database of ['ours', 'new2', 'te*']) {
      expect(
        (await asks(`SELECT count() FROM \`${database}\`.notes`, database)).flat(),
      ).toHaveLength(1);
    }
    expect(telemetry.engineProcess?.pid).toBe(pid);
  });
});
