import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadavg } from 'node:os';
import { createLog } from '../src/adapters/ambient/log.ts';
import { openEmbedded } from '../src/adapters/telemetry/embedded/open-embedded.ts';
import { encodeLogs } from '../src/core/otlp/encode/logs.ts';
import { identifier, join as joinSql, sql } from '../src/sql/sql.ts';
import { startTestApp } from '../test/kit/app.ts';
import { measureCpu, perUnit, type CpuTime } from './cpu-time.ts';
import { logsRequest } from './log-records.ts';

/**
 * OTLP over HTTP, from the socket to the acknowledged row, against INSERT … SELECT FROM file() of
 * the same rows: batches of 10,000 log records, the same engine, tables and process, taking turns.
 * Target: at least 0.3 times its rows per second. And the same without syncing parts to the disk
 * (SIGHTLINE_OTLP_SYNC=false). Target: syncing costs at most a fifth. Build first
 * (`npm run build`): large requests are encoded in workers, which run from `dist`.
 */
const rows = 10_000;
const batches = Number(process.argv[2] ?? 10);
const rounds = 3;

const directory = mkdtempSync(join(tmpdir(), 'sightline-bench-otlp-'));
const telemetry = await openEmbedded({ path: join(directory, 'engine') });
const limits = { timeoutMs: 120_000, purpose: 'admin' as const };
for (const database of ['http', 'file']) {
  await telemetry.migrate(database);
}

const requests = Array.from({ length: batches }, (_, batch) => logsRequest({ rows, batch }));
const encoded = requests.map((request) => encodeLogs(request, Date.now()).tables[0]!);
const files = encoded.map(({ data }, index) => {
  const path = join(directory, `${index}.bin`);
  writeFileSync(path, data);
  return path;
});
const columns = encoded[0]!.columns.map(({ name }) => name);
const types = new Map(
  (await telemetry.columns('file', 'otel_logs')).map(({ name, type }) => [name, type]),
);
const structure = columns.map((name) => `\`${name}\` ${types.get(name)!}`).join(', ');

const key = 'the-ingestion-key-of-the-benchmark';
const app = await startTestApp({
  folder: directory,
  roles: ['ingest'],
  config: { clickhouseDatabase: 'http', bootstrapIngestionKey: key },
  log: createLog({ level: 'warn' }),
  parts: { telemetry },
  tuning: { ingest: { maxRows: rows } },
});
const url = `${app.addresses.otlpHttp}/v1/logs`;

let hostNumber = 1;

/** A host of its own for each time: a repeated request would not be stored again. */
async function overHttp(): Promise<void> {
  hostNumber++;
  const host = Buffer.from(String(hostNumber % 10));
  await inPairs(requests, async (body) => {
    const renewed = Buffer.from(body);
    renewed.set(host, renewed.indexOf('web-1') + 'web-'.length);
    const response = await fetch(url, {
      method: 'POST',
      body: renewed,
      headers: { authorization: key, 'content-type': 'application/x-protobuf' },
    });
    if (response.status !== 200) {
      throw new Error(`HTTP ${response.status}`);
    }
    await response.arrayBuffer();
  });
}

async function fromFile(): Promise<void> {
  for (const path of files) {
    await telemetry.command(
      sql`INSERT INTO ${identifier('file')}.otel_logs (${joinSql(
        columns.map((name) => identifier(name)),
        ', ',
      )}) SELECT * FROM file(${path}, 'Native', ${structure})`,
      limits,
    );
  }
}

/** What `SIGHTLINE_OTLP_SYNC` sets when the program starts. */
async function syncParts(value: 0 | 1): Promise<void> {
  for (const table of ['otel_logs', 'otel_logs_1m']) {
    await telemetry.command(
      sql`ALTER TABLE ${identifier('http')}.${identifier(table)} MODIFY SETTING
        fsync_after_insert = ${value}, fsync_part_directory = ${value},
        min_rows_to_fsync_after_merge = ${value}`,
      limits,
    );
  }
}

/** Decoding and encoding alone, without HTTP and engine. */
async function encodeOnly(): Promise<void> {
  for (const request of requests) {
    encodeLogs(request, 0);
  }
}

interface Figure {
  rowsPerSecond: number;
  cpu: CpuTime;
}

async function measure(work: () => Promise<void>): Promise<Figure> {
  const cpu = measureCpu();
  const start = performance.now();
  await work();
  const seconds = (performance.now() - start) / 1000;
  return { rowsPerSecond: (rows * batches) / seconds, cpu: cpu() };
}

await overHttp();
await fromFile();
const figures: Record<string, Figure[]> = {
  'OTLP/HTTP': [],
  'INSERT FROM file()': [],
  'OTLP/HTTP unsynced': [],
  'encode only': [],
};
for (let round = 0; round < rounds; round++) {
  figures['OTLP/HTTP']!.push(await measure(overHttp));
  await syncParts(0);
  figures['OTLP/HTTP unsynced']!.push(await measure(overHttp));
  await syncParts(1);
  figures['INSERT FROM file()']!.push(await measure(fromFile));
  figures['encode only']!.push(await measure(encodeOnly));
}
await app.stop();
const stored = await telemetry.query(
  sql`SELECT (SELECT toUInt32(count()) FROM http.otel_logs), (SELECT toUInt32(count()) FROM file.otel_logs)`,
  limits,
);
await telemetry.close();
rmSync(directory, { recursive: true, force: true });

const best = Object.fromEntries(
  Object.entries(figures).map(([name, list]) => [
    name,
    list.toSorted((a, b) => b.rowsPerSecond - a.rowsPerSecond)[0]!,
  ]),
);
console.log(
  `request ${requests[0]!.length} bytes, rows stored ${JSON.stringify(stored.rows[0])}, ` +
    `load ${loadavg()[0]!.toFixed(1)}`,
);
for (const [name, { rowsPerSecond, cpu }] of Object.entries(best)) {
  console.log(
    `${name.padEnd(20)} ${Math.round(rowsPerSecond).toLocaleString('en').padStart(10)} ` +
      `rows/s  ${perUnit(cpu, rows * batches)} a row`,
  );
}
const ratio = best['OTLP/HTTP']!.rowsPerSecond / best['INSERT FROM file()']!.rowsPerSecond;
console.log(`ratio ${ratio.toFixed(2)} (target 0.3)`);
const synced = best['OTLP/HTTP']!.rowsPerSecond / best['OTLP/HTTP unsynced']!.rowsPerSecond;
console.log(`synced against unsynced ${synced.toFixed(2)} (target 0.8)`);

async function inPairs<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = [...items];
  const run = async (): Promise<void> => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) {
      await work(item);
    }
  };
  await Promise.all([run(), run()]);
}
