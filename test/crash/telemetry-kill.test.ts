import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openEmbedded } from '../../src/adapters/telemetry/embedded/open-embedded.ts';
import { sql } from '../../src/sql/sql.ts';
import { childScript } from '../kit/child-script.ts';
import { logBlock } from './log-block.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sightline-kill-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const kills = 10;
const rowsPerBlock = 500;

test(`${kills} kills during inserts lose no acknowledged row, split no block, keep the rollup exact`, async () => {
  const path = join(directory, 'engine');
  const acknowledged = new Set<number>();
  let next = 0;
  for (let kill = 0; kill < kills; kill++) {
    next = await writeUntilKilled(path, next, 3 + kill * 2, acknowledged);
  }
  const telemetry = await openEmbedded({ path });
  await telemetry.migrate('crash');
  // What was not acknowledged is sent again, as any client does; that completes a rollup which the
  // kill cut short.
  await telemetry.insert('crash', 'otel_logs', logBlock(next, rowsPerBlock), {
    deduplicationToken: `block-${next}`,
  });
  const options = { purpose: 'chart', tenant: 'crash', timeoutMs: 60_000 } as const;
  const { rows } = await telemetry.query(
    sql`SELECT toUInt32(Body) AS block, count() AS rows, uniqExact(SpanId) AS spans
      FROM crash.otel_logs GROUP BY block ORDER BY block`,
    options,
  );
  const stored = new Set(rows.map(([block]) => Number(block)));
  expect(
    rows.filter(
      ([, count, spans]) => Number(count) !== rowsPerBlock || Number(spans) !== rowsPerBlock,
    ),
  ).toEqual([]);
  expect([...acknowledged].filter((block) => !stored.has(block))).toEqual([]);
  expect(acknowledged.size).toBeGreaterThan(kills * 3);
  const {
    rows: [counts],
  } = await telemetry.query(
    sql`SELECT (SELECT count() FROM crash.otel_logs), (SELECT sum(Count) FROM crash.otel_logs_1m)`,
    options,
  );
  expect(counts?.[1]).toBe(counts?.[0]);
  await telemetry.close();
});

/**
 * Starts a writer at block `from`, kills it some milliseconds after `blocks` acknowledgements, and
 * gives the block that comes next.
 */
async function writeUntilKilled(
  path: string,
  from: number,
  blocks: number,
  acknowledged: Set<number>,
): Promise<number> {
  const child = spawn(
    process.execPath,
    [childScript('telemetry-writer'), path, String(from), String(rowsPerBlock)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const exit = once(child, 'exit');
  let seen = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    acknowledged.add(Number(line));
    if (++seen === blocks) {
      child.kill('SIGKILL');
    }
  }
  await exit;
  expect(seen).toBeGreaterThanOrEqual(blocks);
  // The block in flight may be stored or not: it is sent again.
  return Math.max(...acknowledged) + 1;
}
