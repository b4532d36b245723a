import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Egress } from '../../ports/egress.ts';
import { TelemetryError, type Telemetry } from '../../ports/telemetry.ts';
import { literal } from '../../sql/sql.ts';
import { ChdbConnections, type Connection, type Mode } from './chdb-connections.ts';
import { EgressProxy } from './egress-proxy.ts';
import { engineConfiguration } from './engine-configuration.ts';
import { EngineTelemetry } from './engine-telemetry.ts';
import type { Engine, EngineCall, EngineInsert } from './engine.ts';
import type { LaneSizes } from './lane.ts';
import { settingsClause } from './limits.ts';
import { supervise } from './supervise.ts';
import type { SchemaOptions } from './tables/schema.ts';

export interface ChdbOptions extends SchemaOptions {
  /** The engine's directory, made when it is missing. One process at a time. */
  path: string;
  lanes?: Partial<LaneSizes>;
  /** Where the engine may fetch objects by itself; absent: anywhere. */
  egress?: EngineEgress;
  /** How long `close` waits for what runs before it stops it; then as long again for that to end. */
  closeWaitMs?: number;
}

export interface EngineEgress {
  guard: Pick<Egress, 'resolve'>;
  /** Hosts and addresses that the engine connects to without asking: those that the operator allowed. */
  trusted: readonly string[];
  /** Regions of S3-compatible services by `host` or `host:port`. Elsewhere the engine signs AWS's own, or us-east-1. */
  regions?: Readonly<Record<string, string>>;
}

const defaultLanes: LaneSizes = {
  chart: { width: 4, queueLimit: 64 },
  alert: { width: 2, queueLimit: 64 },
  ingest: { width: 2, queueLimit: 64 },
  pipe: { width: 2, queueLimit: 64 },
  load: { width: 2, queueLimit: 64 },
  admin: { width: 1, queueLimit: 64 },
};

/** Opens the embedded engine on a directory. @throws TelemetryError unavailable when another process has it. */
export async function openChdb(options: ChdbOptions): Promise<Telemetry> {
  const path = resolve(options.path);
  const sizes = { ...defaultLanes, ...options.lanes };
  requireThreads(sizes);
  await mkdir(path, { recursive: true });
  const incoming = join(path, 'incoming');
  const guarded = options.egress && (await guardedBeginning(options.egress));
  const engine = new ChdbEngine(
    new ChdbConnections(path, sizes, guarded?.file),
    incoming,
    options.closeWaitMs ?? 3_000,
    guarded?.proxy,
  );
  try {
    await engine.ping(60_000);
  } catch (error) {
    guarded?.proxy.close();
    throw await openingError(error, path);
  } finally {
    await guarded?.forget();
  }
  // Only now, holding the engine's lock: before, they may have been another process's.
  await rm(incoming, { recursive: true, force: true });
  await mkdir(incoming);
  return new EngineTelemetry(engine, options);
}

async function guardedBeginning({
  guard,
  trusted,
  regions = {},
}: EngineEgress): Promise<{ proxy: EgressProxy; file: string; forget(): Promise<void> }> {
  const proxy = await EgressProxy.open(guard);
  const folder = await mkdtemp(join(tmpdir(), 'sightline-engine-'));
  const file = join(folder, 'configuration.xml');
  await writeFile(file, engineConfiguration(proxy.url, trusted, regions));
  return { proxy, file, forget: () => rm(folder, { recursive: true, force: true }) };
}

/** A query holds a thread of libuv's pool while it runs. With fewer threads than queries nothing could stop one, nor a file be written. */
function requireThreads(sizes: LaneSizes): void {
  const wanted = Object.values(sizes).reduce((sum, { width }) => sum + width, 4);
  const threads = Number(process.env['UV_THREADPOOL_SIZE'] ?? 4);
  if (threads < wanted) {
    throw new TelemetryError(
      'unavailable',
      `the embedded engine needs ${wanted} threads and Node has ${threads}: start it with UV_THREADPOOL_SIZE=${wanted} or more`,
    );
  }
}

/** The engine writes the real reason to stderr and throws a shorter one; who holds its lock stands in the lock's file. */
async function openingError(error: unknown, path: string): Promise<unknown> {
  if (!(error instanceof TelemetryError)) {
    return error;
  }
  if (error.message.includes('Failed to create connection')) {
    const holder = await lockHolder(path);
    const who =
      holder === undefined
        ? 'it cannot be read and written, or another process has it'
        : `process ${holder} has it`;
    return new TelemetryError(
      'unavailable',
      `the telemetry directory ${path} cannot be opened: ${who}`,
      { cause: error },
    );
  }
  if (error.message.includes('data directory')) {
    return new TelemetryError(
      'unavailable',
      'this process has another telemetry directory open: one at a time',
      { cause: error },
    );
  }
  return error;
}

async function lockHolder(path: string): Promise<string | undefined> {
  try {
    return /PID: (\d+)/.exec(await readFile(join(path, 'status'), 'utf8'))?.[1];
  } catch {
    return undefined;
  }
}

function insertFromFile(
  { target, columns, block, cast }: EngineInsert,
  file: string,
  settings: string,
): string {
  return cast === undefined
    ? `INSERT INTO ${target} (${columns}) FROM INFILE ${file} SETTINGS ${settings} FORMAT ${block.format}`
    : `INSERT INTO ${target} (${columns}) SELECT ${cast.values} FROM file(${file}, '${block.format}', ${literal(cast.structure).text}) SETTINGS ${settings}`;
}

async function writePieces(file: string, data: Buffer | readonly Buffer[]): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    let rest: readonly Buffer[] = Buffer.isBuffer(data) ? [data] : data;
    while (rest.length > 0) {
      rest = after(rest, (await handle.writev(rest)).bytesWritten);
    }
  } finally {
    await handle.close();
  }
}

/** What is left of the pieces when so many bytes were written. */
function after(pieces: readonly Buffer[], bytes: number): Buffer[] {
  let index = 0;
  let left = bytes;
  while (index < pieces.length && left >= pieces[index]!.length) {
    left -= pieces[index++]!.length;
  }
  return left === 0
    ? pieces.slice(index)
    : [pieces[index]!.subarray(left), ...pieces.slice(index + 1)];
}

class ChdbEngine implements Engine {
  readonly embedded = true;
  readonly #connections: ChdbConnections;
  readonly #incoming: string;
  readonly #closeWaitMs: number;
  readonly #proxy: EgressProxy | undefined;
  #closing: Promise<void> | undefined;

  constructor(
    connections: ChdbConnections,
    incoming: string,
    closeWaitMs: number,
    proxy: EgressProxy | undefined,
  ) {
    this.#connections = connections;
    this.#proxy = proxy;
    this.#incoming = incoming;
    this.#closeWaitMs = closeWaitMs;
  }

  get guardsEgress(): boolean {
    return this.#proxy !== undefined;
  }

  read(text: string, call: EngineCall): Promise<string> {
    // Settings after FORMAT are the whole query's, a UNION's too, and end with it.
    return this.#run(
      call,
      'read',
      (settings) => `${text}\nFORMAT JSONCompact\nSETTINGS ${settingsClause(settings)}`,
    );
  }

  async execute(text: string, call: EngineCall): Promise<void> {
    await this.#run(
      call,
      'write',
      () => text,
      async (connection, settings) => {
        // Not every statement has a place for settings. All of ours are set anew before each, so none is left from another.
        await connection.run(
          `SET ${settingsClause({ ...settings, max_threads: settings['max_threads'] ?? '0' })}`,
          'Null',
        );
      },
    );
  }

  async insert(call: EngineInsert): Promise<void> {
    const file = join(this.#incoming, randomUUID());
    try {
      await writePieces(file, call.block.data);
      await this.#run(call, 'write', (settings) =>
        insertFromFile(call, literal(file).text, settingsClause(settings)),
      );
    } finally {
      await rm(file, { force: true });
    }
  }

  async ping(timeoutMs: number): Promise<void> {
    await this.read('SELECT 1', { purpose: 'admin', timeoutMs, settings: {} });
  }

  close(): Promise<void> {
    this.#closing ??= this.#connections
      .close(this.#closeWaitMs)
      .finally(() => this.#proxy?.close());
    return this.#closing;
  }

  async #run(
    call: EngineCall,
    mode: Mode,
    text: (settings: Record<string, string>) => string,
    prepare?: (connection: Connection, settings: Record<string, string>) => Promise<void>,
  ): Promise<string> {
    const deadline = performance.now() + call.timeoutMs;
    const waitSignal = AbortSignal.timeout(call.timeoutMs);
    const signal = call.signal ? AbortSignal.any([call.signal, waitSignal]) : waitSignal;
    let began = false;
    try {
      return await this.#connections.use(
        call.purpose,
        mode,
        async (connection) => {
          began = true;
          const leftMs = Math.max(1, deadline - performance.now());
          const settings = { ...call.settings, max_execution_time: (leftMs / 1000).toFixed(3) };
          await prepare?.(connection, settings);
          const marker = `/* sightline ${randomUUID()} */`;
          connection.marker = marker;
          try {
            return await supervise(connection.run(`${marker} ${text(settings)}`, 'JSONCompact'), {
              signal: call.signal,
              timeoutMs: leftMs,
              stop: () => this.#connections.kill(marker),
            });
          } finally {
            connection.marker = undefined;
          }
        },
        signal,
      );
    } catch (error) {
      if (!began && waitSignal.aborted && !call.signal?.aborted) {
        throw new TelemetryError(
          'unavailable',
          `busy: waited ${call.timeoutMs} ms for a ${call.purpose} connection`,
          { cause: error },
        );
      }
      throw error;
    }
  }
}
