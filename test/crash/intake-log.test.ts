import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openEmbedded } from '../../src/adapters/telemetry/embedded/open-embedded.ts';
import { sql } from '../../src/sql/sql.ts';
import { childScript } from '../kit/child-script.ts';
import { Disk, diskMissing } from '../kit/disk.ts';
import { eventually } from '../kit/eventually.ts';
import { joinBlocks, logBlock } from './log-block.ts';

const kills = 12;
const rowsPerBlock = 20;
const chart = { purpose: 'chart', tenant: 'crash', timeoutMs: 60_000 } as const;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-intake-kill-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const segments = async (): Promise<string[]> =>
  (await readdir(join(folder, 'intake'))).filter((name) => name.endsWith('.log'));

test(`${kills} kills under small blocks lose no acknowledged row and store none twice`, async () => {
  const acknowledged = new Set<number>();
  let next = 0;
  let killsWithBlocks = 0;
  for (let kill = 0; kill < kills; kill++) {
    next = await writeUntilKilled(next, acknowledged);
    killsWithBlocks += (await segments()).length > 0 ? 1 : 0;
  }
  const telemetry = await openEmbedded({
    path: join(folder, 'engine'),
    intakeLog: { folder: join(folder, 'intake'), join: joinBlocks },
  });
  try {
    await telemetry.migrate('crash');
    expect(await segments()).toEqual([]);
    const { rows } = await telemetry.query(
      sql`SELECT toUInt32(Body) AS block, count() AS rows, uniqExact(SpanId) AS spans
      FROM crash.otel_logs GROUP BY block ORDER BY block`,
      chart,
    );
    const stored = new Set(rows.map(([block]) => Number(block)));
    expect(
      rows.filter(
        ([, count, spans]) => Number(count) !== rowsPerBlock || Number(spans) !== rowsPerBlock,
      ),
    ).toEqual([]);
    expect([...acknowledged].filter((block) => !stored.has(block))).toEqual([]);
    const {
      rows: [counts],
    } = await telemetry.query(
      sql`SELECT (SELECT count() FROM crash.otel_logs), (SELECT sum(Count) FROM crash.otel_logs_1m)`,
      chart,
    );
    expect(counts?.[1]).toBe(counts?.[0]);
    // Else the kills proved nothing about the log.
    expect(killsWithBlocks).toBeGreaterThan(kills / 2);
    console.log(
      `${kills} kills, ${killsWithBlocks} with blocks in the log, ` +
        `${acknowledged.size} blocks acknowledged, ${stored.size} stored`,
    );
  } finally {
    await telemetry.close();
  }
});

test.skipIf(diskMissing())('a disk that fills up leaves no part of a block', async () => {
  const disk = Disk.create(300);
  const path = join(disk.path, 'data');
  const telemetry = await openEmbedded({
    path: join(path, 'engine'),
    databases: ['crash'],
    intakeLog: {
      folder: join(path, 'intake'),
      join: joinBlocks,
      limits: { minFreeBytes: 0, restMs: 20 },
    },
  });
  try {
    await telemetry.migrate('crash');
    const acknowledged: number[] = [];
    const refused: number[] = [];
    const send = async (from: number): Promise<void> => {
      for (let block = from; block < from + 40; block++) {
        const options = { purpose: 'ingest', days: [20_412] } as const;
        await telemetry.insert('crash', 'otel_logs', logBlock(block, rowsPerBlock), options).then(
          () => acknowledged.push(block),
          () => refused.push(block),
        );
      }
    };
    await send(0);
    disk.fill();
    // The file that exists has its space. The first insert into the engine fails.
    for (let from = 1000; refused.length === 0; from += 2000) {
      await Promise.all([send(from), send(from + 1000)]);
    }
    disk.free();
    await eventually(() => expect(telemetry.intakeLog?.unstoredBlocks).toBe(0), 40_000);
    await send(500);
    const { rows } = await telemetry.query(
      sql`SELECT toUInt32(Body) AS block, toUInt32(count()) FROM crash.otel_logs GROUP BY block`,
      chart,
    );
    expect(rows.filter(([, count]) => count !== rowsPerBlock)).toEqual([]);
    const stored = new Set(rows.map(([block]) => Number(block)));
    expect(acknowledged.filter((block) => !stored.has(block))).toEqual([]);
  } finally {
    await telemetry.close();
    await disk.unmount();
    disk.remove();
  }
});

/** Kills a writer at any moment after its first blocks; gives a block that it did not begin. */
async function writeUntilKilled(from: number, acknowledged: Set<number>): Promise<number> {
  const child: ChildProcess = spawn(
    process.execPath,
    [childScript('intake-writer'), folder, String(from), String(rowsPerBlock)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const exit = once(child, 'exit');
  const before = acknowledged.size;
  let isKilled = false;
  for await (const line of createInterface({ input: child.stdout! })) {
    if (line === 'ready') {
      continue;
    }
    acknowledged.add(Number(line));
    if (acknowledged.size === before + 4) {
      setTimeout(() => {
        isKilled = child.kill('SIGKILL');
      }, Math.random() * 400);
    }
  }
  await exit;
  expect(isKilled).toBe(true);
  // Blocks in flight may be stored or not.
  return Math.max(...acknowledged) + 10;
}
