import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createLog } from '../src/adapters/ambient/log.ts';
import { openClickHouse } from '../src/adapters/telemetry/clickhouse.ts';
import { ChartRequest } from '../src/contract/query/chart.ts';
import { Source } from '../src/contract/source.ts';
import { createQuery } from '../src/core/query/index.ts';
import { startTestApp } from '../test/kit/app.ts';
import { startCluster } from '../test/kit/clickhouse-cluster.ts';
import { openSharded, serverAsk, type Sharded } from '../test/kit/sharded.ts';
import { chartCases, logSource } from './chart-cases.ts';
import { measureCpu } from './cpu-time.ts';
import { datasetStart, logChunks } from './dataset.ts';
import { logsRequest } from './log-records.ts';

/**
 * Charts over the same rows on one, two and three shards, and telemetry into them. All servers run
 * on this machine, so more shards have no more processors: what counts is the CPU time, and the
 * bytes between the nodes. Build first (`npm run build`), because large requests are encoded in
 * workers. `npx tsx bench/shards.ts [--rows 30000000] [--rounds 3] [--records 1000000]
 * [--shards 1,2,3]`
 */
const database = 'sightline';

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '30000000' },
    rounds: { type: 'string', default: '3' },
    records: { type: 'string', default: '1000000' },
    shards: { type: 'string', default: '1,2,3' },
  },
});
const rounds = Number(values.rounds);
/** A number with decimals. */
const fraction = /-?\d+\.\d+(?:e[+-]?\d+)?/g;
/** The answer of each chart on the first cluster. */
const answers = new Map<string, string>();

for (const shards of values.shards.split(',').map(Number)) {
  const servers = await openServers(shards);
  const load = (): string => `load ${loadavg()[0]!.toFixed(1)}`;
  console.log(`${shards} shards  ${load()} before`);
  try {
    await measureIngest(servers, shards);
    await servers.telemetry.migrate(database);
    await fill(servers, shards);
    for (const each of chartCases) {
      await measureChart(servers, shards, each);
    }
    console.log(`${shards} shards  ${load()} after`);
  } finally {
    await servers.close();
  }
}

type Servers = Pick<Sharded, 'telemetry' | 'ask' | 'counts' | 'close'>;

/** One server has plain tables. */
function stored(table: string, shards: number): string {
  return shards === 1 ? table : `${table}_local`;
}

async function openServers(shards: number): Promise<Servers> {
  if (shards > 1) {
    return openSharded(shards);
  }
  const cluster = await startCluster(1);
  const telemetry = await openClickHouse({ url: cluster.servers[0]!.url });
  const ask = serverAsk(cluster);
  return {
    telemetry,
    ask,
    counts: async (table) => [Number(await ask(0, `SELECT count() FROM ${table}`))],
    async close() {
      await telemetry.close();
      await cluster.close();
    },
  };
}

/** Each half million rows goes to the next shard, as blocks of telemetry do. */
async function fill({ ask }: Servers, shards: number): Promise<void> {
  let next = 0;
  for (const { statement } of logChunks(
    database,
    stored('otel_logs', shards),
    Number(values.rows),
  )) {
    await ask(next++ % shards, statement.text);
  }
  for (let shard = 0; shard < shards; shard++) {
    await ask(shard, `OPTIMIZE TABLE ${database}.${stored('otel_logs_1m', shards)} FINAL`);
  }
}

async function measureChart(
  servers: Servers,
  shards: number,
  { name, request }: (typeof chartCases)[number],
): Promise<void> {
  const source = Source.parse(logSource(database));
  const query = createQuery({
    telemetry: servers.telemetry,
    workspaceDatabase: () => Promise.resolve(database),
    clock: { now: () => datasetStart + 40 * 86_400_000 },
    limits: { timeoutMs: 120_000 },
    cache: { maxBytes: 0 },
  });
  const parsed = ChartRequest.parse(request);
  const chart = () => query.series(parsed, () => Promise.resolve(source));
  const answer = JSON.stringify(await chart());
  const expected = answers.get(name) ?? answer;
  answers.set(name, expected);
  let bestMs = Infinity;
  const bytesBefore = await receivedBytes(servers, shards);
  const cpu = measureCpu();
  for (let round = 0; round < rounds; round++) {
    const startMs = performance.now();
    await chart();
    bestMs = Math.min(bestMs, performance.now() - startMs);
  }
  const cpuMs = cpu().total / 1000 / rounds;
  const bytes = ((await receivedBytes(servers, shards)) - bytesBefore) / rounds;
  console.log(
    `${shards} shards  ${name.padEnd(42)} ${bestMs.toFixed(1).padStart(8)} ms  ` +
      `CPU ${cpuMs.toFixed(1).padStart(8)} ms  received ${(bytes / 1024).toFixed(1)} KiB  ` +
      sameness(expected, answer),
  );
}

/** Sums of fractions depend on their order, and quantiles on the rows that the engine samples. */
function sameness(expected: string, answer: string): string {
  if (answer === expected) {
    return 'identical';
  }
  const shape = (text: string): string => text.replace(fraction, '');
  if (shape(expected) !== shape(answer)) {
    return 'NOT THE SAME';
  }
  const [before, now] = [expected, answer].map((text) => text.match(fraction)!.map(Number));
  const differences = before!.map((value, index) => Math.abs(now![index]! / value - 1));
  return `the same but for fractions, at most ${Math.max(...differences).toExponential(1)} apart`;
}

/** By all servers: statements, and what shards send to the one that was asked. */
async function receivedBytes({ ask }: Servers, shards: number): Promise<number> {
  let sum = 0;
  for (let shard = 0; shard < shards; shard++) {
    sum += Number(
      await ask(shard, "SELECT sum(value) FROM system.events WHERE event = 'NetworkReceiveBytes'"),
    );
  }
  return sum;
}

/** OTLP over HTTP in requests of 5,000, four at a time, answered when they are stored and synced. */
async function measureIngest({ telemetry, counts }: Servers, shards: number): Promise<void> {
  const rows = 5000;
  const requests = Number(values.records) / rows;
  const folder = mkdtempSync(join(tmpdir(), 'sightline-bench-shards-'));
  const key = 'the-ingestion-key-of-the-benchmark';
  const app = await startTestApp({
    folder,
    roles: ['ingest'],
    config: { clickhouseDatabase: 'ingest', bootstrapIngestionKey: key },
    log: createLog({ level: 'warn' }),
    parts: { telemetry },
  });
  let next = 0;
  let refusals = 0;
  const post = (body: Buffer<ArrayBuffer>): Promise<Response> =>
    fetch(`${app.addresses.otlpHttp}/v1/logs`, {
      method: 'POST',
      body,
      headers: { authorization: key, 'content-type': 'application/x-protobuf' },
    });
  /** Repeats what is refused for now, as a collector does. */
  const send = async (until: number): Promise<void> => {
    while (next < until) {
      const body = Buffer.from(logsRequest({ rows, batch: next++ }));
      let response = await post(body);
      while (response.status === 429 || response.status === 503) {
        refusals++;
        await response.arrayBuffer();
        await pause(1000);
        response = await post(body);
      }
      if (response.status !== 200) {
        throw new Error(`HTTP ${response.status}: ${await response.text()}`);
      }
      await response.arrayBuffer();
    }
  };
  const together = (until: number) => Promise.all([1, 2, 3, 4].map(() => send(until)));
  const warm = Math.ceil(requests / 5);
  await together(warm);
  const cpu = measureCpu();
  const startMs = performance.now();
  await together(warm + requests);
  const seconds = (performance.now() - startMs) / 1000;
  const { own, engine } = cpu();
  const records = requests * rows;
  console.log(
    `${shards} shards  ${Math.round(records / seconds)} log records/s, ` +
      `${(own / records).toFixed(1)} µs CPU each in this process (with the sender), ` +
      `${(engine / records).toFixed(1)} µs in the servers; ${refusals} refusals; rows by shard ` +
      (await counts(`ingest.${stored('otel_logs', shards)}`)).join(', '),
  );
  await app.stop();
  rmSync(folder, { recursive: true, force: true });
}
