import { parseArgs } from 'node:util';
import { openEmbedded } from '../src/adapters/telemetry/embedded/open-embedded.ts';
import type { Telemetry } from '../src/ports/telemetry.ts';
import { join, literal, qualified, sql, type Sql } from '../src/sql/sql.ts';

/** The first moment of the data set: a day begins, UTC. */
export const datasetStart = Date.UTC(2026, 10, 19);
export const datasetHours = 24;

const chunkRows = 500_000;

/**
 * Writes `rows` log records over 24 hours: a shop of twelve services of very different loudness,
 * thirty kinds of message, an incident of forty minutes in one of them. The same rows every time:
 * every choice is a hash of the row's number.
 */
export async function fillLogs(
  telemetry: Telemetry,
  database: string,
  rows: number,
  progress: (done: number) => void = () => {},
): Promise<void> {
  let done = 0;
  for (const { statement, count } of logChunks(database, 'otel_logs', rows)) {
    await telemetry.command(statement, { purpose: 'admin', timeoutMs: 600_000 });
    progress((done += count));
  }
}

/** The statements that write the data set into a table, half a million rows each. */
export function* logChunks(
  database: string,
  table: string,
  rows: number,
): Generator<{ statement: Sql; count: number }> {
  for (let from = 0; from < rows; from += chunkRows) {
    const count = Math.min(chunkRows, rows - from);
    yield { statement: insertRows(qualified(database, table), from, count, rows), count };
  }
}

/** A number below `limit` that looks random and belongs to the row; `salt` makes it another one. */
const dice = (salt: number, limit: number): Sql => sql`(cityHash64(number, ${salt}) % ${limit})`;
const array = (texts: readonly string[]): Sql => sql`[${join(texts.map(literal), ', ')}]`;

function insertRows(table: Sql, from: number, count: number, total: number): Sql {
  const stepNs = Math.floor((datasetHours * 3600 * 1e9) / total);
  // Loud services stand more than once.
  const services = array([
    'frontend',
    'frontend',
    'frontend',
    'frontend',
    'gateway',
    'gateway',
    'gateway',
    'cart',
    'cart',
    'catalog',
    'catalog',
    'catalog',
    'checkout',
    'payment',
    'shipping',
    'search',
    'search',
    'accounts',
    'recommendations',
    'inventory',
    'mailer',
  ]);
  const routes = array([
    '/',
    '/cart',
    '/cart/add',
    '/checkout',
    '/product',
    '/search',
    '/account',
    '/api/v1/orders',
    '/api/v1/payments',
    '/healthz',
  ]);
  const errors = array([
    'connection refused by upstream',
    'timeout while waiting for',
    'unhandled exception in handler',
    'card declined by provider',
    'deadlock found when trying to get lock',
  ]);
  const warnings = array([
    'slow query',
    'retrying request',
    'cache miss storm',
    'queue is filling up',
    'deprecated endpoint called',
  ]);
  const methods = array(['GET', 'GET', 'GET', 'POST', 'PUT']);
  const regions = array(['eu-west', 'us-east', 'ap-south']);
  return sql`INSERT INTO ${table}
  (Timestamp, TraceId, SpanId, TraceFlags, SeverityText, SeverityNumber, ServiceName, Body,
   ResourceAttributes, ScopeName, LogAttributes)
WITH
  ${datasetStart * 1_000_000} + number * ${stepNs} + ${dice(1, Math.max(stepNs, 1))} AS ns,
  ${services}[cityHash64(number, 2) % length(${services}) + 1] AS service,
  service = 'payment' AND intDiv(ns - ${datasetStart * 1_000_000}, 60000000000) BETWEEN 840 AND 879 AS incident,
  ${dice(3, 1000)} AS chance,
  multiIf(
    incident AND chance < 500, 'ERROR',
    chance < 8, 'ERROR',
    chance < 60, 'WARN',
    chance < 900, 'INFO',
    'DEBUG'
  ) AS severity,
  ${routes}[${dice(4, 10)} + 1] AS route,
  multiIf(
    severity = 'ERROR', 500 + ${dice(5, 4)},
    severity = 'WARN', 400 + ${dice(5, 30)},
    200 + ${dice(5, 5)}
  ) AS status,
  round(exp(${dice(6, 8000)} / 1000.), 2) AS ms
SELECT
  fromUnixTimestamp64Nano(ns),
  if(${dice(7, 10)} < 6, lower(hex(sipHash128(intDiv(number, 5)))), ''),
  if(${dice(7, 10)} < 6, lower(hex(sipHash64(number))), ''),
  1,
  severity,
  multiIf(severity = 'ERROR', 17, severity = 'WARN', 13, severity = 'INFO', 9, 5),
  service,
  multiIf(
    severity = 'ERROR',
    concat(${errors}[${dice(8, 5)} + 1], ' order=', toString(${dice(9, 1_000_000)}),
      ' after ', toString(ms), ' ms'),
    severity = 'WARN',
    concat(${warnings}[${dice(8, 5)} + 1], ' attempt ', toString(${dice(10, 5)}),
      ' for user ', toString(${dice(11, 50_000)})),
    severity = 'DEBUG',
    concat('cache lookup key=session:', lower(hex(sipHash64(${dice(11, 50_000)}))),
      ' hit=', if(${dice(12, 3)} = 0, 'false', 'true')),
    concat(${methods}[${dice(13, 5)} + 1], ' ', route, ' ', toString(status), ' ', toString(ms),
      'ms user=', toString(${dice(11, 50_000)}),
      ' request ', lower(hex(sipHash64(number, 14))))
  ),
  map(
    'service.name', toString(service),
    'k8s.pod.name', concat(service, '-', toString(${dice(15, 6)})),
    'deployment.environment', 'production',
    'host.name', concat('node-', toString(${dice(16, 20)}))
  ),
  'shop',
  map(
    'http.route', route,
    'http.status_code', toString(status),
    'duration_ms', toString(ms),
    'user.id', toString(${dice(11, 50_000)}),
    'region', ${regions}[${dice(17, 3)} + 1]
  )
FROM numbers(${from}, ${count})`;
}

/**
 * `npx tsx bench/dataset.ts --dir <directory> [--rows 10000000] [--database
 * sightline]`
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      dir: { type: 'string' },
      rows: { type: 'string', default: '10000000' },
      database: { type: 'string', default: 'sightline' },
    },
  });
  if (values.dir === undefined) {
    throw new Error('--dir is missing: the directory the engine keeps its data in');
  }
  const telemetry = await openEmbedded({ path: values.dir });
  const began = performance.now();
  await telemetry.migrate(values.database);
  await fillLogs(telemetry, values.database, Number(values.rows), (done) =>
    console.log(`${done} rows, ${((performance.now() - began) / 1000).toFixed(0)} s`),
  );
  const { rows } = await telemetry.query(
    sql`SELECT formatReadableSize(sum(bytes_on_disk)), formatReadableSize(sum(data_uncompressed_bytes))
      FROM system.parts
      WHERE active AND database = ${values.database} AND table = 'otel_logs'`,
    { purpose: 'admin', timeoutMs: 60_000 },
  );
  console.log(`on disk ${String(rows[0]?.[0])}, uncompressed ${String(rows[0]?.[1])}`);
  await telemetry.close();
}

if (process.argv[1] === import.meta.filename) {
  await main();
}
