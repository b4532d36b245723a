import {
  constants,
  createServer,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { Compression } from '../../core/otlp/received-request.ts';
import { compressionNamed, compressionNames } from './decompress.ts';
import { GrpcStatus, readMessage, type MessageLimits } from './grpc-message.ts';
import { ByteBudget, HeldBytes } from './request-body.ts';

export interface GrpcServerLimits extends MessageLimits {
  /** Memory of all messages being received together. */
  maxReceivingBytes: number;
  /** Requests at a time on one connection. */
  maxStreams: number;
  /** From the headers of a request to its last byte. */
  requestTimeoutMs: number;
  /** How long a stop waits for requests that are under way. */
  stopTimeoutMs: number;
}

/** A call before its message is read. */
export interface UnaryCall {
  path: string;
  headers: IncomingHttpHeaders;
  /** Aborts when the client has left or the deadline has passed. */
  abort: AbortSignal;
  /** Reads the message, still compressed. It counts against the budget until the call ends. */
  message(): Promise<{ bytes: Buffer; compression: Compression }>;
}

/** Returns the response message. @throws GrpcStatus. */
export type UnaryHandler = (call: UnaryCall) => Promise<Uint8Array>;

const pingEveryMs = 60_000;
const pingTimeoutMs = 20_000;
/** How long the rest of a refused message is read. */
const drainMs = 10_000;
const acceptedEncodings = ['identity', ...compressionNames].join(',');
const responseHeaders: OutgoingHttpHeaders = {
  [constants.HTTP2_HEADER_STATUS]: 200,
  [constants.HTTP2_HEADER_CONTENT_TYPE]: 'application/grpc+proto',
  'grpc-accept-encoding': acceptedEncodings,
};

/**
 * gRPC for unary calls over HTTP/2 without TLS. Messages stay compressed, so that large ones can be
 * decompressed elsewhere, and the key is checked before a message is read.
 */
export class GrpcServer {
  private readonly server;
  private readonly sessions = new Set<ServerHttp2Session>();
  private readonly budget: ByteBudget;
  private readonly handle: UnaryHandler;
  private readonly limits: GrpcServerLimits;

  constructor(handle: UnaryHandler, limits: GrpcServerLimits) {
    this.handle = handle;
    this.limits = limits;
    this.budget = new ByteBudget(limits.maxReceivingBytes);
    this.server = createServer({ settings: { maxConcurrentStreams: limits.maxStreams } });
    this.server.on('session', (session) => this.watch(session));
    this.server.on('stream', (stream, headers) => void this.serve(stream, headers));
  }

  /** Resolves with the port. */
  listen(host: string, port: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(port, host, () => {
        this.server.off('error', reject);
        resolve((this.server.address() as AddressInfo).port);
      });
    });
  }

  /** Refuses new calls, lets the running ones end. */
  async stop(withinMs = this.limits.stopTimeoutMs): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    const force = setTimeout(
      () => {
        for (const session of this.sessions) {
          session.destroy();
        }
      },
      Math.min(withinMs, this.limits.stopTimeoutMs),
    );
    for (const session of this.sessions) {
      session.close();
    }
    await closed;
    clearTimeout(force);
  }

  /** Keeps a connection only while its client answers pings. */
  private watch(session: ServerHttp2Session): void {
    this.sessions.add(session);
    const ping = setInterval(() => {
      const timer = setTimeout(() => session.destroy(), pingTimeoutMs).unref();
      session.ping(() => clearTimeout(timer));
    }, pingEveryMs).unref();
    session.on('error', () => undefined);
    session.once('close', () => {
      clearInterval(ping);
      this.sessions.delete(session);
    });
  }

  private async serve(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): Promise<void> {
    stream.on('error', () => undefined);
    if (!isGrpc(headers)) {
      stream.respond({ [constants.HTTP2_HEADER_STATUS]: 415 }, { endStream: true });
      stream.resume();
      return;
    }
    const call = new Call(stream, headers);
    const held = new HeldBytes(this.budget);
    try {
      const { path, compression } = checkedHeaders(headers);
      const message = async (): Promise<{ bytes: Buffer; compression: Compression }> => {
        const timer = setTimeout(() => call.expire(), this.limits.requestTimeoutMs);
        const { bytes, isCompressed } = await readMessage(stream, this.limits, held).finally(() =>
          clearTimeout(timer),
        );
        return { bytes, compression: isCompressed ? compression : 'identity' };
      };
      const handled = this.handle({ path, headers, abort: call.abort, message });
      call.respond(await Promise.race([handled, call.ended]));
    } catch (error) {
      call.refuse(error);
    } finally {
      held.release();
      call.close();
    }
  }
}

function isGrpc(headers: IncomingHttpHeaders): boolean {
  return (
    headers[constants.HTTP2_HEADER_METHOD] === 'POST' &&
    headers['content-type']?.startsWith('application/grpc') === true
  );
}

function checkedHeaders(headers: IncomingHttpHeaders): { path: string; compression: Compression } {
  const encoding = headers['grpc-encoding'] ?? 'identity';
  const compression = compressionNamed(String(encoding));
  if (!compression) {
    throw new GrpcStatus(12, `grpc-encoding must be one of ${acceptedEncodings}`);
  }
  return { path: String(headers[constants.HTTP2_HEADER_PATH]), compression };
}

/** The answer to one call, and what ends it early. */
class Call {
  private readonly aborter = new AbortController();
  private deadline: NodeJS.Timeout | undefined;
  private end!: (status: GrpcStatus) => void;
  /** Rejects when the client has left or the deadline has passed. */
  readonly ended: Promise<never>;

  private readonly stream: ServerHttp2Stream;

  constructor(stream: ServerHttp2Stream, headers: IncomingHttpHeaders) {
    this.stream = stream;
    this.ended = new Promise((_, reject) => {
      this.end = (status) => {
        reject(status);
        this.aborter.abort();
      };
    });
    this.ended.catch(() => undefined);
    stream.once('close', () => this.end(new GrpcStatus(1, 'the client left')));
    const timeoutMs = timeoutOf(headers['grpc-timeout']);
    if (timeoutMs !== undefined) {
      this.deadline = setTimeout(() => this.expire(), timeoutMs);
    }
  }

  get abort(): AbortSignal {
    return this.aborter.signal;
  }

  expire(): void {
    this.end(new GrpcStatus(4, 'the deadline has passed'));
  }

  respond(message: Uint8Array): void {
    const { stream } = this;
    if (stream.destroyed || stream.closed) {
      return;
    }
    stream.respond(responseHeaders, { waitForTrailers: true });
    stream.once('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    const frame = Buffer.alloc(5 + message.length);
    frame.writeUInt32BE(message.length, 1);
    frame.set(message, 5);
    stream.end(frame);
  }

  /** Headers and trailers in one. The rest of the message is read and discarded. */
  refuse(error: unknown): void {
    const { stream } = this;
    if (stream.destroyed || stream.closed || stream.headersSent) {
      return;
    }
    const { code, message, trailers } =
      error instanceof GrpcStatus ? error : new GrpcStatus(13, 'internal error');
    stream.respond(
      {
        ...responseHeaders,
        'grpc-status': String(code),
        'grpc-message': encodeURI(message),
        ...trailers,
      },
      { endStream: true },
    );
    stream.resume();
    const timer = setTimeout(() => stream.close(), drainMs);
    stream.once('close', () => clearTimeout(timer));
  }

  close(): void {
    clearTimeout(this.deadline);
  }
}

const unitsMs: Record<string, number> = {
  H: 3_600_000,
  M: 60_000,
  S: 1000,
  m: 1,
  u: 1e-3,
  n: 1e-6,
};
const maxTimerMs = 2 ** 31 - 1;

/** The deadline of a call in milliseconds; undefined without one. */
function timeoutOf(header: string | string[] | undefined): number | undefined {
  const match = /^(\d{1,8})([HMSmun])$/.exec(String(header ?? ''));
  return match ? Math.min(Number(match[1]) * unitsMs[match[2]!]!, maxTimerMs) : undefined;
}
