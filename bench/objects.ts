import { gzipSync } from 'node:zlib';
import { sql, type Sql } from '../src/sql/sql.ts';
import { startS3, type S3Peer } from '../test/kit/s3.ts';
import { pipeWorld, until, type PipeWorld } from '../test/pipes/pipe-world.ts';

/**
 * Objects into a table by a pipe, against one bare INSERT … SELECT of the same objects with the same settings. Same run, sides in turn, best of the
 * rounds. CPU is of this process, the engine in it; the object server is another process, and shares the cores.
 *
 * `UV_THREADPOOL_SIZE=24 npx tsx bench/objects.ts [many|small|large]`: 200 gzipped objects of 20,000 rows; `small`: 100,000 objects of 1 KB;
 * `large`: one of 2 GB. Without a word: the first, about a minute.
 */
const shapes = {
  many: { objects: 200, rows: 20_000, zipped: true, rounds: 3, files: 100 },
  small: { objects: 100_000, rows: 10, zipped: false, rounds: 1, files: 1000 },
  large: { objects: 1, rows: 20_000_000, zipped: false, rounds: 1, files: 100 },
} as const;
const name = (process.argv[2] ?? 'many') as keyof typeof shapes;
const { rows: rowsOfEach, zipped, rounds, files } = shapes[name];
const objects = Number(process.argv[3] ?? shapes[name].objects);
const total = objects * rowsOfEach;
const columns = [{ name: 'id', type: 'UInt64' }, { name: 'service', type: 'String' }, { name: 'body', type: 'String' }, { name: 'ms', type: 'Float64' }];
const rowText = (id: number): string => `{"id":${id},"service":"checkout-${id % 7}","body":"order ${id} was placed by customer ${id * 7 % 100_003}","ms":${(id % 1000) / 3}}\n`;

interface Took {
  ms: number;
  cpuMs: number;
}

async function timed(work: () => Promise<unknown>): Promise<Took> {
  const cpu = process.cpuUsage();
  const began = performance.now();
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return { ms: performance.now() - began, cpuMs: (user + system) / 1000 };
}

const best = (took: readonly Took[]): Took => ({ ms: Math.min(...took.map(({ ms }) => ms)), cpuMs: Math.min(...took.map(({ cpuMs }) => cpuMs)) });
const line = (title: string, { ms, cpuMs }: Took): void => {
  console.log(`${title.padEnd(34)} ${Math.round(total / ms * 1000).toLocaleString('en').padStart(10)} rows/s  ${(cpuMs / total * 1000).toFixed(2)} µs CPU a row  ${(ms / 1000).toFixed(1)} s  ${(ms / objects).toFixed(2)} ms an object`);
};

async function fill(peer: S3Peer): Promise<number> {
  await peer.bucket('bench');
  let bytes = 0;
  for (let index = 0; index < objects; index++) {
    const name = String(index).padStart(6, '0');
    // The emulator looks through a whole folder for each page of a listing.
    bytes += peer.place('bench', `in/${name.slice(0, 3)}/${name}.json${zipped ? '.gz' : ''}`, zipped ? [gzipSync(Buffer.concat([...chunks(index)]), { level: 1 })] : chunks(index));
  }
  return bytes;
}

function* chunks(index: number): Generator<Buffer> {
  for (let at = 0; at < rowsOfEach; at += 10_000) yield Buffer.from(Array.from({ length: Math.min(10_000, rowsOfEach - at) }, (_, row) => rowText(index * rowsOfEach + at + row)).join(''));
}

async function bare(world: PipeWorld, peer: S3Peer): Promise<Took> {
  const run = (statement: Sql): Promise<void> => world.telemetry.command(statement, { purpose: 'pipe', timeoutMs: 3_600_000 });
  await run(sql`CREATE DATABASE IF NOT EXISTS shop`);
  await run(sql`DROP TABLE IF EXISTS shop.bare`);
  await run(sql`CREATE TABLE shop.bare (id UInt64, service String, body String, ms Float64) ENGINE = MergeTree ORDER BY id`);
  return timed(() => run(sql`INSERT INTO shop.bare SELECT id, service, body, ms FROM s3(${`${peer.direct}/bench/in/**`}, ${peer.accessKey.accessKeyId}, ${peer.accessKey.secretKey}, 'JSONEachRow', 'id UInt64, service String, body String, ms Float64', 'auto') SETTINGS max_insert_threads = 1, max_download_threads = 4, min_insert_block_size_bytes = 1073741824`));
}

async function piped(world: PipeWorld, peer: S3Peer, round: number): Promise<Took> {
  return timed(async () => {
    const pipe = await world.create({
      source: { objectStorage: { url: `${peer.direct}/bench/in/**`, accessKey: peer.accessKey } },
      destination: { database: 'shop', table: `piped_${round}`, columns, tableDefinition: { sortingKey: ['id'] } },
      settings: { object_storage_max_file_count: files },
    });
    await until('the load', async () => (await world.get(pipe.id)).state === 'Completed', 3_600_000);
    const metrics = await world.metrics(pipe.id);
    if (metrics.rows !== total) throw new Error(`${metrics.rows} rows of ${total}: ${JSON.stringify(metrics.lastError)}`);
  });
}

const peer = await startS3();
const world = await pipeWorld({ tickMs: 50 });
try {
  const bytes = await fill(peer);
  console.log(`${objects.toLocaleString('en')} objects, ${total.toLocaleString('en')} rows, ${Math.round(bytes / 2 ** 20)} MiB`);
  world.pipes.start();
  const sides: { bare: Took[]; piped: Took[] } = { bare: [], piped: [] };
  for (let round = 0; round < rounds; round++) {
    sides.bare.push(await bare(world, peer));
    sides.piped.push(await piped(world, peer, round));
  }
  line('bare INSERT … SELECT FROM s3()', best(sides.bare));
  line('pipe, from its creation to Completed', best(sides.piped));
  const ratio = best(sides.bare).ms / best(sides.piped).ms;
  const cpuRatio = best(sides.bare).cpuMs / best(sides.piped).cpuMs;
  console.log(`peak memory of this process ${Math.round(process.resourceUsage().maxRSS / 1024)} MiB`);
  console.log(`${ratio >= 0.9 ? 'PASS' : 'MISS'}  objects to table: ${ratio.toFixed(2)}x of bare (target 0.9); by CPU ${cpuRatio.toFixed(2)}x`);
} finally {
  await world.close();
  await peer.remove();
}
