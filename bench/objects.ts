import { gzipSync } from 'node:zlib';
import { setTimeout as pause } from 'node:timers/promises';
import { qualified, sql, type Sql } from '../src/sql/sql.ts';
import { startS3, type S3Peer } from '../test/kit/s3.ts';
import { until } from '../test/kit/eventually.ts';
import { pipeWorld, type PipeWorld } from '../test/pipes/pipe-world.ts';
import { measureCpu } from './cpu-time.ts';

/**
 * Objects into a table by a pipe, against one bare INSERT … SELECT of the same objects with the
 * same settings. Both sides in turn in the same run, the other one first in every second round;
 * after each the engine settles: its merges end, which counts for CPU on both sides and for time on
 * neither. The ratio is the median of the rounds. CPU is of this process, the engine in it; the
 * object server is another process, and shares the cores.
 *
 * `npx tsx bench/objects.ts [many|small|large] [objects] [rounds] [objects in
 * a batch]`: 200 gzipped objects of 20,000 rows; `small`: 20,000 objects of 1 KB (`small 100000`
 * takes a quarter of an hour; `small 10000 3` as long as `small`), 2,500 in a batch; `large`: one
 * of 2 GB. Without a word: the first. Each under three minutes. With 0 rounds the pipe runs once
 * and alone, and its memory is told: the bare statement needs more with each object.
 */
const shapes = {
  many: { objects: 200, rows: 20_000, zipped: true, rounds: 7, files: 100 },
  small: { objects: 20_000, rows: 10, zipped: false, rounds: 1, files: 2500 },
  large: { objects: 1, rows: 20_000_000, zipped: false, rounds: 2, files: 100 },
} as const;
const name = (process.argv[2] ?? 'many') as keyof typeof shapes;
const { rows: rowsOfEach, zipped } = shapes[name];
const rounds = Number(process.argv[4] ?? shapes[name].rounds);
const objects = Number(process.argv[3] ?? shapes[name].objects);
const files = Number(process.argv[5] ?? shapes[name].files);
const total = objects * rowsOfEach;
const columns = [
  { name: 'id', type: 'UInt64' },
  { name: 'service', type: 'String' },
  { name: 'body', type: 'String' },
  { name: 'ms', type: 'Float64' },
];
const rowText = (id: number): string =>
  `{"id":${id},"service":"checkout-${id % 7}","body":"order ${id} was placed by customer ` +
  `${(id * 7) % 100_003}","ms":${(id % 1000) / 3}}\n`;

interface Took {
  ms: number;
  cpuMs: number;
}

/** What is to be loaded: names that begin so, and the rows in them. */
interface Load {
  prefix: string;
  rows: number;
}
const whole: Load = { prefix: 'in', rows: total };
/**
 * Both sides load these first: what a process does once (modules, connections, memory of the
 * engine) is not counted to either.
 */
const warmObjects = 20;
const warm: Load = { prefix: 'warm', rows: 1000 };

/** Time until the rows are there; CPU until nothing is left to do for them. */
async function timed(world: PipeWorld, work: () => Promise<unknown>): Promise<Took> {
  const cpu = measureCpu();
  const began = performance.now();
  await work();
  const ms = performance.now() - began;
  await settled(world);
  return { ms, cpuMs: cpu().total / 1000 };
}

/** No merge runs, and none has begun for a while. */
async function settled(world: PipeWorld): Promise<void> {
  for (let quiet = 0; quiet < 5;) {
    quiet =
      Number((await world.rows(sql`SELECT count() FROM system.merges`))[0]![0]) === 0
        ? quiet + 1
        : 0;
    await pause(100);
  }
}

const median = (numbers: readonly number[]): number => {
  const sorted = numbers.toSorted((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!) / 2;
};
const span = (numbers: readonly number[]): string =>
  numbers.length === 1
    ? ''
    : ` (${Math.min(...numbers).toFixed(2)}–${Math.max(...numbers).toFixed(2)} in ${numbers.length} rounds)`;
const line = (title: string, took: readonly Took[]): void => {
  const ms = median(took.map((one) => one.ms));
  const cpuMs = median(took.map((one) => one.cpuMs));
  const perSecond = Math.round((total / ms) * 1000)
    .toLocaleString('en')
    .padStart(10);
  console.log(
    `${title.padEnd(34)} ${perSecond} rows/s  ` +
      `${((cpuMs / total) * 1000).toFixed(2)} µs CPU a row, merges included  ` +
      `${(ms / 1000).toFixed(1)} s  ${(ms / objects).toFixed(2)} ms an object`,
  );
};

async function fill(peer: S3Peer): Promise<number> {
  await peer.bucket('bench');
  let bytes = 0;
  for (let index = 0; index < warmObjects; index++) {
    peer.place('bench', `warm/${index}.json`, [
      Buffer.from(
        Array.from({ length: warm.rows / warmObjects }, (_, row) =>
          rowText(index * 100 + row),
        ).join(''),
      ),
    ]);
  }
  for (let index = 0; index < objects; index++) {
    const name = String(index).padStart(6, '0');
    // The emulator looks through a whole folder for each page of a listing.
    bytes += peer.place(
      'bench',
      `in/${name.slice(0, 3)}/${name}.json${zipped ? '.gz' : ''}`,
      zipped ? [gzipSync(Buffer.concat([...chunks(index)]), { level: 1 })] : chunks(index),
    );
  }
  return bytes;
}

function* chunks(index: number): Generator<Buffer> {
  for (let start = 0; start < rowsOfEach; start += 10_000) {
    yield Buffer.from(
      Array.from({ length: Math.min(10_000, rowsOfEach - start) }, (_, row) =>
        rowText(index * rowsOfEach + start + row),
      ).join(''),
    );
  }
}

const run = (world: PipeWorld, statement: Sql): Promise<void> =>
  world.telemetry.command(statement, { purpose: 'admin', timeoutMs: 3_600_000 });

async function bare(world: PipeWorld, peer: S3Peer, { prefix } = whole): Promise<Took> {
  await run(world, sql`CREATE DATABASE IF NOT EXISTS shop`);
  await run(
    world,
    sql`CREATE TABLE shop.bare (id UInt64, service String, body String, ms Float64) ENGINE = MergeTree ORDER BY id`,
  );
  const took = await timed(world, () =>
    run(
      world,
      sql`INSERT INTO shop.bare SELECT id, service, body, ms
        FROM s3(${`${peer.direct}/bench/${prefix}/**`}, ${peer.accessKey.accessKeyId},
          ${peer.accessKey.secretKey}, 'JSONEachRow',
          'id UInt64, service String, body String, ms Float64', 'auto')
        SETTINGS max_insert_threads = 1, max_download_threads = 4,
          min_insert_block_size_bytes = 1073741824`,
    ),
  );
  await run(world, sql`DROP TABLE shop.bare SYNC`);
  return took;
}

async function piped(
  world: PipeWorld,
  peer: S3Peer,
  round: number | 'warm',
  { prefix, rows } = whole,
): Promise<Took> {
  const table = `piped_${round}`;
  const took = await timed(world, async () => {
    const pipe = await world.create({
      source: {
        objectStorage: { url: `${peer.direct}/bench/${prefix}/**`, accessKey: peer.accessKey },
      },
      destination: { database: 'shop', table, columns, tableDefinition: { sortingKey: ['id'] } },
      settings: { object_storage_max_file_count: files },
    });
    await until(
      'the load',
      async () => (await world.get(pipe.id)).state === 'Completed',
      3_600_000,
    );
    const metrics = await world.metrics(pipe.id);
    if (metrics.rows !== rows) {
      throw new Error(`${metrics.rows} rows of ${rows}: ${JSON.stringify(metrics.lastError)}`);
    }
  });
  await run(world, sql`DROP TABLE ${qualified('shop', table)} SYNC`);
  return took;
}

const peer = await startS3();
const world = await pipeWorld({ tickMs: 1000 });
try {
  const bytes = await fill(peer);
  console.log(
    `${objects.toLocaleString('en')} objects, ${total.toLocaleString('en')} rows, ${Math.round(bytes / 2 ** 20)} MiB`,
  );
  world.pipes.start();
  await bare(world, peer, warm);
  await piped(world, peer, 'warm', warm);
  const sides: { bare: Took[]; piped: Took[] } = { bare: [], piped: [] };
  const measure = {
    bare: () => bare(world, peer),
    piped: () => piped(world, peer, sides.piped.length),
  };
  for (let round = 0; round < rounds; round++) {
    for (const side of round % 2 === 0
      ? (['bare', 'piped'] as const)
      : (['piped', 'bare'] as const)) {
      sides[side].push(await measure[side]());
    }
  }
  if (rounds === 0) {
    sides.piped.push(await measure.piped());
  } else {
    line('bare INSERT … SELECT FROM s3()', sides.bare);
  }
  line('pipe, from its creation to Completed', sides.piped);
  const ratios = sides.bare.map(({ ms }, round) => ms / sides.piped[round]!.ms);
  const cpuRatios = sides.bare.map(({ cpuMs }, round) => cpuMs / sides.piped[round]!.cpuMs);
  console.log(
    `peak memory of this process ${Math.round(process.resourceUsage().maxRSS / 1024)} MiB`,
  );
  if (rounds > 0) {
    console.log(
      `${median(ratios) >= 0.9 ? 'PASS' : 'MISS'}  objects to table (${name}): ` +
        `${median(ratios).toFixed(2)}x of bare${span(ratios)} (target 0.9); ` +
        `by CPU ${median(cpuRatios).toFixed(2)}x${span(cpuRatios)}`,
    );
  }
} finally {
  await world.close();
  await peer.remove();
}
