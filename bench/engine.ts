import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import { openEmbedded } from '../src/adapters/telemetry/embedded/open-embedded.ts';
import type { RowBlock, Telemetry } from '../src/ports/telemetry.ts';
import { identifier, join, literal, qualified, sql, type Sql } from '../src/sql/sql.ts';
import { fillLogs } from './dataset.ts';
import { measureCpu } from './cpu-time.ts';

/**
 * Ways to store 10,000-row blocks of logs in the embedded engine, in rounds, so that the machine's
 * other work meets all alike. `npx tsx bench/engine.ts`
 */
const blockRows = 10_000;
const rounds = 3;
const blocksPerRound = 10;
const database = 'bench';

interface Way {
  name: string;
  store(table: string): Promise<void>;
}

async function main(): Promise<void> {
  const directory = await mkdtemp(joinPath(tmpdir(), 'sightline-bench-'));
  const telemetry = await openEmbedded({ path: joinPath(directory, 'engine') });
  try {
    await telemetry.migrate(database);
    await fillLogs(telemetry, database, blockRows);
    const ways = await prepare(telemetry, directory);
    const best = new Map<string, { ms: number; cpuUs: number }>();
    for (let round = 0; round < rounds; round++) {
      for (const way of ways) {
        keepBest(best, way.name, await measure(telemetry, way));
      }
    }
    for (const [name, { ms, cpuUs }] of best) {
      console.log(
        `${name.padEnd(40)} ${Math.round((blockRows / ms) * 1000)
          .toLocaleString('en')
          .padStart(9)} rows/s  ${cpuUs.toFixed(2)} µs CPU a row`,
      );
    }
  } finally {
    await telemetry.close();
    await rm(directory, { recursive: true, force: true });
  }
}

/**
 * The same rows in both formats, as files for the engine's own reader and as blocks for the port.
 */
async function prepare(telemetry: Telemetry, directory: string): Promise<Way[]> {
  const all = await telemetry.columns(database, 'otel_logs');
  const columns = all.filter(({ name }) => name !== 'TimestampTime');
  const names = join(
    columns.map(({ name }) => identifier(name)),
    ', ',
  );
  const structure = columns.map(({ name, type }) => `${name} ${type}`).join(', ');
  const ways: Way[] = [];
  for (const format of ['Native', 'JSONEachRow'] as const) {
    const file = joinPath(directory, `rows.${format}`);
    await telemetry.command(
      sql`INSERT INTO FUNCTION file(${file}, ${format}, ${structure}) SELECT ${names}
        FROM ${qualified(database, 'otel_logs')}`,
      { purpose: 'admin', timeoutMs: 60_000 },
    );
    const block: RowBlock = {
      format,
      columns: columns.map(({ name }) => name),
      data: await readFile(file),
      rows: blockRows,
    };
    ways.push({
      name: `port insert, ${format}`,
      store: (table) => telemetry.insert(database, table, block),
    });
    ways.push({
      name: `INSERT … SELECT FROM file(), ${format}`,
      store: (table) =>
        telemetry.command(fromFile(table, names, file, format, structure), {
          purpose: 'admin',
          timeoutMs: 60_000,
        }),
    });
    ways.push({
      name: `the same with the file written first, ${format}`,
      async store(table) {
        const copy = `${file}.copy`;
        await writeFile(copy, block.data as Buffer);
        await telemetry.command(fromFile(table, names, copy, format, structure), {
          purpose: 'admin',
          timeoutMs: 60_000,
        });
      },
    });
  }
  return ways;
}

function fromFile(table: string, names: Sql, file: string, format: string, structure: string): Sql {
  return sql`INSERT INTO ${qualified(database, table)} (${names}) SELECT ${names}
    FROM file(${literal(file)}, ${format}, ${structure})`;
}

async function measure(telemetry: Telemetry, way: Way): Promise<{ ms: number; cpuUs: number }> {
  const table = 'target';
  await telemetry.command(
    sql`CREATE OR REPLACE TABLE ${qualified(database, table)} AS ${qualified(database, 'otel_logs')}`,
    { purpose: 'admin', timeoutMs: 60_000 },
  );
  await way.store(table);
  const cpu = measureCpu();
  const began = performance.now();
  for (let block = 0; block < blocksPerRound; block++) {
    await way.store(table);
  }
  const ms = (performance.now() - began) / blocksPerRound;
  return { ms, cpuUs: cpu().total / (blocksPerRound * blockRows) };
}

function keepBest(
  best: Map<string, { ms: number; cpuUs: number }>,
  name: string,
  now: { ms: number; cpuUs: number },
): void {
  const before = best.get(name);
  best.set(
    name,
    before ? { ms: Math.min(before.ms, now.ms), cpuUs: Math.min(before.cpuUs, now.cpuUs) } : now,
  );
}

await main();
