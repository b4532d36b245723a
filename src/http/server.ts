import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import cors from '@fastify/cors';
import underPressure from '@fastify/under-pressure';
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { AuditTrail } from '../core/audit/audit-trail.ts';
import type { Clock, Log } from '../ports/ambient.ts';
import { faultAnswer, standingHeaders } from './answer.ts';
import { AddressList } from './auth/address-list.ts';
import { clientAddress } from './auth/client-address.ts';
import { answerClientError } from './client-error.ts';
import { docsRoutes } from './docs-routes.ts';
import { rowLimitHeader } from './file-answer.ts';
import { healthRoutes, type HealthOptions } from './health.ts';
import { Idempotency, type IdempotencyOptions } from './idempotency.ts';
import { jsonBody } from './body/json-body.ts';
import type { RateLimiter } from './rate-limit.ts';
import type { RequestDurations } from './request-durations.ts';
import { requestFault, statusOf, unsupportedMediaType } from './request-fault.ts';
import { overLimit, pathOf, send, surfaceRoutes } from './surface-routes.ts';
import { isUnder, surfaceOf, type Surface } from './surface.ts';
import { countAs, watchTraffic } from './traffic.ts';
import { homeRoute } from './ui/home.ts';
import { singleSignOnRoutes, type SingleSignOn } from './ui/single-sign-on.ts';
import type { Site } from './ui/site.ts';
import { unknownRoute } from './unknown-route.ts';

export interface ApiLimits {
  bodyBytes: number;
  /** To send all headers, and the whole request. */
  headersTimeoutMs: number;
  requestTimeoutMs: number;
  keepAliveTimeoutMs: number;
  /** Event loop delay (ms) above which the server answers 503. 0: never. */
  eventLoopDelayMs: number;
}

export const defaultLimits: ApiLimits = {
  bodyBytes: 10 * 1024 * 1024,
  headersTimeoutMs: 15_000,
  requestTimeoutMs: 60_000,
  keepAliveTimeoutMs: 72_000,
  eventLoopDelayMs: 5000,
};

export interface ApiServerOptions {
  /** In order of preference for paths that belong to none. */
  surfaces: readonly [Surface, ...Surface[]];
  clock: Clock;
  log: Log;
  health?: Omit<HealthOptions, 'clock' | 'log'>;
  /** Measures requests; listeners of one process share it, and `rateLimiter` too. */
  durations?: RequestDurations | undefined;
  idempotency?: Omit<IdempotencyOptions, 'log'>;
  /** Absent: no limit. */
  rateLimiter?: RateLimiter | undefined;
  /** Runs calls; puts on record who changed what and which callers were refused. */
  audit: Pick<AuditTrail, 'invoke' | 'credentialRefused'>;
  /** Addresses and CIDRs whose X-Forwarded-For counts. */
  trustedProxies: readonly string[];
  /** Origins of web pages that may call with a browser. Empty: none. */
  corsOrigins?: readonly string[];
  limits?: Partial<ApiLimits>;
  /** The web interface, on the listener that serves it. */
  site?: Site;
  /** Single sign-on, on the same listener. */
  singleSignOn?: SingleSignOn | undefined;
  /** Address of the web interface, to which `/` leads; unused with `site`. */
  interfaceUrl?: ((hostname: string) => string) | undefined;
}

export interface ApiServer {
  /** Port 0: any free one. */
  listen(address: { host: string; port: number }): Promise<AddressInfo>;
  /** Drops no accepted request; done within the deadline (9 s). */
  stop(deadlineMs?: number): Promise<void>;
}

/** The API port: every surface, its reference, health. Nothing runs before `listen`. */
export async function createApiServer(options: ApiServerOptions): Promise<ApiServer> {
  const limits = { ...defaultLimits, ...options.limits };
  const app = framework(options, limits);
  const traffic = watchTraffic(app, options.durations);
  await commonGround(app, options, limits);
  const deps = {
    headersOfPlugins: hasOrigins(options),
    idempotency:
      options.idempotency && new Idempotency({ ...options.idempotency, log: options.log }),
    audit: options.audit,
    rateLimiter: options.rateLimiter,
    log: options.log,
  };
  for (const surface of options.surfaces) {
    surfaceRoutes(app, surface, deps);
    docsRoutes(app, surface);
  }
  if (options.health) {
    const { clock, log, site } = options;
    healthRoutes(app, { ...options.health, clock, log, site });
  }
  if (options.singleSignOn) {
    singleSignOnRoutes(app, options.singleSignOn, options.audit);
  }
  if (!options.site) {
    const basePaths = options.surfaces.map(({ basePath }) => basePath);
    homeRoute(app, basePaths, options.interfaceUrl);
  }
  failures(app, options);
  return {
    async listen({ host, port }) {
      await app.listen({ host, port });
      return app.server.address() as AddressInfo;
    },
    stop: (deadlineMs = 9000) => traffic.stop(deadlineMs),
  };
}

function framework({ surfaces, log, site }: ApiServerOptions, limits: ApiLimits): FastifyInstance {
  const listener = { surfaces, unknown: unknownRoute(surfaces), hasPages: site !== undefined };
  const app = fastify({
    logger: false,
    genReqId: () => randomUUID(),
    bodyLimit: limits.bodyBytes,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    // Identifiers that are too long are a 400 of the operation, not an unknown path.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 16_384 },
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    frameworkErrors: (error, request, reply) =>
      void answerFault(error, request as FastifyRequest, reply as FastifyReply, surfaces, log),
    clientErrorHandler: (error, socket) => answerClientError(error, socket, listener),
    http: {
      connectionsCheckingInterval: Math.min(2000, limits.headersTimeoutMs / 4),
      headersTimeout: limits.headersTimeoutMs,
    },
  });
  (app.server as Server).headersTimeout = limits.headersTimeoutMs;
  return app;
}

/** What holds for every route: parsers, headers, load shedding, measuring. */
async function commonGround(
  app: FastifyInstance,
  options: ApiServerOptions,
  limits: ApiLimits,
): Promise<void> {
  app.decorateRequest('principal', null);
  app.decorateRequest('allowance', null);
  const trusted = new AddressList(options.trustedProxies);
  app.decorateRequest('address', {
    getter() {
      return (
        clientAddress(this.raw.socket.remoteAddress, this.headers['x-forwarded-for'], trusted) ??
        'unknown'
      );
    },
  });
  addBodyParsers(app);
  addStandingHeaders(app);
  if (hasOrigins(options)) {
    await app.register(cors, {
      origin: [...options.corsOrigins],
      methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
      exposedHeaders: [
        'ETag',
        'X-Request-Id',
        'X-Total-Count',
        'X-Sightline-Rows-Read',
        'X-Sightline-Elapsed',
        rowLimitHeader,
        'Content-Disposition',
        'Retry-After',
      ],
    });
  }
  if (limits.eventLoopDelayMs > 0) {
    await app.register(underPressure, {
      maxEventLoopDelay: limits.eventLoopDelayMs,
      sampleInterval: 1000,
    });
  }
}

function addBodyParsers(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      const encoding = request.headers['content-encoding'];
      if (encoding !== undefined && encoding !== 'identity') {
        throw unsupportedMediaType();
      }
      return jsonBody(body);
    },
  );
  app.addContentTypeParser('*', (request, _payload, done) => {
    const { 'content-length': length, 'transfer-encoding': transfer } = request.headers;
    const empty = transfer === undefined && (length === undefined || length === '0');
    done(empty ? null : unsupportedMediaType(), undefined);
  });
}

/** For replies of the framework only: surfaces write their answers whole. */
function addStandingHeaders(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    for (const name in standingHeaders) {
      if (!reply.hasHeader(name)) {
        reply.header(name, standingHeaders[name]);
      }
    }
    if (!reply.hasHeader('x-request-id')) {
      reply.header('x-request-id', request.id);
    }
    if (request.routeOptions.url !== undefined) {
      countAs(reply.raw, request.routeOptions.url);
    }
    done(null, payload);
  });
}

function hasOrigins(
  options: ApiServerOptions,
): options is ApiServerOptions & { corsOrigins: readonly string[] } {
  return options.corsOrigins !== undefined && options.corsOrigins.length > 0;
}

function failures(
  app: FastifyInstance,
  { surfaces, log, site, rateLimiter: limiter }: ApiServerOptions,
): void {
  app.setErrorHandler((error, request, reply) => answerFault(error, request, reply, surfaces, log));
  const unknown = unknownRoute(surfaces);
  app.setNotFoundHandler((request, reply) => {
    const path = pathOf(request);
    const isOfApi = surfaces.some(({ basePath }) => isUnder(basePath, path));
    if (!isOfApi && site?.answer(request, reply, path)) {
      return reply;
    }
    const { fault, allow } = unknown(request.method, path);
    if (allow) {
      reply.header('allow', allow);
    }
    return answerFault(
      (limiter && overLimit(limiter, `address ${request.address}`, request)) ?? fault,
      request,
      reply,
      surfaces,
      log,
    );
  });
}

function answerFault(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  surfaces: readonly [Surface, ...Surface[]],
  log: Log,
): FastifyReply {
  const fault = requestFault(error);
  const path = pathOf(request);
  if (statusOf(fault) >= 500) {
    log.error(
      { requestId: request.id, method: request.method, path, err: fault.cause ?? fault },
      fault.message,
    );
  }
  // The server reads and discards the rest of a refused body: closing the connection at once would
  // reset it before the caller has read the answer.
  reply.removeHeader('connection');
  return send(
    reply,
    faultAnswer(surfaceOf(surfaces, path), fault, { requestId: request.id, path }),
  );
}
