import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import cors from '@fastify/cors';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { Fault } from '../../contract/errors.ts';
import type { Ingest } from '../../core/otlp/ingest.ts';
import type { Encoding, Signal } from '../../core/otlp/received-request.ts';
import type { Log } from '../../ports/ambient.ts';
import { ingestionKey, type Authenticate, type IngestionTarget } from './ingestion-auth.ts';
import { encodeAcceptance, encodeStatus, otlpStatus } from './otlp-status.ts';
import { ByteBudget, withBody, type BodyLimits } from './request-body.ts';

export interface OtlpHttpLimits extends BodyLimits {
  /** Memory of all bodies being received together. */
  maxReceivingBytes: number;
  /** From the first byte of a request to its last. */
  requestTimeoutMs: number;
  headersTimeoutMs: number;
  /** How long a stop waits for requests that are under way. */
  stopTimeoutMs: number;
}

export interface OtlpHttpOptions {
  ingest: Ingest;
  authenticate: Authenticate;
  host: string;
  /** 0: any free one; see `address` after the start. */
  port: number;
  log: Log;
  /** Origins of web pages that may send; `*` for any. */
  corsOrigins?: readonly string[];
  limits?: Partial<OtlpHttpLimits>;
}

/** A listener with a life. */
export interface Receiver {
  start(): Promise<void>;
  /**
   * Refuses new requests, lets the running ones end.
   * @param withinMs after which connections are cut
   */
  stop(withinMs?: number): Promise<void>;
  /** Where it listens; undefined unless started. */
  readonly address: { host: string; port: number } | undefined;
}

const defaultLimits: OtlpHttpLimits = {
  maxBodyBytes: 16 * 1024 * 1024,
  maxInflatedBytes: 64 * 1024 * 1024,
  maxReceivingBytes: 256 * 1024 * 1024,
  requestTimeoutMs: 30_000,
  headersTimeoutMs: 10_000,
  stopTimeoutMs: 8000,
};

const paths: Record<string, Signal> = {
  '/v1/logs': 'logs',
  '/v1/traces': 'traces',
  '/v1/metrics': 'metrics',
};
const contentTypes = 'Content-Type must be application/x-protobuf or application/json';
const mediaTypes: Record<Encoding, string> = {
  protobuf: 'application/x-protobuf',
  json: 'application/json',
};

/** OTLP over HTTP: POST /v1/logs, /v1/traces and /v1/metrics, protobuf or JSON. */
export function createOtlpHttp(options: OtlpHttpOptions): Receiver {
  const limits = { ...defaultLimits, ...options.limits };
  let address: Receiver['address'];
  const app = build(options, limits);
  // A connection whose request is answered during the stop would else be kept open for the next.
  app.addHook('onSend', async (_request, reply) => {
    if (!address) {
      reply.header('connection', 'close');
    }
  });
  return {
    async start() {
      await app.listen({ host: options.host, port: options.port });
      address = { host: options.host, port: (app.server.address() as AddressInfo).port };
    },
    async stop(withinMs = limits.stopTimeoutMs) {
      address = undefined;
      const force = setTimeout(
        () => app.server.closeAllConnections(),
        Math.min(withinMs, limits.stopTimeoutMs),
      );
      await app.close();
      clearTimeout(force);
    },
    get address() {
      return address;
    },
  };
}

function build(options: OtlpHttpOptions, limits: OtlpHttpLimits): FastifyInstance {
  const app = fastify({
    logger: false,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: 65_000,
    routerOptions: { ignoreTrailingSlash: true },
    http: {
      headersTimeout: limits.headersTimeoutMs,
      connectionsCheckingInterval: Math.min(5000, limits.headersTimeoutMs),
    },
  });
  // A sender may close its half of the connection after the request, and still wants the answer.
  (app.server as Server & { httpAllowHalfOpen: boolean }).httpAllowHalfOpen = true;
  const budget = new ByteBudget(limits.maxReceivingBytes);
  const corsOrigins = options.corsOrigins ?? [];
  if (corsOrigins.length > 0) {
    app.register(cors, {
      origin: corsOrigins.includes('*') ? '*' : [...corsOrigins],
      methods: ['POST'],
      exposedHeaders: ['retry-after'],
      maxAge: 7200,
    });
  }
  // Bodies are read by the handler, after authentication and within the budget.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  app.setErrorHandler((error, request, reply) => refuse(error, request, reply, options.log));
  app.setNotFoundHandler((request, reply) =>
    refuse(notServed(request, reply), request, reply, options.log),
  );
  for (const [path, signal] of Object.entries(paths)) {
    app.post(path, async (request, reply) => {
      const { database } = await identify(request, options.authenticate);
      const abort = abortedBy(reply);
      try {
        const encoding = requireEncoding(request);
        options.ingest.requireRoom(0, database);
        const acceptance = await withBody(request.raw, limits, budget, (bytes, compression) =>
          options.ingest.accept({
            signal,
            encoding,
            compression,
            bytes,
            database,
            abort,
            maxInflatedBytes: limits.maxInflatedBytes,
          }),
        );
        return reply
          .type(mediaTypes[encoding])
          .send(encodeAcceptance(signal, acceptance, encoding));
      } catch (error) {
        // A sender that has left gets no answer.
        if (!abort.aborted) {
          options.ingest.refused(database, otlpStatus(error).message);
        }
        throw error;
      }
    });
  }
  return app;
}

/** A request for another path, or with another method. */
function notServed({ url }: FastifyRequest, reply: FastifyReply): Fault {
  if (!Object.hasOwn(paths, url.replace(/\?.*$/s, '').replace(/\/$/, ''))) {
    return new Fault('not_found', 'only /v1/logs, /v1/traces and /v1/metrics are served here');
  }
  reply.header('allow', 'POST');
  return new Fault('method_not_allowed', 'only POST is served here');
}

/** Aborts when the connection is closed before the response was sent. */
function abortedBy({ raw }: FastifyReply): AbortSignal {
  const abort = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) {
      abort.abort();
    }
  });
  return abort.signal;
}

async function identify(
  request: FastifyRequest,
  authenticate: Authenticate,
): Promise<IngestionTarget> {
  const key = ingestionKey(request.headers.authorization);
  const target = key === undefined ? undefined : await authenticate(key);
  if (!target) {
    throw new Fault('unauthorized', 'send the ingestion key as Authorization: <key>');
  }
  return target;
}

/** @throws Fault `unsupported_media_type`. */
function requireEncoding(request: FastifyRequest): Encoding {
  const encoding = encodingOf(request);
  if (!encoding) {
    throw new Fault('unsupported_media_type', contentTypes);
  }
  return encoding;
}

function encodingOf(request: FastifyRequest): Encoding | undefined {
  const [type] = (request.headers['content-type'] ?? '').split(';', 1);
  const mediaType = type?.trim().toLowerCase();
  if (mediaType === 'application/x-protobuf') {
    return 'protobuf';
  }
  return mediaType === 'application/json' ? 'json' : undefined;
}

/** Answers in the request's own encoding; in JSON where that is neither of ours. */
function refuse(
  failure: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  log: Log,
): FastifyReply {
  const error = faultOf(failure);
  const status = otlpStatus(error);
  if (!(error instanceof Fault)) {
    log.error({ err: error, url: request.url }, 'OTLP request failed');
  }
  if (status.http === 401) {
    reply.header('www-authenticate', 'Bearer');
  }
  if (status.retryAfterSeconds !== undefined) {
    reply.header('retry-after', status.retryAfterSeconds);
  }
  const encoding = encodingOf(request) ?? 'json';
  return reply.code(status.http).type(mediaTypes[encoding]).send(encodeStatus(status, encoding));
}

/**
 * The framework's own refusals, such as a Content-Type that does not parse, are the sender's
 * mistakes too.
 */
function faultOf(failure: unknown): unknown {
  const status = (failure as { statusCode?: number }).statusCode;
  if (failure instanceof Fault || status === undefined || status < 400 || status >= 500) {
    return failure;
  }
  return new Fault(
    status === 415 ? 'unsupported_media_type' : 'bad_request',
    status === 415 ? contentTypes : 'the request is not valid HTTP',
    { cause: failure },
  );
}
