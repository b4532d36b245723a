import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { ClickHouseLogLevel, createClient, type ClickHouseClient } from '@clickhouse/client';
import { TelemetryError, type Purpose, type Telemetry } from '../../ports/telemetry.ts';
import { identifier, literal } from '../../sql/sql.ts';
import { engineError } from './engine-errors.ts';
import { EngineTelemetry } from './engine-telemetry.ts';
import type { Engine, EngineCall, EngineInsert } from './engine.ts';
import { lanes, type Lane, type LaneSizes } from './lane.ts';
import { supervise } from './supervise.ts';
import type { SchemaOptions } from './tables/schema.ts';

export interface ClickHouseOptions extends SchemaOptions {
  /** `http(s)://[user[:password]@]host[:port][/path]`. The credentials appear in no error. */
  url: string;
  username?: string | undefined;
  password?: string | undefined;
  /** Requests at once, and how many may wait. */
  lanes?: Partial<LaneSizes>;
  /** How long `close` waits for what runs. */
  closeWaitMs?: number;
}

const size = { width: 16, queueLimit: 256 };
const killTimeoutMs = 5_000;

/** Connects to a ClickHouse server over HTTP; nothing is sent before the first call. @throws TelemetryError unavailable for an address that cannot be one. */
export async function openClickHouse(options: ClickHouseOptions): Promise<Telemetry> {
  return new EngineTelemetry(new ClickHouseEngine(options), options);
}

class ClickHouseEngine implements Engine {
  readonly embedded = false;
  readonly guardsEgress = false;
  readonly #client: ClickHouseClient;
  readonly #lanes: Record<Purpose, Lane>;
  readonly #secrets: readonly string[];
  readonly #cluster: string;
  readonly #closeWaitMs: number;
  readonly #closing = new AbortController();

  constructor(options: ClickHouseOptions) {
    const { url, pathname, username, password } = address(options);
    const sizes = {
      chart: size,
      alert: size,
      ingest: size,
      pipe: size,
      load: size,
      admin: size,
      ...options.lanes,
    };
    this.#lanes = lanes(sizes);
    this.#secrets = [password, encodeURIComponent(password)].filter((text) => text !== '');
    this.#cluster =
      options.clusterName === undefined
        ? ''
        : ` ON CLUSTER ${identifier(options.clusterName).text}`;
    this.#closeWaitMs = options.closeWaitMs ?? 3_000;
    this.#client = createClient({
      url,
      // The client would take a path in the address for a database, and fail before we could create ours.
      ...(pathname === '/' ? {} : { pathname }),
      username,
      password,
      application: 'sightline',
      // One more than may run, for what stops them.
      max_open_connections: Object.values(sizes).reduce((sum, { width }) => sum + width, 4),
      // The lanes and `supervise` keep the time; the client's own must never be the shorter one.
      request_timeout: 24 * 3_600_000,
      compression: { response: true, request: false },
      log: { level: ClickHouseLogLevel.OFF },
    });
  }

  read(text: string, call: EngineCall): Promise<string> {
    return this.#run(call, async (request) => {
      const result = await this.#client.query({
        query: text,
        format: 'JSONCompact',
        ...request,
        clickhouse_settings: { ...request.clickhouse_settings, readonly: '2' },
      });
      return result.text();
    });
  }

  async execute(text: string, call: EngineCall): Promise<void> {
    await this.#run(call, (request) => this.#client.command({ query: text, ...request }));
  }

  async insert(call: EngineInsert): Promise<void> {
    await this.#run(call, async (request) => {
      const {
        target,
        columns,
        block: { format, data },
        cast,
      } = call;
      const query = `INSERT INTO ${target} (${columns})${cast === undefined ? '' : ` SELECT ${cast.values} FROM input(${literal(cast.structure).text})`} FORMAT ${format}`;
      const { stream } = await this.#client.exec({
        query,
        values: Readable.from(Buffer.isBuffer(data) ? [data] : data, { objectMode: false }),
        ...request,
      });
      await drain(stream);
    });
  }

  async ping(timeoutMs: number): Promise<void> {
    await this.read('SELECT 1', { purpose: 'admin', timeoutMs, settings: {} });
  }

  async close(): Promise<void> {
    const ended = Promise.all(Object.values(this.#lanes).map((each) => each.close()));
    const timer = setTimeout(() => this.#closing.abort(), this.#closeWaitMs);
    await ended;
    clearTimeout(timer);
    await this.#client.close();
  }

  async #run<T>(call: EngineCall, send: (request: Request) => Promise<T>): Promise<T> {
    const wait = AbortSignal.timeout(call.timeoutMs);
    const deadline = performance.now() + call.timeoutMs;
    const signal = AbortSignal.any([this.#closing.signal, ...(call.signal ? [call.signal] : [])]);
    let began = false;
    try {
      return await this.#lanes[call.purpose].run(
        () => {
          began = true;
          return this.#supervised(call, send, signal, Math.max(1, deadline - performance.now()));
        },
        AbortSignal.any([signal, wait]),
      );
    } catch (error) {
      if (!began && wait.aborted && !signal.aborted) {
        throw new TelemetryError(
          'unavailable',
          `busy: waited ${call.timeoutMs} ms for a ${call.purpose} request`,
          { cause: error },
        );
      }
      throw this.#clean(engineError(error));
    }
  }

  async #supervised<T>(
    call: EngineCall,
    send: (request: Request) => Promise<T>,
    signal: AbortSignal,
    timeoutMs: number,
  ): Promise<T> {
    const queryId = randomUUID();
    const abandon = new AbortController();
    const settings = {
      ...call.settings,
      max_execution_time: (timeoutMs / 1000).toFixed(3),
      wait_end_of_query: '1',
      cancel_http_readonly_queries_on_client_close: '1',
    };
    try {
      const work = send({
        query_id: queryId,
        clickhouse_settings: settings,
        abort_signal: abandon.signal,
      });
      return await supervise(work, { signal, timeoutMs, stop: () => this.#kill(queryId) });
    } finally {
      abandon.abort();
    }
  }

  async #kill(queryId: string): Promise<void> {
    await this.#client.command({
      query: `KILL QUERY${this.#cluster} WHERE query_id = ${literal(queryId).text} ASYNC`,
      abort_signal: AbortSignal.timeout(killTimeoutMs),
    });
  }

  /** The engine repeats what it was given; a password must not come back that way. */
  #clean(error: TelemetryError): TelemetryError {
    if (!this.#secrets.some((secret) => error.message.includes(secret))) {
      return error;
    }
    return new TelemetryError(
      error.kind,
      this.#secrets.reduce((text, secret) => text.replaceAll(secret, '***'), error.message),
    );
  }
}

interface Request {
  query_id: string;
  clickhouse_settings: Record<string, string>;
  abort_signal: AbortSignal;
}

/** Takes the credentials out of the address, so that whatever prints it cannot print them. */
function address(options: ClickHouseOptions): {
  url: URL;
  pathname: string;
  username: string;
  password: string;
} {
  let url: URL;
  try {
    url = new URL(options.url);
  } catch {
    throw new TelemetryError('unavailable', 'the ClickHouse address is not a URL');
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new TelemetryError(
      'unavailable',
      `the ClickHouse address must begin with http:// or https://, not ${url.protocol}//`,
    );
  }
  const username = options.username ?? (decodeURIComponent(url.username) || 'default');
  const password = options.password ?? decodeURIComponent(url.password);
  const { pathname } = url;
  url.username = '';
  url.password = '';
  url.pathname = '';
  return { url, pathname, username, password };
}

async function drain(stream: Readable): Promise<void> {
  for await (const _ of stream) {
  }
}
