import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '../../src/adapters/ambient/log.ts';
import { openChdb } from '../../src/adapters/telemetry/chdb.ts';
import type { BatchLimits } from '../../src/core/otlp/batcher.ts';
import { createIngest } from '../../src/core/otlp/ingest.ts';
import type { IngestionTarget } from '../../src/http/otlp/ingestion-auth.ts';
import { createOtlpGrpc, type OtlpGrpcLimits } from '../../src/http/otlp/otlp-grpc.ts';
import { createOtlpHttp, type OtlpHttpLimits } from '../../src/http/otlp/otlp-http.ts';
import type { Telemetry, Value } from '../../src/ports/telemetry.ts';
import { identifier, join as joinSql, qualified, sql } from '../../src/sql/sql.ts';

export const key = 'the-ingestion-key';
export const database = 'shop';

export interface OtlpKitOptions {
  batch?: Partial<BatchLimits>;
  http?: Partial<OtlpHttpLimits>;
  grpc?: Partial<OtlpGrpcLimits>;
  corsOrigins?: string[];
  authenticate?: (key: string) => Promise<IngestionTarget | undefined>;
  /** Time that records without one get. */
  nowMs?: number;
}

/** The real embedded engine, in a directory that goes with it. */
export async function openEngine(): Promise<{ telemetry: Telemetry; close(): Promise<void> }> {
  const directory = mkdtempSync(join(tmpdir(), 'sightline-otlp-'));
  const telemetry = await openChdb({ path: join(directory, 'engine') });
  await telemetry.migrate(database);
  return {
    telemetry,
    async close() {
      await telemetry.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Both receivers on free ports, over an engine. */
export async function startOtlp(telemetry: Telemetry, options: OtlpKitOptions = {}) {
  const log = createLog({ level: 'silent' });
  const clock = { now: () => options.nowMs ?? Date.now() };
  const ingest = createIngest({ telemetry, clock, log, limits: { maxAgeMs: 5, ...options.batch } });
  const authenticate =
    options.authenticate ??
    (async (given: string) => (given === key ? { workspaceId: 'w', database } : undefined));
  const shared = { ingest, authenticate, host: '127.0.0.1', port: 0, log };
  const http = createOtlpHttp({
    ...shared,
    ...(options.http && { limits: options.http }),
    ...(options.corsOrigins && { corsOrigins: options.corsOrigins }),
  });
  const grpc = createOtlpGrpc({ ...shared, ...(options.grpc && { limits: options.grpc }) });
  await Promise.all([http.start(), grpc.start()]);
  return {
    ingest,
    http,
    grpc,
    httpUrl: `http://127.0.0.1:${http.address!.port}`,
    grpcUrl: `http://127.0.0.1:${grpc.address!.port}`,
    async stop() {
      await Promise.all([http.stop(), grpc.stop(), ingest.stop()]);
    },
  };
}

export type Row = Record<string, Value>;

/** Rows of a table as objects. `orderBy` is a column. */
export async function rowsOf(
  telemetry: Telemetry,
  table: string,
  columns: readonly string[],
  orderBy: string,
  where = sql`1`,
): Promise<Row[]> {
  const statement = sql`SELECT ${joinSql(
    columns.map((name) => identifier(name)),
    ', ',
  )} FROM ${qualified(database, table)} WHERE ${where} ORDER BY ${identifier(orderBy)}`;
  const result = await telemetry.query(statement, { purpose: 'admin', timeoutMs: 20_000 });
  return result.rows.map((row) =>
    Object.fromEntries(columns.map((name, index) => [name, row[index]!])),
  );
}

/** Sends one request as a plain client would. */
export async function post(
  url: string,
  body: Uint8Array | string,
  headers: Record<string, string> = {},
): Promise<{ status: number; headers: Headers; bytes: Buffer; json: unknown }> {
  const type = typeof body === 'string' ? 'application/json' : 'application/x-protobuf';
  const response = await fetch(url, {
    method: 'POST',
    body: typeof body === 'string' ? body : Buffer.from(body),
    headers: { authorization: key, 'content-type': type, ...headers },
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  return {
    status: response.status,
    headers: response.headers,
    bytes,
    json: isJson && bytes.length > 0 ? JSON.parse(bytes.toString()) : undefined,
  };
}
