import { readdirSync, readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '../test/kit/eventually.ts';
import { startKafka } from '../test/kit/kafka.ts';
import { Program } from '../test/kit/program.ts';
import { logsRequest } from './log-records.ts';

/**
 * Whether the program lasts: OTLP at 5,000 rows/s, a chart each second, 1,000 alerts and a Kafka
 * pipe at 500 records/s, for half an hour. Prints each minute, and at the end whether the resident
 * memory of server and engine stays flat after the first third, the p99 of the event loop's delay
 * and the restarts of the engine. `npx tsx bench/endurance.ts [minutes] [rows/s]`; needs Java and
 * Maven.
 *
 * Flat means: the median of the last third is at most a tenth above the median of the second. A leak
 * raises every minute, so it raises the median. One minute says little about the engine: a merge
 * takes up to twice the memory of its rest, and gives it back. The largest minutes of two thirds
 * tell which of them had the larger merge, so they are printed and not judged.
 */
const minutes = Number(process.argv[2] ?? 30);
const rowsPerSecond = Number(process.argv[3] ?? 5000);
const alertCount = 1000;
const recordsPerSecond = 500;
const accessKey = 'slp_endurance0000000000000000000000000000000';
const ingestionKey = 'sli_endurance0000000000000000000000000000000';
const keyId = 'endurance0000000000k';
const keySecret = 'sls_endurance0000000000000000000000000000000';
const organizationId = '11111111-1111-4111-8111-111111111111';
const serviceId = '22222222-2222-4222-8222-222222222222';

interface Sample {
  minute: number;
  serverMib: number;
  engineMib: number;
  delayP99Ms: number;
  restarts: number;
}

const kafka = await startKafka();
await kafka.createTopic('endurance', 4);
const program = new Program({
  SIGHTLINE_EGRESS_ALLOW: '127.0.0.1',
  SIGHTLINE_RATE_LIMIT: '100000/10s',
  SIGHTLINE_BOOTSTRAP_ACCESS_KEY: accessKey,
  SIGHTLINE_BOOTSTRAP_INGESTION_KEY: ingestionKey,
  SIGHTLINE_BOOTSTRAP_ORGANIZATION_ID: organizationId,
  SIGHTLINE_BOOTSTRAP_SERVICE_ID: serviceId,
  SIGHTLINE_BOOTSTRAP_KEY_ID: keyId,
  SIGHTLINE_BOOTSTRAP_KEY_SECRET: keySecret,
});
const server = await program.serve();
const ends = new AbortController();
const failures: string[] = [];
let recordsSent = 0;
const chartMs: number[] = [];

try {
  const sourceId = await prepare();
  const work = [
    everySecond(sendRows),
    everySecond(() => runChart(sourceId)),
    everySecond(produceRecords),
  ];
  const samples = await observe();
  ends.abort();
  await Promise.allSettled(work);
  report(samples);
  await checkPipe();
} finally {
  await program.remove();
  await kafka.remove();
}
process.exit(0);

/** Waits until the pipe has stored every record. */
async function checkPipe(): Promise<void> {
  const path = `/v1/organizations/${organizationId}/services/${serviceId}/pipes`;
  const [pipe] = await call<{ id: string }[]>('GET', path);
  const rows = await eventually(
    async () => {
      const metrics = await call<{ rows: number }>('GET', `${path}/${pipe!.id}/metrics`);
      if (metrics.rows < recordsSent) {
        throw new Error(`the pipe stored ${metrics.rows} of ${recordsSent} records`);
      }
      return metrics.rows;
    },
    60_000,
    500,
  );
  verdict(rows === recordsSent, `the pipe stored ${rows} of ${recordsSent} records`);
}

/** The alerts and the pipe; gives the id of the log source. */
async function prepare(): Promise<string> {
  const sources = await call<{ id: string; kind: string }[]>('GET', '/api/v2/sources');
  const sourceId = sources.find(({ kind }) => kind === 'log')!.id;
  const webhook = await call<{ id: string }>('POST', '/api/v2/webhooks', {
    name: 'endurance',
    service: 'generic',
    url: 'https://hooks.example.com/alerts',
  });
  const search = await call<{ id: string }>('POST', '/api/v2/saved-searches', {
    name: 'errors',
    sourceId,
    where: 'SeverityText:"ERROR"',
  });
  for (let index = 0; index < alertCount; index++) {
    await call('POST', '/api/v2/alerts', {
      name: `alert ${index}`,
      source: 'saved_search',
      savedSearchId: search.id,
      interval: '1m',
      threshold: 1e9 + index,
      thresholdType: 'above',
      channel: { type: 'webhook', webhookId: webhook.id },
    });
  }
  await call('POST', `/v1/organizations/${organizationId}/services/${serviceId}/pipes`, {
    name: 'endurance',
    source: { kafka: { brokers: kafka.plain, topics: 'endurance', format: 'JSONEachRow' } },
    destination: {
      database: 'default',
      table: 'orders',
      columns: [
        { name: 'id', type: 'UInt64' },
        { name: 'body', type: 'String' },
      ],
      tableDefinition: { sortingKey: ['id'] },
    },
  });
  return sourceId;
}

async function call<T>(method: string, path: string, body?: object): Promise<T> {
  const isManaged = path.startsWith('/v1/');
  const credentials = Buffer.from(`${keyId}:${keySecret}`).toString('base64');
  const response = await fetch(server.api + path, {
    method,
    headers: {
      authorization: isManaged ? `Basic ${credentials}` : `Bearer ${accessKey}`,
      'content-type': 'application/json',
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) {
    throw new Error(`${method} ${path}: ${response.status} ${text}`);
  }
  const json = JSON.parse(text) as { data?: T; result?: T };
  return (json.data ?? json.result)!;
}

/** At each second; a turn that takes longer leaves out the seconds that it missed. */
async function everySecond(work: (second: number) => Promise<void>): Promise<void> {
  for (let second = 0; !ends.signal.aborted; second++) {
    const startMs = performance.now();
    try {
      await work(second);
    } catch (error) {
      failures.push(String(error));
    }
    await pause(Math.max(0, 1000 - (performance.now() - startMs)));
  }
}

async function sendRows(second: number): Promise<void> {
  const body = logsRequest({
    rows: rowsPerSecond,
    batch: second,
    startMs: Date.now(),
    stepMs: 1000 / rowsPerSecond,
  });
  const response = await fetch(`${server.otlpHttp}/v1/logs`, {
    method: 'POST',
    headers: { authorization: ingestionKey, 'content-type': 'application/x-protobuf' },
    body: Buffer.from(body),
  });
  await response.arrayBuffer();
  if (!response.ok) {
    throw new Error(`OTLP: ${response.status}`);
  }
}

async function runChart(sourceId: string): Promise<void> {
  const startMs = performance.now();
  await call('POST', '/api/v2/charts/series', {
    series: [{ sourceId, aggFn: 'count', where: '', groupBy: ['ServiceName'] }],
    startTime: Date.now() - 900_000,
    endTime: Date.now(),
    granularity: '1m',
  });
  chartMs.push(performance.now() - startMs);
}

async function produceRecords(second: number): Promise<void> {
  await kafka.producer.send({
    topic: 'endurance',
    messages: Array.from({ length: recordsPerSecond }, (_, index) => ({
      value: JSON.stringify({ id: second * recordsPerSecond + index, body: 'order paid by card' }),
    })),
  });
  recordsSent += recordsPerSecond;
}

async function observe(): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (let minute = 1; minute <= minutes; minute++) {
    await pause(60_000);
    const metrics = await (await fetch(`${server.api}/metrics`)).text();
    const metric = (name: string): number =>
      Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'm').exec(metrics)?.[1] ?? NaN);
    const sample = {
      minute,
      serverMib: residentMib(server.child.pid!),
      engineMib: residentMib(engineOf(server.child.pid!)),
      delayP99Ms: metric('nodejs_eventloop_lag_p99_seconds') * 1000,
      restarts: metric('sightline_engine_restarts_total'),
    };
    samples.push(sample);
    console.log(
      `minute ${minute}: server ${sample.serverMib} MiB, engine ${sample.engineMib} MiB, ` +
        `event loop p99 ${sample.delayP99Ms.toFixed(1)} ms, ${sample.restarts} restarts, ` +
        `load ${loadavg()[0]!.toFixed(1)}`,
    );
  }
  return samples;
}

/** Memory without swap and without pages of files, which the kernel takes back. */
function residentMib(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/^RssAnon:\s+(\d+)/m.exec(status)?.[1]) / 1024);
}

function engineOf(parent: number): number {
  const engine = readdirSync('/proc').find((name) => {
    try {
      return (
        /^\d+$/.test(name) &&
        readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]!.split(' ')[1] === `${parent}` &&
        readFileSync(`/proc/${name}/cmdline`, 'utf8').includes('engine.cjs')
      );
    } catch {
      return false;
    }
  });
  if (engine === undefined) {
    throw new Error('the engine does not run');
  }
  return Number(engine);
}

function report(samples: readonly Sample[]): void {
  const settled = samples.slice(Math.floor(samples.length / 3));
  for (const side of ['serverMib', 'engineMib'] as const) {
    const middle = settled.length >> 1;
    const [early, late] = [settled.slice(0, middle), settled.slice(middle)].map((part) =>
      part.map((one) => one[side]).toSorted((left, right) => left - right),
    );
    verdict(
      median(late) <= median(early) * 1.1,
      `${side === 'serverMib' ? 'server' : 'engine'}: median ${median(late)} MiB in the last third ` +
        `(at most ${late?.at(-1)}), ${median(early)} MiB in the second (at most ${early?.at(-1)})`,
    );
  }
  const worstMs = Math.max(...settled.map(({ delayP99Ms }) => delayP99Ms));
  verdict(
    worstMs < 50,
    `event loop p99 ${worstMs.toFixed(1)} ms in the worst minute (target < 50)`,
  );
  const restarts = samples.at(-1)!.restarts;
  verdict(restarts === 0, `${restarts} restarts of the engine`);
  verdict(failures.length === 0, `${failures.length} failures ${failures.slice(0, 3).join('; ')}`);
  const sorted = chartMs.toSorted((left, right) => left - right);
  console.log(
    `charts: p50 ${sorted[sorted.length >> 1]?.toFixed(1)} ms, ` +
      `p99 ${sorted[Math.floor(sorted.length * 0.99)]?.toFixed(1)} ms`,
  );
}

/** A declaration, since the work above calls it before this line is reached. */
function median(sorted: readonly number[] = []): number {
  return sorted[sorted.length >> 1] ?? NaN;
}

function verdict(met: boolean, text: string): void {
  console.log(`${met ? 'PASS' : 'MISS'}  ${text}`);
}
