import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createConnectors } from '../../src/adapters/connectors/registry.ts';
import { openPostgresStore } from '../../src/adapters/store/postgres.ts';
import { openSqliteStore } from '../../src/adapters/store/sqlite.ts';
import { openChdb } from '../../src/adapters/telemetry/chdb.ts';
import { openClickHouse } from '../../src/adapters/telemetry/clickhouse.ts';
import { createVault } from '../../src/adapters/vault/vault.ts';
import { egressGuard } from '../../src/adapters/webhook/egress-guard.ts';
import type { Pipe, PipeMetrics } from '../../src/contract/pipe/pipe.ts';
import { createPipes, type Pipes } from '../../src/core/pipes/create-pipes.ts';
import { pipeVerbs } from '../../src/core/pipes/pipe-verbs.ts';
import { invoke, type Verb } from '../../src/core/verb.ts';
import type { Log } from '../../src/ports/ambient.ts';
import type { Connectors } from '../../src/ports/connector.ts';
import type { Egress } from '../../src/ports/egress.ts';
import type { Principal } from '../../src/ports/principal.ts';
import type { Store } from '../../src/ports/store.ts';
import type { Telemetry, Value } from '../../src/ports/telemetry.ts';
import type { Sql } from '../../src/sql/sql.ts';

export interface PipeWorld {
  store: Store;
  telemetry: Telemetry;
  principal: Principal;
  pipes: Pipes;
  /** Everything that was logged, as text. */
  logged: string[];
  /** Another runner over the same store and engine, as another process would be. */
  another(holder: string): Pipes;
  call(
    operation: string,
    input?: { params?: object; query?: object; body?: object },
  ): Promise<{ value: never; version?: number }>;
  create(body: object): Promise<Pipe>;
  get(id: string): Promise<Pipe>;
  metrics(id: string): Promise<PipeMetrics>;
  rows(statement: Sql): Promise<Value[][]>;
  close(): Promise<void>;
}

export interface PipeWorldOptions {
  connectors?: Connectors;
  /** Kept afterwards; with the same secret key for everybody who opens it. */
  folder?: string;
  /** A PostgreSQL store and a ClickHouse server, in place of the embedded ones: what several processes can share. */
  databaseUrl?: string | undefined;
  clickHouseUrl?: string | undefined;
  /** Where the pipes may connect; else to this machine only. */
  egress?: Egress;
  /** Where the engine connects without asking the guard; else to this machine. */
  trusted?: readonly string[];
  /** Regions that the engine signs, by host and port. */
  regions?: Readonly<Record<string, string>>;
  wrapTelemetry?: (telemetry: Telemetry) => Telemetry;
  tickMs?: number;
  leaseMs?: number;
  holder?: string;
}

/** A store, an engine and the pipes over them: all real, in a folder of their own. */
export async function pipeWorld(options: PipeWorldOptions = {}): Promise<PipeWorld> {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'sightline-pipes-'));
  const store =
    options.databaseUrl === undefined
      ? await openSqliteStore({ path: join(folder, 'store.db') })
      : await openPostgresStore({ url: options.databaseUrl });
  const egress = options.egress ?? egressGuard({ allow: ['127.0.0.1', 'localhost'] });
  const engine =
    options.clickHouseUrl === undefined
      ? await openChdb({
          path: join(folder, 'engine'),
          egress: {
            guard: egress,
            trusted: options.trusted ?? ['127.0.0.1', 'localhost'],
            ...(options.regions && { regions: options.regions }),
          },
        })
      : await openClickHouse({ url: options.clickHouseUrl });
  const telemetry = options.wrapTelemetry?.(engine) ?? engine;
  const workspace = {
    id: '65f0c1d2e3a4b5c6d7e8f901',
    name: 'test',
    serviceId: '7f9c2d1e-3b4a-4c5d-8e6f-0a1b2c3d4e5f',
    organizationId: '00000000-0000-4000-8000-000000000001',
    database: 'shop',
  };
  const principal: Principal = {
    workspace,
    scopes: new Set(['pipes:read', 'pipes:write']),
    subject: { kind: 'system', id: 'test' },
  };
  const logged: string[] = [];
  const deps = {
    store,
    telemetry,
    connectors: options.connectors ?? createConnectors(),
    vault: createVault(options.folder === undefined ? randomBytes(32) : Buffer.alloc(32, 7)),
    egress,
    clock: { now: () => Date.now() },
    ids: { object: () => randomBytes(12).toString('hex'), uuid: () => randomUUID() },
    log: textLog(logged),
    allowHttp: true,
    random: Math.random,
  };
  const runner = (holder: string): Pipes =>
    createPipes({
      ...deps,
      holder,
      tickMs: options.tickMs ?? 200,
      leaseMs: options.leaseMs ?? 4000,
    });
  const started: Pipes[] = [];
  const another = (holder: string): Pipes => {
    const made = runner(holder);
    started.push(made);
    return made;
  };
  const pipes = another(options.holder ?? 'first');
  const verbs = pipeVerbs(deps, () => pipes.wake()) as unknown as Record<string, Verb>;

  const world: PipeWorld = {
    store,
    telemetry,
    principal,
    pipes,
    logged,
    another,
    call: (operation, { params = {}, query = {}, body } = {}) =>
      invoke(verbs[operation]!, {
        principal,
        requestId: randomUUID(),
        params,
        query,
        body,
        unknownProperties: 'refuse',
      }) as Promise<{ value: never; version?: number }>,
    create: async (body) => (await world.call('createPipe', { body })).value,
    get: async (pipeId) => (await world.call('getPipe', { params: { pipeId } })).value,
    metrics: async (pipeId) => (await world.call('getPipeMetrics', { params: { pipeId } })).value,
    rows: async (statement) =>
      (await engine.query(statement, { purpose: 'admin', timeoutMs: 30_000 })).rows,
    async close() {
      await Promise.all(started.map((one) => one.stop()));
      await store.close();
      await engine.close();
      if (options.folder === undefined) {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
  return world;
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

/** Waits until the probe is content. @throws Error with what it last saw. */
export async function until<T>(
  what: string,
  probe: () => Promise<T | undefined | false>,
  timeoutMs = 60_000,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  let last: unknown;
  for (;;) {
    try {
      const found = await probe();
      if (found !== undefined && found !== false) {
        return found;
      }
      last = found;
    } catch (error) {
      last = error;
    }
    if (Date.now() > deadline) {
      throw new Error(
        `waited ${timeoutMs} ms for ${what}; last: ${last instanceof Error ? last.message : JSON.stringify(last)}`,
      );
    }
    await pause(50);
  }
}
