import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { readEngineAccess } from '../src/adapters/telemetry/embedded/engine-access.ts';
import { Program } from '../test/kit/program.ts';
import { logCorpus } from './log-corpus.ts';
import { processUse } from './process-use.ts';
import { signalRequests, signals } from './signal-corpus.ts';

/**
 * Logs, spans and each kind of metric over OTLP/HTTP into the whole program, each into a new one:
 * rows/s, CPU for each row, and how many requests the server refuses for now. Requests have the
 * size that the OpenTelemetry Collector's batch processor makes by default. Target: spans and
 * metrics as fast as logs, and no refusal. Build first (`npm run build`).
 * `npx tsx bench/signals.ts [--records 500000] [--request 8192] [--connections 4] [--only <signal>]`
 */
const { values: options } = parseArgs({
  options: {
    records: { type: 'string', default: '500000' },
    request: { type: 'string', default: '8192' },
    connections: { type: 'string', default: '4' },
    only: { type: 'string' },
  },
});
const records = Number(options.records);
const perRequest = Number(options.request);
const ingestionKey = 'sli_benchsignals0000000000000000000000000000';

const logs = {
  name: 'logs',
  path: '/v1/logs',
  table: 'otel_logs',
  requests: () => logCorpus(records, perRequest).requests,
};
const others = signals.map((signal) => ({
  ...signal,
  requests: () => signalRequests(signal, records, perRequest),
}));
console.log(
  `${options.request} records a request, ${options.connections} connections, ` +
    `load ${loadavg()[0]!.toFixed(1)}`,
);
for (const signal of [logs, ...others]) {
  if (options.only === undefined || options.only === signal.name) {
    await measure(signal);
  }
}
process.exit(0);

interface Measured {
  name: string;
  path: string;
  table: string;
  requests(): Buffer[];
}

async function measure({ name, path, table, requests }: Measured): Promise<void> {
  const bodies = requests();
  const program = new Program({ SIGHTLINE_BOOTSTRAP_INGESTION_KEY: ingestionKey });
  try {
    const server = await program.serve();
    const before = processUse(server.child.pid!);
    const startMs = performance.now();
    const refused = await sendAll(`${server.otlpHttp}${path}`, bodies);
    const seconds = (performance.now() - startMs) / 1000;
    const after = processUse(server.child.pid!);
    const stored = await count(program.dataDir, table);
    const bytes = bodies.reduce((sum, { length }) => sum + length, 0);
    console.log(
      `${name.padEnd(22)} ${Math.round(stored / seconds).toLocaleString('en')} rows/s, ` +
        `${(bytes / 2 ** 20 / seconds).toFixed(1)} MiB/s, ` +
        `${((after.cpuUs - before.cpuUs) / stored).toFixed(2)} µs CPU a row, ` +
        `${stored} of ${bodies.length * perRequest} rows, ${refused} refusals, ` +
        `${after.residentMib.toFixed(0)} MiB, load ${loadavg()[0]!.toFixed(1)}`,
    );
  } finally {
    await program.remove();
  }
}

/** Sends refused requests again. Returns how often the server refused. */
async function sendAll(url: string, bodies: readonly Buffer[]): Promise<number> {
  const rest = bodies.values();
  const headers = { authorization: ingestionKey, 'content-type': 'application/x-protobuf' };
  let refused = 0;
  const send = async (body: Buffer): Promise<void> => {
    const request = { method: 'POST', body: Uint8Array.from(body), headers };
    const response = await fetch(url, request);
    const text = await response.text();
    if (response.status === 429 || response.status === 503) {
      refused++;
      await send(body);
    } else if (!response.ok) {
      throw new Error(`${url}: ${response.status} ${text}`);
    }
  };
  await Promise.all(
    Array.from({ length: Number(options.connections) }, async () => {
      for (const body of rest) {
        await send(body);
      }
    }),
  );
  return refused;
}

/** Rows of a table, read past the server. Its intake log stores them within half a second. */
async function count(dataDir: string, table: string): Promise<number> {
  const access = await readEngineAccess(join(dataDir, 'engine.json'));
  if (!access) {
    throw new Error(`no engine runs on ${dataDir}`);
  }
  const headers = { 'x-clickhouse-user': access.username, 'x-clickhouse-key': access.password };
  const read = async (): Promise<number> => {
    const body = `SELECT count() FROM default.${table} FORMAT TSV`;
    return Number(await (await fetch(access.url, { method: 'POST', headers, body })).text());
  };
  let last = -1;
  for (let now = await read(); now !== last; now = await read()) {
    last = now;
    await pause(1000);
  }
  return last;
}
