import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openEmbedded } from '../../src/adapters/telemetry/embedded/open-embedded.ts';
import type { Telemetry } from '../../src/ports/telemetry.ts';
import { sql } from '../../src/sql/sql.ts';
import { childScript } from '../kit/child-script.ts';
import { eventually } from '../kit/eventually.ts';
import { rollupFaults } from '../kit/rollup.ts';
import { logBlock } from './log-block.ts';

const admin = { purpose: 'admin', timeoutMs: 60_000 } as const;
const rowsPerBlock = 500;

describe('the rollup after an unclean end', () => {
  let path: string;
  let telemetry: Telemetry | undefined;
  beforeAll(async () => {
    path = await mkdtemp(join(tmpdir(), 'sightline-recount-'));
  });
  afterEach(async () => {
    await telemetry?.close();
    telemetry = undefined;
  });
  afterAll(() => rm(path, { recursive: true, force: true }));

  async function open(): Promise<Telemetry> {
    telemetry = await openEmbedded({ path: join(path, 'engine') });
    await telemetry.migrate('crash');
    return telemetry;
  }

  test('equals the logs after kills in the middle of inserts that nobody repeats', async () => {
    let next = 0;
    for (let kill = 0; kill < 8; kill++) {
      next = await writeUntilKilled(join(path, 'engine'), next);
      const opened = await open();
      expect(await rollupFaults(opened, 'crash'), `after kill ${kill + 1}`).toEqual([]);
      await opened.close();
    }
  });

  test('gets the block that only the logs have, and loses the one that only the rollup has', async () => {
    const first = await open();
    await first.command(sql`DETACH TABLE crash.otel_logs_1m_mv`, admin);
    await first.insert('crash', 'otel_logs', logBlock(1000, rowsPerBlock));
    await first.command(sql`ATTACH TABLE crash.otel_logs_1m_mv`, admin);
    await first.command(
      sql`INSERT INTO crash.otel_logs_1m (Minute, ServiceName, Count) VALUES (now(), 'ghost', 7)`,
      admin,
    );
    expect(await rollupFaults(first, 'crash')).not.toEqual([]);
    // The engine ends without a clean stop, and is started again in the same process.
    process.kill(first.engineProcess!.pid!, 'SIGKILL');
    await eventually(async () => {
      expect(first.engineProcess?.restarts).toBe(1);
      expect(await rollupFaults(first, 'crash')).toEqual([]);
    }, 30_000);
    const { rows } = await first.query(
      sql`SELECT sum(Count) FROM crash.otel_logs_1m WHERE ServiceName = 'ghost'`,
      admin,
    );
    expect(Number(rows[0]?.[0])).toBe(0);
  });

  test('is recounted by the next start of the server, after a command that only looked', async () => {
    const first = await open();
    await first.command(sql`DETACH TABLE crash.otel_logs_1m_mv`, admin);
    await first.insert('crash', 'otel_logs', logBlock(1500, rowsPerBlock));
    await first.command(sql`ATTACH TABLE crash.otel_logs_1m_mv`, admin);
    await first.close();
    await writeUntilKilled(join(path, 'engine'), 1600);
    const command = await openEmbedded({ path: join(path, 'engine') });
    expect(await rollupFaults(command, 'crash')).not.toEqual([]);
    await command.close();
    expect(await rollupFaults(await open(), 'crash')).toEqual([]);
  });

  test('stays exact while inserts go on during the recount', async () => {
    const opened = await open();
    const end = new AbortController();
    const inserting = (async () => {
      for (let block = 2000; !end.signal.aborted; block++) {
        await opened
          .insert('crash', 'otel_logs', logBlock(block, rowsPerBlock), { timeoutMs: 30_000 })
          .catch(() => pause(10));
      }
    })();
    try {
      for (let kill = 0; kill < 4; kill++) {
        await pause(300 + Math.random() * 300);
        process.kill(opened.engineProcess!.pid!, 'SIGKILL');
        await eventually(() => expect(opened.engineProcess?.restarts).toBe(kill + 1), 30_000);
        await opened.query(sql`SELECT 1`, admin);
      }
      await pause(500);
    } finally {
      end.abort();
      await inserting;
    }
    await eventually(async () => expect(await rollupFaults(opened, 'crash')).toEqual([]), 10_000);
  });
});

/** Keys of which the rollup and the logs have different counts. */
/** Kills a writer at any moment; gives a block that it did not begin. */
async function writeUntilKilled(path: string, from: number): Promise<number> {
  const child = spawn(
    process.execPath,
    [childScript('telemetry-writer'), path, String(from), String(rowsPerBlock)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const exit = once(child, 'exit');
  let newest = from;
  for await (const line of createInterface({ input: child.stdout })) {
    newest = Number(line);
    if (newest === from + 3) {
      setTimeout(() => child.kill('SIGKILL'), Math.random() * 100);
    }
  }
  await exit;
  return newest + 2;
}
