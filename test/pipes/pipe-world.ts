import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnectors } from '../../src/adapters/connectors/registry.ts';
import { openEmbedded } from '../../src/adapters/telemetry/embedded/open-embedded.ts';
import { openClickHouse } from '../../src/adapters/telemetry/clickhouse.ts';
import {
  openCluster,
  type ClusterOptions,
} from '../../src/adapters/telemetry/shards/open-cluster.ts';
import { egressGuard } from '../../src/adapters/webhook/egress-guard.ts';
import type { Pipe } from '../../src/contract/pipe/pipe.ts';
import type { PipeMetrics } from '../../src/contract/pipe/pipe-reports.ts';
import type { Supervisor } from '../../src/core/pipes/run/supervisor.ts';
import type { RawCall } from '../../src/core/verb/verb.ts';
import type { SourceKinds } from '../../src/core/pipes/kinds/source-kind.ts';
import type { Clock, Log } from '../../src/ports/ambient.ts';
import type { Connectors } from '../../src/ports/connector.ts';
import type { Egress } from '../../src/ports/egress.ts';
import type { Principal } from '../../src/ports/principal.ts';
import type { Store } from '../../src/ports/store/store.ts';
import type { Telemetry, Value } from '../../src/ports/telemetry.ts';
import type { Sql } from '../../src/sql/sql.ts';
import { startTestApp, type TestApp } from '../kit/app.ts';
import { testTiming } from '../kit/sharded.ts';

export interface PipeWorld {
  store: Store;
  telemetry: Telemetry;
  /** The same, which makes the telemetry tables where it is asked to. */
  engine: Telemetry;
  principal: Principal;
  pipes: Supervisor;
  /** Everything that was logged, as text. */
  logged: string[];
  /** Another runner over the same store and engine, as another process would be. */
  another(holder: string): Promise<Supervisor>;
  call(
    operation: string,
    input?: { params?: object; query?: object; body?: object; signal?: AbortSignal },
  ): Promise<{ value: never; version?: number }>;
  create(body: object): Promise<Pipe>;
  get(id: string): Promise<Pipe>;
  metrics(id: string): Promise<PipeMetrics>;
  rows(statement: Sql): Promise<Value[][]>;
  close(): Promise<void>;
}

export interface PipeWorldOptions {
  connectors?: Connectors;
  /** Every kind that there is, where absent. */
  kinds?: SourceKinds;
  /** Kept afterwards; with the same secret key for everybody who opens it. */
  folder?: string;
  /**
   * A PostgreSQL store and a ClickHouse server, in place of the embedded ones: what several
   * processes can share.
   */
  databaseUrl?: string | undefined;
  clickHouseUrl?: string | undefined;
  /** Or a ClickHouse cluster of several shards. */
  cluster?: Pick<ClusterOptions, 'urls' | 'clusterName' | 'users'> | undefined;
  /** Where the pipes may connect; else to this machine only. */
  egress?: Egress;
  /** Where the engine connects without asking the guard; else to this machine. */
  trusted?: readonly string[];
  /** Regions that the engine signs, by host and port. */
  regions?: Readonly<Record<string, string>>;
  wrapTelemetry?: (telemetry: Telemetry) => Telemetry;
  clock?: Clock;
  tickMs?: number;
  leaseMs?: number;
  holder?: string;
}

/** The app with its pipes, over a store and an engine: all real, in a folder of their own. */
export async function pipeWorld(options: PipeWorldOptions = {}): Promise<PipeWorld> {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'sightline-pipes-'));
  const egress = options.egress ?? egressGuard({ allow: ['127.0.0.1', 'localhost'] });
  const logged: string[] = [];
  const engine = await openEngine(folder, egress, textLog(logged), options);
  const telemetry = withoutMigration(options.wrapTelemetry?.(engine) ?? engine);
  const start = (holder: string, store?: Store): Promise<TestApp> =>
    startTestApp({
      folder,
      roles: ['api', 'pipes'],
      config: {
        databaseUrl: options.databaseUrl,
        ...(options.folder !== undefined && { secretKey: '07'.repeat(32) }),
      },
      log: textLog(logged),
      holder,
      ...(options.clock && { clock: options.clock }),
      parts: {
        ...(store && { store }),
        telemetry,
        egress,
        connectors: options.connectors ?? createConnectors(),
        ...(options.kinds && { kinds: options.kinds }),
      },
      tuning: {
        pipes: { tickMs: options.tickMs ?? 200, leaseMs: options.leaseMs ?? 4000 },
        ticksByHand: true,
      },
    });
  const app = await start(options.holder ?? 'first');
  const apps = [app];
  const { store } = app;

  const world: PipeWorld = {
    store,
    telemetry,
    engine,
    principal,
    pipes: pipesOf(app),
    logged,
    async another(holder) {
      const other = await start(holder, store);
      apps.push(other);
      return pipesOf(other);
    },
    call: (operation, { params = {}, query = {}, body, signal } = {}) =>
      invoke(app, operation, {
        principal,
        requestId: randomUUID(),
        params,
        query,
        body,
        signal,
      }) as Promise<{ value: never; version?: number }>,
    create: async (body) => (await world.call('createPipe', { body })).value,
    get: async (pipeId) => (await world.call('getPipe', { params: { pipeId } })).value,
    metrics: async (pipeId) => (await world.call('getPipeMetrics', { params: { pipeId } })).value,
    rows: async (statement) =>
      (await engine.query(statement, { purpose: 'admin', timeoutMs: 30_000 })).rows,
    async close() {
      await Promise.all(apps.slice(1).map((other) => other.stop()));
      await app.stop();
      await engine.close();
      if (options.folder === undefined) {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
  return world;
}

const principal: Principal = {
  workspace: {
    id: '65f0c1d2e3a4b5c6d7e8f901',
    name: 'test',
    serviceId: '7f9c2d1e-3b4a-4c5d-8e6f-0a1b2c3d4e5f',
    organizationId: '00000000-0000-4000-8000-000000000001',
    database: 'shop',
    listedDatabases: [],
  },
  scopes: new Set(['pipes:read', 'pipes:write']),
  subject: { kind: 'system', id: 'test' },
};

async function openEngine(
  folder: string,
  guard: Egress,
  log: Log,
  { clickHouseUrl, cluster, trusted = ['127.0.0.1', 'localhost'], regions }: PipeWorldOptions,
): Promise<Telemetry> {
  if (cluster !== undefined) {
    return openCluster({ ...cluster, log, timing: testTiming });
  }
  if (clickHouseUrl !== undefined) {
    return openClickHouse({ url: clickHouseUrl });
  }
  return openEmbedded({
    path: join(folder, 'engine'),
    databases: ['shop'],
    egress: { guard, trusted, ...(regions && { regions }) },
  });
}

/** Pipes need none of the telemetry tables, and a test server is slow to make them. */
function withoutMigration(telemetry: Telemetry): Telemetry {
  return new Proxy(telemetry, {
    get(target, name) {
      if (name === 'migrate') {
        return () => Promise.resolve([]);
      }
      const member = Reflect.get(target, name) as unknown;
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
}

function pipesOf({ pipes }: TestApp): Supervisor {
  if (!pipes) {
    throw new Error('the app does not run pipes');
  }
  return pipes;
}

function invoke({ api }: TestApp, operation: string, call: RawCall) {
  const verb = api?.verbs[operation];
  if (!api || !verb) {
    throw new Error(`the app has no operation ${operation}`);
  }
  return api.trail.invoke(verb, call);
}

function textLog(lines: string[]): Log {
  const write = (fields: object, message: string): void => {
    lines.push(
      `${message} ${JSON.stringify(fields, (_, value: unknown) => (value instanceof Error ? describe(value) : value))}`,
    );
  };
  const log: Log = { debug: write, info: write, warn: write, error: write, child: () => log };
  return log;
}

function describe(error: Error): object {
  return {
    name: error.name,
    message: error.message,
    stack: error.stack,
    ...(error.cause instanceof Error ? { cause: describe(error.cause) } : {}),
  };
}
