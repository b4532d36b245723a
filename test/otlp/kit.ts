import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createIds } from '../../src/adapters/ambient/ids.ts';
import { openEmbedded } from '../../src/adapters/telemetry/embedded/open-embedded.ts';
import type { Tuning } from '../../src/app/tuning.ts';
import { createWorkspace, setIngestionKey } from '../../src/core/identity/provision.ts';
import type { Telemetry, Value } from '../../src/ports/telemetry.ts';
import { identifier, join as joinSql, qualified, sql } from '../../src/sql/sql.ts';
import { startTestApp, type TestApp } from '../kit/app.ts';

export const key = 'the-ingestion-key-of-the-tests';
export const database = 'shop';

export interface OtlpKitOptions {
  batch?: NonNullable<Tuning['ingest']>;
  http?: NonNullable<Tuning['otlpHttp']>;
  grpc?: NonNullable<Tuning['otlpGrpc']>;
  corsOrigins?: string[];
  /** Another workspace; the app does not make its tables. */
  unmigrated?: { key: string; database: string };
  /** Time that records without one get. */
  nowMs?: number;
}

/** The real embedded engine, in a directory that goes with it. */
export async function openEngine(): Promise<{ telemetry: Telemetry; close(): Promise<void> }> {
  const directory = mkdtempSync(join(tmpdir(), 'sightline-otlp-'));
  const telemetry = await openEmbedded({
    path: join(directory, 'engine'),
    databases: [database],
  });
  await telemetry.migrate(database);
  return {
    telemetry,
    async close() {
      await telemetry.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** The app with both receivers on free ports, over an engine whose database has its tables. */
export async function startOtlp(telemetry: Telemetry, options: OtlpKitOptions = {}) {
  const { batch, http, grpc, corsOrigins, unmigrated, nowMs } = options;
  const folder = mkdtempSync(join(tmpdir(), 'sightline-otlp-app-'));
  const app = await startTestApp({
    folder,
    roles: ['ingest'],
    config: {
      clickhouseDatabase: database,
      bootstrapIngestionKey: key,
      ...(corsOrigins && { corsOrigins }),
    },
    clock: { now: () => nowMs ?? Date.now() },
    parts: { telemetry: unmigrated ? withoutMigration(telemetry) : telemetry },
    tuning: {
      ingest: { maxAgeMs: 5, ...batch },
      ...(http && { otlpHttp: http }),
      ...(grpc && { otlpGrpc: grpc }),
    },
  });
  const { ingest, addresses } = app;
  if (!ingest || !addresses.otlpHttp || !addresses.otlpGrpc) {
    throw new Error('the app does not receive OTLP');
  }
  if (unmigrated) {
    await addWorkspace(app, unmigrated);
  }
  return {
    ingest,
    httpUrl: addresses.otlpHttp,
    grpcUrl: addresses.otlpGrpc,
    /** Batches that wait for more rows are stored at once: tests let them wait for an hour. */
    async stop() {
      await Promise.all([ingest.stop(), app.stop()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function withoutMigration(telemetry: Telemetry): Telemetry {
  return new Proxy(telemetry, {
    get(target, name): unknown {
      if (name === 'migrate') {
        return () => Promise.resolve([]);
      }
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

async function addWorkspace(
  { store, vault, first }: TestApp,
  workspace: { key: string; database: string },
): Promise<void> {
  if (!first) {
    throw new Error('the store was not empty');
  }
  const provision = { store, vault, ids: createIds({ now: () => Date.now() }) };
  const { id } = await createWorkspace(provision, {
    organizationId: first.organizationId,
    name: workspace.database,
    database: workspace.database,
  });
  await setIngestionKey(provision, id, workspace.key);
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
