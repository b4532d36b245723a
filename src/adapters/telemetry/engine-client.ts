import { finished, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Pool, type Dispatcher } from 'undici';
import { EngineFailure } from './engine-failure.ts';
import type { QueryLimits } from './fairness/fair-limiter.ts';

export interface Credentials {
  username: string;
  password: string;
}

export interface EngineClientOptions extends Credentials {
  /** Of the HTTP interface. Its path, if any, goes before the paths of requests. */
  url: URL;
  /** Connections at once. More requests wait for one. */
  connections: number;
  /** Whether answers come compressed: for a server behind a network. */
  compressed?: boolean;
}

export interface EngineRequest {
  /** Who asks; absent: the client's own user. */
  auth?: Credentials | undefined;
  queryId?: string;
  settings?: Readonly<Record<string, string>>;
  signal?: AbortSignal;
}

/** A request with a statement. */
export interface EngineStatement extends EngineRequest {
  query: string;
  /** What the statement inserts. */
  data?: Buffer | readonly Buffer[];
}

/**
 * A connection without work is closed after this time, before a server or a proxy in between closes
 * it just when a request is sent.
 */
const idleMs = 2_500;
/** Longest text of a failure that is read. */
const failureMax = 64 * 1024;

/** More than may run, for the requests that stop queries. */
export const connectionsFor = (limits: QueryLimits): number =>
  Object.values(limits).reduce((sum, { width }) => sum + width, 4);

/**
 * ClickHouse's HTTP interface. How long a statement may take is for its caller to decide: the client
 * limits only the time to connect.
 * @see https://clickhouse.com/docs/interfaces/http
 */
export class EngineClient {
  readonly #pool: Pool;
  readonly #path: string;
  readonly #own: string;
  readonly #compressed: boolean;

  constructor(options: EngineClientOptions) {
    const { url, connections, compressed = false } = options;
    this.#pool = new Pool(url.origin, {
      connections,
      pipelining: 1,
      keepAliveTimeout: idleMs,
      keepAliveMaxTimeout: idleMs,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    this.#path = url.pathname.replace(/\/$/, '');
    this.#own = basic(options);
    this.#compressed = compressed;
  }

  /** The whole answer. @throws EngineFailure if the engine refuses, else what broke the connection */
  async text(statement: EngineStatement): Promise<string> {
    const { body, headers } = await this.#send(statement);
    return isGzip(headers) ? readText(unzipped(body)) : body.text();
  }

  /** The answer as it comes. @throws EngineFailure if the engine refuses before the first byte */
  async stream(statement: EngineStatement): Promise<Readable> {
    const { body, headers } = await this.#send(statement);
    return isGzip(headers) ? unzipped(body) : body;
  }

  /** Whether anything answers there. */
  async ping(signal: AbortSignal): Promise<boolean> {
    try {
      const path = `${this.#path}/ping`;
      const { body } = await this.#pool.request({ method: 'GET', path, signal });
      await body.text();
      return true;
    } catch {
      return false;
    }
  }

  /** Breaks the connections of whatever still runs. */
  async close(): Promise<void> {
    await this.#pool.destroy();
  }

  async #send(statement: EngineStatement): Promise<Dispatcher.ResponseData> {
    const { auth, data, signal } = statement;
    const response = await this.#pool.request({
      method: 'POST',
      path: `${this.#path}/?${this.#parameters(statement)}`,
      headers: {
        'user-agent': 'sightline',
        authorization: auth ? basic(auth) : this.#own,
        ...(this.#compressed && { 'accept-encoding': 'gzip' }),
        ...(data && { 'content-length': String(sizeOf(data)) }),
      },
      body: data ? bodyOf(data) : statement.query,
      ...(signal && { signal }),
    });
    if (response.statusCode >= 400) {
      const { body, headers } = response;
      throw new EngineFailure(await readText(isGzip(headers) ? unzipped(body) : body, failureMax));
    }
    return response;
  }

  #parameters({ query, data, queryId, settings }: EngineStatement): URLSearchParams {
    const parameters = new URLSearchParams(settings);
    if (queryId !== undefined) {
      parameters.set('query_id', queryId);
    }
    if (this.#compressed && !parameters.has('enable_http_compression')) {
      parameters.set('enable_http_compression', '1');
    }
    if (data !== undefined) {
      parameters.set('query', query);
    }
    return parameters;
  }
}

const basic = ({ username, password }: Credentials): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;

const bodyOf = (data: Buffer | readonly Buffer[]): Buffer | Readable =>
  Buffer.isBuffer(data) ? data : Readable.from(data, { objectMode: false });

const sizeOf = (data: Buffer | readonly Buffer[]): number =>
  Buffer.isBuffer(data) ? data.length : data.reduce((sum, piece) => sum + piece.length, 0);

const isGzip = (headers: Dispatcher.ResponseData['headers']): boolean =>
  headers['content-encoding'] === 'gzip';

/** A stream that breaks off breaks the unzipped one too. */
function unzipped(body: Readable): Readable {
  const plain = createGunzip();
  finished(body, (error) => {
    if (error) {
      plain.destroy(error);
    }
  });
  plain.once('close', () => body.destroy());
  return body.pipe(plain);
}

async function readText(stream: Readable, bytesMax = Infinity): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of stream as AsyncIterable<Buffer>) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes > bytesMax) {
      break;
    }
  }
  return Buffer.concat(pieces).toString();
}
