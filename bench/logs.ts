import { once } from 'node:events';
import { createServer } from 'node:http';
import { loadavg } from 'node:os';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Program } from '../test/kit/program.ts';
import { freePort } from '../test/kit/s3.ts';
import { logCorpus, type Corpus } from './log-corpus.ts';
import { startVictoriaLogs } from './peers/victoria-logs.ts';
import { EngineTime } from './engine-time.ts';
import { openApi } from './open-api.ts';
import { folderBytes, processUse } from './process-use.ts';
import { recordedCorpus } from './recorded-corpus.ts';

/**
 * Logs from OTLP/HTTP to queries, the whole program, and VictoriaLogs beside it if its program is
 * given: rows/s, CPU a row, disk, memory and seven queries. Build first (`npm run build`).
 * `npx tsx bench/logs.ts [--records 1000000] [--request 5000] [--connections 4]
 * [--settle-minutes 0] [--folder <requests>] [--peer <program>]`; the path of the peer may also be
 * in BENCH_VICTORIA_LOGS. A folder has OTLP requests (protobuf) to send instead, one in each file.
 * The size on disk needs `--settle-minutes 2`: the intake log keeps files for later blocks for a
 * minute, and the engine keeps parts that a merge has replaced for half a minute.
 */
const { values: options } = parseArgs({
  options: {
    records: { type: 'string', default: '1000000' },
    request: { type: 'string', default: '5000' },
    connections: { type: 'string', default: '4' },
    'settle-minutes': { type: 'string', default: '0' },
    folder: { type: 'string' },
    peer: { type: 'string' },
  },
});
const peerProgram = options.peer ?? process.env['BENCH_VICTORIA_LOGS'];
const connections = Number(options.connections);
const ingestionKey = 'sli_benchlogs0000000000000000000000000000000';
const accessKey = 'slp_benchlogs0000000000000000000000000000000';
const queryRounds = 5;
const warmUpMs = 3000;

interface Side {
  name: string;
  pid: number;
  folder: string;
  send(body: Buffer): Promise<void>;
  /** Number of records that a query sees. */
  count(): Promise<number>;
  /** Resolves with the number of rows of the answer. */
  queries: Record<QueryName, () => Promise<number>>;
  /** Milliseconds of some queries inside the engine; undefined if it is no process of its own. */
  engineMs(queries: () => Promise<void>): Promise<number | undefined>;
  stop(): Promise<void>;
}

const queryNames = [
  'count per minute and service',
  'errors per minute and service',
  'newest 100',
  'newest 100 of a service',
  'frequent word, newest 100',
  'token of one record',
  'trace id',
] as const;
type QueryName = (typeof queryNames)[number];

const corpus =
  options.folder === undefined
    ? logCorpus(Number(options.records), Number(options.request))
    : recordedCorpus(options.folder);
console.log(
  `${corpus.records} records, ${(corpus.bytes / 2 ** 20).toFixed(0)} MiB of OTLP, ` +
    `${Math.round(corpus.records / corpus.requests.length)} a request, ` +
    `${connections} connections, ` +
    `load ${loadavg()[0]!.toFixed(1)}`,
);
if (peerProgram === undefined) {
  console.log('VictoriaLogs is not compared: give its program with --peer');
}
await warmUp();
for (const open of [openSightline, ...(peerProgram === undefined ? [] : [openVictoriaLogs])]) {
  const side = await open();
  try {
    await measure(side);
  } finally {
    await side.stop();
  }
}
process.exit(0);

/**
 * Sends to a server that discards the requests. Else only the first side would have a sender whose
 * code is not compiled yet.
 */
async function warmUp(): Promise<void> {
  const port = await freePort();
  const server = createServer((request, response) => {
    request.resume().once('end', () => response.end());
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${port}`;
  const endMs = performance.now() + warmUpMs;
  while (performance.now() < endMs) {
    await Promise.all(corpus.requests.slice(0, connections).map((body) => post(url, body, {})));
  }
  server.close();
  server.closeAllConnections();
}

async function measure(side: Side): Promise<void> {
  const before = processUse(side.pid);
  const startMs = performance.now();
  const peakMib = await sendAll(side, corpus.requests);
  const seconds = (performance.now() - startMs) / 1000;
  const sent = processUse(side.pid);
  await untilIdle(side);
  const settled = processUse(side.pid);
  await pause(Number(options['settle-minutes']) * 60_000);
  const { residentMib } = processUse(side.pid);
  const stored = await side.count();
  const us = (cpu: number): string => ((cpu - before.cpuUs) / corpus.records).toFixed(2);
  console.log(`\n${side.name}: ${stored} records, load ${loadavg()[0]!.toFixed(1)}`);
  console.log(`  ${Math.round(corpus.records / seconds).toLocaleString('en')} rows/s`);
  console.log(`  ${(corpus.bytes / 2 ** 20 / seconds).toFixed(1)} MiB/s of OTLP`);
  console.log(`  ${us(sent.cpuUs)} µs CPU a row, ${us(settled.cpuUs)} with the merges after it`);
  console.log(`  ${(folderBytes(side.folder) / corpus.records).toFixed(1)} bytes a record on disk`);
  console.log(`  ${peakMib.toFixed(0)} MiB of memory at most, ${residentMib.toFixed(0)} after`);
  for (const name of queryNames) {
    const { rows, ms, engineMs } = await timed(side, name);
    const inside = engineMs === undefined ? '' : `, ${engineMs.toFixed(1)} of them in the engine`;
    console.log(`  ${name.padEnd(30)} ${ms.toFixed(1).padStart(8)} ms${inside}, ${rows} rows`);
  }
}

/** Answers the largest memory that was seen, in MiB. */
async function sendAll(side: Side, requests: readonly Buffer[]): Promise<number> {
  const rest = requests.values();
  let peakMib = 0;
  const work = Array.from({ length: connections }, async () => {
    for (const body of rest) {
      await side.send(body);
    }
  });
  const watch = setInterval(() => {
    peakMib = Math.max(peakMib, processUse(side.pid).residentMib);
  }, 500);
  await Promise.all(work);
  clearInterval(watch);
  return peakMib;
}

/** Waits until the process has been idle for two seconds, at most two minutes. */
async function untilIdle(side: Side): Promise<void> {
  let idle = 0;
  for (let second = 0; second < 120 && idle < 2; second++) {
    const { cpuUs } = processUse(side.pid);
    await pause(1000);
    idle = processUse(side.pid).cpuUs - cpuUs < 50_000 ? idle + 1 : 0;
  }
}

interface Timing {
  rows: number;
  ms: number;
  engineMs: number | undefined;
}

/** The fastest of some rounds. */
async function timed({ queries, engineMs }: Side, name: QueryName): Promise<Timing> {
  let best: Timing = { rows: 0, ms: Infinity, engineMs: undefined };
  for (let round = 0; round < queryRounds; round++) {
    const now = { ...best };
    const ask = async (): Promise<void> => {
      const startMs = performance.now();
      now.rows = await queries[name]();
      now.ms = performance.now() - startMs;
    };
    now.engineMs = await engineMs(ask);
    best = now.ms < best.ms ? now : best;
  }
  return best;
}

/** Sends again what a busy server refuses for now. */
async function post(url: string, body: Buffer, headers: Record<string, string>): Promise<void> {
  for (;;) {
    const response = await fetch(url, { method: 'POST', body: Uint8Array.from(body), headers });
    await response.arrayBuffer();
    if (response.ok) {
      return;
    }
    if (response.status !== 429 && response.status !== 503) {
      throw new Error(`${url}: ${response.status}`);
    }
    await pause(100);
  }
}

async function openSightline(): Promise<Side> {
  const program = new Program({
    SIGHTLINE_BOOTSTRAP_ACCESS_KEY: accessKey,
    SIGHTLINE_BOOTSTRAP_INGESTION_KEY: ingestionKey,
    SIGHTLINE_RATE_LIMIT: '100000/10s',
  });
  const server = await program.serve();
  const call = openApi(server.api, accessKey);
  const engine = await EngineTime.open(program.dataDir);
  const sources = await call<{ id: string; kind: string }[]>('sources');
  const sourceId = sources.find(({ kind }) => kind === 'log')!.id;
  // Whole minutes around all records; each round another range, so that no answer is cached.
  let round = 0;
  const range = ({ startMs, endMs }: Corpus) => ({
    startTime: Math.floor(startMs / 60_000) * 60_000 - 60_000 * ++round,
    endTime: Math.ceil(endMs / 60_000) * 60_000,
  });
  const search = (where: string) => async (): Promise<number> => {
    const request = { sourceId, where, limit: 100, ...range(corpus) };
    return (await call<{ rows: unknown[] }>('search', request)).rows.length;
  };
  const series = async (where: string, groupBy: string[]): Promise<Record<string, unknown>[]> => {
    const one = { sourceId, aggFn: 'count', where, groupBy };
    return call('charts/series', { series: [one], ...range(corpus), granularity: '1m' });
  };
  return {
    name: 'Sightline',
    pid: server.child.pid!,
    folder: program.dataDir,
    send: (body) =>
      post(`${server.otlpHttp}/v1/logs`, body, {
        authorization: ingestionKey,
        'content-type': 'application/x-protobuf',
      }),
    async count() {
      const points = await series('', []);
      return points.reduce((sum, point) => sum + Number(point['series_0.data'] ?? 0), 0);
    },
    queries: {
      'count per minute and service': async () => (await series('', ['ServiceName'])).length,
      'errors per minute and service': async () =>
        (await series('SeverityText:"ERROR"', ['ServiceName'])).length,
      'newest 100': search(''),
      'newest 100 of a service': search('ServiceName:"cart"'),
      'frequent word, newest 100': search('request'),
      'token of one record': search(corpus.needle),
      'trace id': search(`TraceId:"${corpus.traceId}"`),
    },
    engineMs: (queries) => engine.of(queries),
    stop: () => program.remove(),
  };
}

async function openVictoriaLogs(): Promise<Side> {
  const peer = await startVictoriaLogs(resolve(peerProgram!));
  const lines = async (query: string, limit?: number): Promise<string[]> => {
    const body = new URLSearchParams({
      query,
      start: String(corpus.startMs / 1000),
      end: String(corpus.endMs / 1000),
      ...(limit !== undefined && { limit: String(limit) }),
    });
    const response = await fetch(`${peer.url}/select/logsql/query`, { method: 'POST', body });
    const text = await response.text();
    if (!response.ok) {
      throw new Error(`${query}: ${response.status} ${text}`);
    }
    return text.split('\n').filter((line) => line !== '');
  };
  const rows = (query: string, limit?: number) => async () => (await lines(query, limit)).length;
  return {
    name: 'VictoriaLogs',
    pid: peer.pid,
    folder: peer.folder,
    send: (body) =>
      post(`${peer.url}/insert/opentelemetry/v1/logs`, body, {
        'content-type': 'application/x-protobuf',
      }),
    async count() {
      const [line = '{}'] = await lines('* | stats count() as records');
      return Number((JSON.parse(line) as { records?: string }).records);
    },
    queries: {
      'count per minute and service': rows('* | stats by (_time:1m, service.name) count() n'),
      'errors per minute and service': rows(
        'severity:=ERROR | stats by (_time:1m, service.name) count() n',
      ),
      'newest 100': rows('*', 100),
      'newest 100 of a service': rows('service.name:=cart', 100),
      'frequent word, newest 100': rows('request', 100),
      'token of one record': rows(corpus.needle, 100),
      'trace id': rows(`trace_id:=${corpus.traceId}`, 100),
    },
    engineMs: async (queries) => void (await queries()),
    stop: () => peer.stop(),
  };
}
