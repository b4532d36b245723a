import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { identifier, sql } from '../src/sql/sql.ts';
import { findPostgres, startPostgres } from '../test/kit/postgres.ts';
import { until } from '../test/kit/eventually.ts';
import { pipeWorld } from '../test/pipes/pipe-world.ts';
import { measureCpu, perUnit, type CpuTime } from './cpu-time.ts';

/**
 * A PostgreSQL pipe against PostgreSQL's own programs, in one run: the snapshot against COPY in
 * binary form to nowhere, the stream against pg_recvlogical to nowhere over the same log, and how
 * soon a commit can be queried. Usage: npx tsx bench/cdc.ts [ROWS OF THE SNAPSHOT] [CHANGES IN THE
 * STREAM] [PARTS: snapshot,stream,latency]
 */
const snapshotRows = Number(process.argv[2] ?? 2_000_000);
const changes = Number(process.argv[3] ?? 1_000_000);
const parts = (process.argv[4] ?? 'snapshot,stream,latency').split(',');
const latencySeconds = 20;
const snapshotRounds = 3;

const bin = findPostgres();
if (bin === undefined) {
  throw new Error('PostgreSQL was not found: install it (Debian: apt-get install postgresql)');
}
const verdict = (met: boolean): string => (met ? 'PASS' : 'MISS');
const perSecond = (rows: number, ms: number): number => Math.round((rows / ms) * 1000);

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1]!;

const peer = await startPostgres({
  wal_level: 'logical',
  max_wal_size: '8GB',
  shared_buffers: '256MB',
  synchronous_commit: 'off',
  logical_decoding_work_mem: '64MB',
});
const world = await pipeWorld();
const client = new Client({ connectionString: peer.url });
await client.connect();
world.pipes.start();
try {
  if (parts.includes('snapshot')) {
    await snapshot();
  }
  if (parts.includes('stream')) {
    await stream();
  }
  if (parts.includes('latency')) {
    await latency();
  }
} finally {
  await client.end();
  await world.close();
  await peer.remove();
}
process.exit(0);

function program(name: string, args: readonly string[]): number {
  const startedAt = performance.now();
  const { status, stderr } = spawnSync(join(bin!, name), args, {
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  if (status !== 0) {
    throw new Error(`${name} failed: ${stderr}`);
  }
  return performance.now() - startedAt;
}

async function createTable(name: string): Promise<void> {
  await client.query(
    `CREATE TABLE ${name} (id bigint PRIMARY KEY, customer integer NOT NULL,
      amount numeric(12, 2) NOT NULL, status text NOT NULL, at timestamptz NOT NULL, note text)`,
  );
}

function rowsOf(from: number, to: number): string {
  return `SELECT n, n % 100003, n / 7.0, (ARRAY['new', 'paid', 'shipped', 'returned'])[n % 4 + 1],
      '2024-01-01'::timestamptz + n * interval '37 milliseconds',
      'order ' || n || ' was placed by customer ' || n % 100003
    FROM generate_series(${from}, ${to}) n`;
}

async function createPipe(table: string, settings: object, targetTable = table) {
  return world.create({
    source: {
      postgres: {
        host: '127.0.0.1',
        port: peer.port,
        database: 'postgres',
        credentials: { username: 'postgres', password: 'none' },
        settings,
        tableMappings: [{ sourceSchemaName: 'public', sourceTable: table, targetTable }],
      },
    },
    destination: { database: 'shop' },
    scaling: { replicaMemoryGb: 2, replicaCpuMillicores: 1000 },
  });
}

async function failed(pipeId: string): Promise<void> {
  const { state, stateMessage } = await world.get(pipeId);
  if (state === 'Failed') {
    throw new Error(stateMessage);
  }
}

/**
 * Both in turn; the copy's first round reads from disk, and the pipe's loads what a process loads
 * once: the medians have neither.
 */
async function snapshot(): Promise<void> {
  await createTable('snapshot_rows');
  await client.query(`INSERT INTO snapshot_rows ${rowsOf(1, snapshotRows)}`);
  await client.query('VACUUM ANALYZE snapshot_rows');
  const rounds: { copyMs: number; ms: number; cpu: CpuTime }[] = [];
  for (let round = 0; round < snapshotRounds; round++) {
    const copyMs = program('psql', [
      peer.url,
      '-q',
      '-c',
      '\\copy snapshot_rows TO /dev/null WITH (FORMAT BINARY)',
    ]);
    rounds.push({ copyMs, ...(await snapshotByPipe(`snapshot_${round}`)) });
  }
  const copyMs = median(rounds.map((one) => one.copyMs));
  const ms = median(rounds.map((one) => one.ms));
  const { cpu } = rounds.toSorted((a, b) => a.cpu.total - b.cpu.total)[rounds.length >> 1]!;
  const ratios = rounds.map((one) => one.copyMs / one.ms);
  console.log(
    `snapshot: ${perSecond(snapshotRows, ms)} rows/s, ` +
      `${perUnit(cpu, snapshotRows)} a row; ` +
      `COPY BINARY to /dev/null: ${perSecond(snapshotRows, copyMs)} rows/s; ` +
      `ratio ${median(ratios).toFixed(2)} ` +
      `(${ratios.map((ratio) => ratio.toFixed(2)).join(', ')}; target 0.6) ` +
      `${verdict(median(ratios) >= 0.6)}`,
  );
}

async function snapshotByPipe(targetTable: string): Promise<{ ms: number; cpu: CpuTime }> {
  const cpu = measureCpu();
  const startedAtMs = performance.now();
  const pipe = await createPipe('snapshot_rows', { replicationMode: 'snapshot' }, targetTable);
  await until(
    'the snapshot',
    async () => {
      await failed(pipe.id);
      return (await world.get(pipe.id)).state === 'Completed';
    },
    170_000,
  );
  const took = { ms: performance.now() - startedAtMs, cpu: cpu() };
  const [stored] = (await world.rows(sql`SELECT count() FROM shop.${identifier(targetTable)}`))[0]!;
  if (Number(stored) !== snapshotRows) {
    throw new Error(`${String(stored)} rows of ${snapshotRows} were stored`);
  }
  return took;
}

/**
 * Seven inserts, two updates and a delete of ten, in transactions of a thousand changes; both read
 * the same log from the same place.
 */
async function stream(): Promise<void> {
  await createTable('stream_rows');
  await client.query('CREATE PUBLICATION bench_stream FOR TABLE stream_rows');
  for (const slot of ['bench_bare', 'bench_pipe']) {
    await client.query(`SELECT pg_create_logical_replication_slot('${slot}', 'pgoutput')`);
  }
  for (let from = 1; from <= changes * 0.7; from += 700) {
    await client.query(
      `BEGIN;
        INSERT INTO stream_rows ${rowsOf(from, from + 699)};
        UPDATE stream_rows SET status = 'paid', amount = amount + 1
          WHERE id BETWEEN ${from} AND ${from + 199};
        DELETE FROM stream_rows WHERE id BETWEEN ${from + 300} AND ${from + 399};
        COMMIT`,
    );
  }
  const {
    rows: [end],
  } = await client.query<{ lsn: string }>('SELECT pg_current_wal_insert_lsn()::text AS lsn');
  const bareMs = program('pg_recvlogical', [
    '-d',
    peer.url,
    '-S',
    'bench_bare',
    '--start',
    '-f',
    '/dev/null',
    '-o',
    'proto_version=1',
    '-o',
    'publication_names=bench_stream',
    '--endpos',
    end!.lsn,
    '--no-loop',
  ]);
  const {
    rows: [expected],
  } = await client.query<{ rows: string }>('SELECT count(*) AS rows FROM stream_rows');
  const cpu = measureCpu();
  const startedAtMs = performance.now();
  const pipe = await createPipe('stream_rows', {
    replicationMode: 'cdc_only',
    publicationName: 'bench_stream',
    replicationSlotName: 'bench_pipe',
    syncIntervalSeconds: 1,
  });
  await until(
    'the stream',
    async () => {
      await failed(pipe.id);
      const columns = await world.telemetry.columns('shop', 'stream_rows');
      world.telemetry.forgetColumns('shop', 'stream_rows');
      return (
        columns.length > 0 &&
        (await world.metrics(pipe.id)).rows >= (changes / 1000) * 1000 - 1000 &&
        Number(
          (
            await world.rows(
              sql`SELECT count() FROM shop.stream_rows FINAL WHERE NOT ${identifier('_pipe_deleted')}`,
            )
          )[0]![0],
        ) === Number(expected!.rows)
      );
    },
    170_000,
  );
  const ms = performance.now() - startedAtMs;
  console.log(
    `stream: ${perSecond(changes, ms)} changes/s, ` +
      `${(cpu().total / changes).toFixed(2)} µs CPU a change (engine and reader); ` +
      'pg_recvlogical to /dev/null: ' +
      `${perSecond(changes, bareMs)} changes/s; ratio ${(bareMs / ms).toFixed(2)} (target 0.5) ` +
      `${verdict(bareMs / ms >= 0.5)}`,
  );
}

async function latency(): Promise<void> {
  await createTable('latency_rows');
  const pipe = await createPipe('latency_rows', { syncIntervalSeconds: 1 });
  await until('Running', async () => {
    await failed(pipe.id);
    return (await world.get(pipe.id)).state === 'Running';
  });
  const sent: { id: number; sentAtMs: number }[] = [];
  const seen: number[] = [];
  const writer = (async () => {
    for (let id = 1; id <= latencySeconds * 50; id++) {
      await client.query(`INSERT INTO latency_rows ${rowsOf(id, id)}`);
      sent.push({ id, sentAtMs: performance.now() });
      await pause(20);
    }
  })();
  const deadline = performance.now() + (latencySeconds + 20) * 1000;
  while (seen.length < latencySeconds * 50 && performance.now() < deadline) {
    const newest = Number(
      (await world.rows(sql`SELECT max(id) FROM shop.latency_rows`))[0]?.[0] ?? 0,
    );
    const now = performance.now();
    while (sent[0] && sent[0].id <= newest) {
      seen.push(now - sent.shift()!.sentAtMs);
    }
    await pause(20);
  }
  await writer;
  if (seen.length < latencySeconds * 50) {
    throw new Error(`${latencySeconds * 50 - seen.length} rows were not seen`);
  }
  seen.sort((a, b) => a - b);
  const p95 = seen[Math.floor(seen.length * 0.95)]!;
  console.log(
    'commit to queryable, syncIntervalSeconds 1: ' +
      `p50 ${Math.round(seen[seen.length >> 1]!)} ms, p95 ${Math.round(p95)} ms (target 2000) ` +
      `${verdict(p95 <= 2000)}`,
  );
}
