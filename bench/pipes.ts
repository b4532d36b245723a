import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { literal, qualified, sql } from '../src/sql/sql.ts';
import { eventually } from '../test/kit/eventually.ts';
import { startKafka, type KafkaPeer } from '../test/kit/kafka.ts';
import { pipeWorld, type PipeWorld } from '../test/pipes/pipe-world.ts';
import { measureCpu } from './cpu-time.ts';

/**
 * Kafka JSON records into a table, against the engine reading the same rows from a file and kcat
 * (librdkafka) reading them into nothing; and how soon a record can be seen. All in one run, sides
 * in turn, the best of the rounds counts. CPU is of the process that does the work, user and
 * system, the engine in it and its merges included, the broker not.
 *
 * `npx tsx bench/pipes.ts [throughput|mapped|latency] [rows]`; needs Java and Maven
 * (or the jars), and kcat (Debian: apt-get install kcat). `mapped` gives two columns each other's
 * field.
 */
const only = process.argv.slice(2).find((word) => /^[a-z]/.test(word));
const rows = Number(process.argv.slice(2).find((word) => /^\d/.test(word)) ?? 3_000_000);
const rounds = 2;
const waitMs = 500;
const columns = [
  { name: 'id', type: 'UInt64' },
  { name: 'service', type: 'String' },
  { name: 'body', type: 'String' },
  { name: 'ms', type: 'Float64' },
];
const rowText = (id: number): string =>
  `{"id":${id},"service":"checkout-${id % 7}","body":"order ${id} was placed by customer ` +
  `${(id * 7) % 100_003} and paid by card","ms":${(id % 1000) / 3}}`;
const fieldMappings = [
  { sourceField: 'id', destinationField: 'id' },
  { sourceField: 'body', destinationField: 'service' },
  { sourceField: 'service', destinationField: 'body' },
  { sourceField: 'ms', destinationField: 'ms' },
];
const definition = (topic: string, table: string, brokers: string) => ({
  source: { kafka: { brokers, topics: topic } },
  destination: { database: 'shop', table, columns, tableDefinition: { sortingKey: ['id'] } },
  settings: { streaming_max_insert_wait_ms: waitMs },
  scaling: { replicaMemoryGb: 2, replicaCpuMillicores: 1000 },
});

interface Took {
  ms: number;
  cpuMs: number;
  /** For how long this process answered nobody at most. */
  longestTurnMs: number;
}

const perSecond = ({ ms }: Took): number => (rows / ms) * 1000;
const cpuPerRow = ({ cpuMs }: Took): number => (cpuMs / rows) * 1000;
const best = (took: readonly Took[]): Took => ({
  ms: Math.min(...took.map(({ ms }) => ms)),
  cpuMs: Math.min(...took.map(({ cpuMs }) => cpuMs)),
  longestTurnMs: Math.max(...took.map(({ longestTurnMs }) => longestTurnMs)),
});
const line = (name: string, took: Took): void => {
  console.log(
    `${name.padEnd(42)} ${Math.round(perSecond(took)).toLocaleString('en').padStart(10)} ` +
      `rows/s  ${cpuPerRow(took).toFixed(2)} µs CPU a row` +
      (took.longestTurnMs > 0 ? `, longest turn ${took.longestTurnMs.toFixed(0)} ms` : ''),
  );
};
const verdict = (met: boolean, text: string): void => {
  console.log(`${met ? 'PASS' : 'MISS'}  ${text}`);
};

async function timed(work: () => Promise<void>): Promise<Took> {
  const cpu = measureCpu();
  const turns = monitorEventLoopDelay({ resolution: 10 });
  turns.enable();
  const began = performance.now();
  await work();
  const ms = performance.now() - began;
  turns.disable();
  return { ms, cpuMs: cpu().total / 1000, longestTurnMs: turns.max / 1e6 };
}

async function writeRows(file: string): Promise<void> {
  const out = createWriteStream(file);
  for (let start = 0; start < rows; start += 10_000) {
    const text = Array.from(
      { length: Math.min(10_000, rows - start) },
      (_, index) => `${rowText(start + index)}\n`,
    ).join('');
    if (!out.write(text)) {
      await once(out, 'drain');
    }
  }
  out.end();
  await once(out, 'close');
}

/** By kcat where it is: the records of any producer are alike, and it takes a tenth of the time. */
async function produce(peer: KafkaPeer, file: string, hasKcat: boolean): Promise<void> {
  await peer.createTopic('bench', 8);
  if (hasKcat) {
    const done = spawnSync(
      'kcat',
      [
        '-P',
        '-b',
        peer.plain,
        '-t',
        'bench',
        '-l',
        file,
        '-q',
        '-X',
        'partitioner=random',
        '-X',
        'linger.ms=50',
        '-X',
        'batch.size=200000',
      ],
      { encoding: 'utf8' },
    );
    if (done.status !== 0) {
      throw new Error(`kcat could not produce: ${done.stderr}`);
    }
    return;
  }
  for (let start = 0; start < rows; start += 4000) {
    await peer.producer.send({
      topic: 'bench',
      acks: 1,
      messages: Array.from({ length: Math.min(4000, rows - start) }, (_, index) => ({
        value: rowText(start + index),
        partition: Math.floor(index / 500),
      })),
    });
  }
}

/** The peer: every record read and thrown away. */
function kcat(brokers: string): Took {
  const began = performance.now();
  const done = spawnSync(
    'bash',
    [
      '-c',
      'TIMEFORMAT="%U %S"; time kcat -C -b "$0" -t bench -o beginning -e -q -u > /dev/null',
      brokers,
    ],
    { encoding: 'utf8' },
  );
  const [user = NaN, system = NaN] = done.stderr.trim().split('\n').at(-1)!.split(' ').map(Number);
  return { ms: performance.now() - began, cpuMs: (user + system) * 1000, longestTurnMs: 0 };
}

const admin = { purpose: 'admin', timeoutMs: 600_000 } as const;

async function fromFile(world: PipeWorld, file: string, table: string): Promise<Took> {
  await world.telemetry.command(sql`CREATE DATABASE IF NOT EXISTS shop`, admin);
  await world.telemetry.command(
    sql`CREATE TABLE ${qualified('shop', table)} (id UInt64, service String, body String, ms Float64)
      ENGINE = MergeTree ORDER BY id`,
    admin,
  );
  const took = await timed(() =>
    world.telemetry.command(
      sql`INSERT INTO ${qualified('shop', table)} SELECT *
        FROM file(${literal(file)}, 'JSONEachRow', 'id UInt64, service String, body String, ms Float64')`,
      admin,
    ),
  );
  await world.telemetry.command(sql`DROP TABLE ${qualified('shop', table)} SYNC`, admin);
  return took;
}

/**
 * From the first look of the supervisor at the new pipe to the last row: connecting and joining the
 * group included.
 */
async function fromKafka(
  world: PipeWorld,
  brokers: string,
  table: string,
  isMapped: boolean,
): Promise<Took> {
  let id = '';
  const took = await timed(async () => {
    const pipe = { ...definition('bench', table, brokers), ...(isMapped && { fieldMappings }) };
    ({ id } = await world.create(pipe));
    await untilCount(world, table, rows);
  });
  const [sums] = await world.rows(
    sql`SELECT uniqExact(id), sum(id) FROM ${qualified('shop', table)}`,
  );
  if (String(sums) !== `${rows},${(rows * (rows - 1)) / 2}`) {
    throw new Error(`the table does not hold what was produced: ${String(sums)}`);
  }
  // The next round shall not share the machine with this pipe.
  await world.call('deletePipe', { params: { pipeId: id } });
  await world.telemetry.command(sql`DROP TABLE ${qualified('shop', table)} SYNC`, admin);
  return took;
}

/** Looks rarely: looking is work too. */
async function untilCount(world: PipeWorld, table: string, wanted: number): Promise<void> {
  let first: { atMs: number; rows: number } | undefined;
  await eventually(
    async () => {
      const counted = await world.rows(
        sql`SELECT sum(rows) FROM system.parts WHERE active AND database = 'shop' AND table = ${table}`,
      );
      const stored = Number(counted[0]?.[0]);
      if (stored > 0) {
        first ??= { atMs: performance.now(), rows: stored };
      }
      if (!first || stored < wanted) {
        throw new Error(`${stored} of ${wanted} rows are stored`);
      }
      const seconds = (performance.now() - first.atMs) / 1000;
      const rest = Math.round((stored - first.rows) / seconds).toLocaleString('en');
      console.log(`  after the first ${first.rows.toLocaleString('en')} rows: ${rest} rows/s`);
    },
    600_000,
    100,
  );
}

async function throughput(
  peer: KafkaPeer,
  world: PipeWorld,
  folder: string,
  isMapped: boolean,
): Promise<void> {
  const hasKcat = spawnSync('kcat', ['-V'], { stdio: 'ignore' }).status === 0;
  const file = join(folder, 'rows.ndjson');
  await writeRows(file);
  await produce(peer, file, hasKcat);
  const took = { file: [] as Took[], kcat: [] as Took[], pipe: [] as Took[] };
  for (let round = 0; round < rounds; round++) {
    took.file.push(await fromFile(world, file, `direct${round}`));
    if (hasKcat) {
      took.kcat.push(kcat(peer.plain));
    }
    took.pipe.push(await fromKafka(world, peer.plain, `piped${round}`, isMapped));
    for (const name of ['file', 'kcat', 'pipe'] as const) {
      if (took[name][round]) {
        line(`round ${round + 1}: ${name}`, took[name][round]!);
      }
    }
  }
  const [direct, piped] = [best(took.file), best(took.pipe)];
  console.log(
    `${rows.toLocaleString('en')} records in 8 partitions, ${rounds} rounds, the best of each:`,
  );
  line('INSERT … SELECT FROM file()', direct);
  line('Kafka into a table, joining included', piped);
  const ratio = perSecond(piped) / perSecond(direct);
  verdict(ratio >= 0.5, `rows/s ${ratio.toFixed(2)}x of file() (target >= 0.5x)`);
  if (!hasKcat) {
    return console.log(
      'MISS  CPU not compared: kcat is not installed (Debian: apt-get install kcat)',
    );
  }
  const consumed = best(took.kcat);
  line('kcat to /dev/null', consumed);
  const cpuRatio = cpuPerRow(piped) / (cpuPerRow(consumed) + cpuPerRow(direct));
  verdict(
    cpuRatio <= 2,
    `CPU a row ${cpuRatio.toFixed(2)}x of kcat and file() together (target <= 2x)`,
  );
}

/**
 * 1,000 records a second in hundreds, each sent one by one in time; from the broker's word that it
 * has one to the first look that sees it.
 */
async function latency(peer: KafkaPeer, world: PipeWorld): Promise<void> {
  await peer.createTopic('latency', 4);
  await world.create({
    ...definition('latency', 'latency', peer.plain),
    destination: {
      database: 'shop',
      table: 'latency',
      columns: [
        { name: 'id', type: 'UInt64' },
        { name: 'sent', type: 'Int64' },
      ],
    },
  });
  const seen: number[] = [];
  const waiting: { id: number; sentAtMs: number }[] = [];
  const sending = new AbortController();
  const looking = (async () => {
    while (!sending.signal.aborted || waiting.length > 0) {
      const [newest] =
        (await world
          .rows(
            sql`SELECT groupUniqArray(id) FROM shop.latency WHERE id % 100 = 99 AND id > ${(waiting[0]?.id ?? 0) - 1}`,
          )
          .catch(() => [])) ?? [];
      const there = new Set(((newest?.[0] as string[] | undefined) ?? []).map(Number));
      const now = Date.now();
      for (let index = waiting.length - 1; index >= 0; index--) {
        if (there.has(waiting[index]!.id)) {
          seen.push(now - waiting.splice(index, 1)[0]!.sentAtMs);
        }
      }
      await pause(25);
    }
  })();
  for (let tick = 0; tick < 200; tick++) {
    const began = Date.now();
    await peer.producer.send({
      topic: 'latency',
      messages: Array.from({ length: 100 }, (_, index) => ({
        value: `{"id":${tick * 100 + index},"sent":${began}}`,
        partition: (tick + index) % 4,
      })),
    });
    waiting.push({ id: tick * 100 + 99, sentAtMs: Date.now() });
    await pause(Math.max(0, 100 - (Date.now() - began)));
  }
  sending.abort();
  await looking;
  const sorted = seen.slice(20).sort((a, b) => a - b);
  const quantile = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? NaN;
  console.log(
    `commit to visible at 1,000 messages/s, wait setting ${waitMs} ms: ` +
      `p50 ${quantile(0.5)} ms, p95 ${quantile(0.95)} ms, most ${sorted.at(-1)} ms ` +
      '(looked at every 25 ms; the first two seconds left out)',
  );
  verdict(
    quantile(0.95) <= waitMs + 500,
    `p95 ${quantile(0.95)} ms (target <= ${waitMs + 500} ms)`,
  );
}

const folder = mkdtempSync(join(tmpdir(), 'sightline-bench-pipes-'));
const [peer, world] = await Promise.all([startKafka(), pipeWorld()]);
try {
  world.pipes.start();
  if (only !== 'latency') {
    await throughput(peer, world, folder, only === 'mapped');
  }
  if (only === undefined || only === 'latency') {
    await latency(peer, world);
  }
} finally {
  await world.close();
  await peer.remove();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);
