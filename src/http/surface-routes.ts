import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Fault } from '../contract/errors.ts';
import type { AnyOperation } from '../contract/operation.ts';
import type { AuditTrail } from '../core/audit/audit-trail.ts';
import type { KeepAnswer } from '../core/verb/change.ts';
import type { Outcome } from '../core/verb/outcome.ts';
import type { RawCall, Verb } from '../core/verb/verb.ts';
import type { Log } from '../ports/ambient.ts';
import type { Principal } from '../ports/principal.ts';
import { faultAnswer, jsonType, successAnswer, writeAnswer, type Answer } from './answer.ts';
import { soleAuthorization } from './auth/authorization-header.ts';
import { CredentialRefused } from './auth/credential-refused.ts';
import { acceptedVersions } from './entity-tag.ts';
import { writeFile } from './file-answer.ts';
import type { Idempotency } from './idempotency.ts';
import type { Allowance, RateLimiter } from './rate-limit.ts';
import { requestFault } from './request-fault.ts';
import type { Incoming, Method, Surface } from './surface.ts';
import { countAs } from './traffic.ts';

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal | null;
    /** What the rate limit has left for the caller; null where there is none. */
    allowance: Allowance | null;
    /** Where it comes from; behind trusted proxies, as they report. */
    readonly address: string;
  }
}

export interface RouteDependencies {
  idempotency: Idempotency | undefined;
  rateLimiter: RateLimiter | undefined;
  /** Runs calls and puts them on record, and refusals too. */
  audit: Pick<AuditTrail, 'invoke' | 'credentialRefused'>;
  /** Whether plugins put headers of their own on replies (CORS). */
  headersOfPlugins: boolean;
  log: Log;
}

/** Binds every line of a surface's route table to its verb. */
export function surfaceRoutes(
  app: FastifyInstance,
  surface: Surface,
  deps: RouteDependencies,
): void {
  for (const [method, path, operation] of surface.routes) {
    const verb = surface.verbs[operation.name];
    if (!verb) {
      throw new TypeError(`${surface.name}: ${method} ${path} has no verb ${operation.name}`);
    }
    app.route({
      method,
      url: fastifyPath(surface, path),
      onRequest: admission(surface, verb, deps),
      handler:
        method === 'POST' && deps.idempotency && mayKeepAnswer(operation)
          ? postHandler(surface, verb, deps, deps.idempotency)
          : handler(surface, verb, deps),
    });
  }
  for (const [path, methods] of undeclaredMethods(surface.routes)) {
    app.route({
      method: methods,
      url: fastifyPath(surface, path),
      // Before the body is read: the answer does not depend on it.
      onRequest: (_request, reply) => void reply.callNotFound(),
      handler: (_request, reply) => void reply.callNotFound(),
    });
  }
}

const mayKeepAnswer = ({ anonymous, file, unkept }: AnyOperation): boolean =>
  anonymous !== true && file === undefined && unkept !== true;

const fastifyPath = ({ basePath }: Surface, path: string): string =>
  basePath + path.replace(/\{(\w+)\}/g, ':$1');

/**
 * By path, the methods of the surface that the path does not have. Without them, `PUT
 * /alerts/preview` would be an update of the alert `preview`.
 */
function undeclaredMethods(routes: Surface['routes']): Map<string, Method[]> {
  const used = [...new Set(routes.map(([method]) => method))];
  const undeclared = new Map<string, Method[]>();
  for (const [, path] of routes) {
    const declared = new Set(routes.flatMap(([method, other]) => (other === path ? [method] : [])));
    undeclared.set(
      path,
      used.filter((method) => !declared.has(method)),
    );
  }
  return undeclared;
}

type Hook = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void;

/** Authenticates the caller and applies the rate limit, before any byte of the body is read. */
function admission(
  surface: Surface,
  { operation }: Verb,
  { rateLimiter: limiter, audit }: RouteDependencies,
): Hook {
  return (request, reply, done) => {
    countAs(reply.raw, request.routeOptions.url ?? 'unknown');
    const address = request.address;
    const incoming: Incoming = {
      authorization: soleAuthorization(request.raw),
      address,
      params: request.params as Record<string, string>,
      method: request.method,
      headers: request.headers,
      operation,
      requestId: request.id,
    };
    const accept = (principal: Principal): void => {
      request.principal = principal;
      done(limiter && overLimit(limiter, callerOf(principal), request));
    };
    const refuse = (error: unknown): void => {
      const fault = requestFault(error);
      const isRefusal =
        fault.code === 'unauthorized' ||
        fault.code === 'forbidden' ||
        fault instanceof CredentialRefused;
      if (isRefusal) {
        audit.credentialRefused({
          fault,
          address,
          requestId: request.id,
          ...(fault instanceof CredentialRefused && fault.whose),
        });
      }
      done((limiter && overLimit(limiter, `address ${address}`, request)) ?? fault);
    };
    try {
      const principal = surface.authenticate(incoming);
      if (principal instanceof Promise) {
        principal.then(accept, refuse);
      } else {
        accept(principal);
      }
    } catch (error) {
      refuse(error);
    }
  };
}

function callerOf({ credential, subject, address }: Principal): string {
  return subject.kind === 'anonymous'
    ? `address ${address ?? ''}`
    : `credential ${credential ?? subject.id}`;
}

/** Counts the request, so that its answer can say how much is left; a Fault when it is too much. */
export function overLimit(
  limiter: RateLimiter,
  caller: string,
  request: FastifyRequest,
): Fault | undefined {
  const allowance = limiter.take(caller);
  request.allowance = allowance;
  const { allowed, resetSeconds } = allowance;
  if (allowed) {
    return undefined;
  }
  const { requests, windowMs } = limiter.limit;
  const limit = `${requests} requests in ${Math.ceil(windowMs / 1000)} s`;
  return new Fault('rate_limited', `more than ${limit}: try again in ${resetSeconds} s`, {
    retryAfterSeconds: resetSeconds,
  });
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => void | Promise<void>;

/** Answers without a promise if the verb does: a read from memory. */
function handler(
  surface: Surface,
  verb: Verb,
  { audit, headersOfPlugins, log }: RouteDependencies,
): Handler {
  return (request, reply) => {
    const answer = (outcome: Outcome<unknown>): void | Promise<void> =>
      outcome.file
        ? writeFile(reply, outcome.file, { others: headersOfPlugins, log })
        : writeAnswer(
            reply,
            successAnswer(surface, outcome, request.id),
            headersOfPlugins,
            request.allowance,
          );
    const outcome = audit.invoke(verb, new RequestCall(request, reply));
    return outcome instanceof Promise ? outcome.then(answer) : answer(outcome);
  };
}

function postHandler(
  surface: Surface,
  verb: Verb,
  deps: RouteDependencies,
  idempotency: Idempotency,
): Handler {
  const plain = handler(surface, verb, deps);
  return async (request, reply) => {
    const key = request.headers['idempotency-key'];
    if (key === undefined) {
      return plain(request, reply);
    }
    const path = pathOf(request);
    const answerOf = (outcome: Outcome<unknown>): Answer =>
      successAnswer(surface, outcome, request.id);
    const run = async (keepAnswer: KeepAnswer): Promise<Answer> => {
      try {
        const call = new RequestCall(request, reply, keepAnswer);
        return answerOf(await deps.audit.invoke(verb, call));
      } catch (error) {
        const fault = requestFault(error);
        if (fault.code === 'internal') {
          throw error;
        }
        return faultAnswer(surface, fault, { requestId: request.id, path });
      }
    };
    const keyed = { path, body: request.body };
    send(
      reply,
      await idempotency.once(principalOf(request), String(key), keyed, { answerOf, run }),
    );
  };
}

/**
 * The call as the verb sees it. The signal costs a listener, so it is made only when a verb asks.
 */
class RequestCall implements RawCall {
  readonly keepAnswer: KeepAnswer | undefined;
  private readonly request: FastifyRequest;
  private readonly reply: FastifyReply;
  private abort: AbortController | undefined;

  constructor(request: FastifyRequest, reply: FastifyReply, keepAnswer?: KeepAnswer) {
    this.keepAnswer = keepAnswer;
    this.request = request;
    this.reply = reply;
  }

  get principal(): Principal {
    return principalOf(this.request);
  }
  get requestId(): string {
    return this.request.id;
  }
  get params(): unknown {
    return this.request.params;
  }
  get query(): unknown {
    return this.request.query;
  }
  get body(): unknown {
    return this.request.body;
  }
  get agent(): string | undefined {
    return this.request.headers['user-agent'];
  }
  get ifMatch(): readonly number[] | undefined {
    return acceptedVersions(this.request.headers['if-match']);
  }

  get signal(): AbortSignal {
    if (this.abort) {
      return this.abort.signal;
    }
    const abort = new AbortController();
    this.abort = abort;
    const { raw } = this.reply;
    if (raw.destroyed) {
      abort.abort();
    } else {
      raw.once('close', () => {
        if (!raw.writableFinished) {
          abort.abort();
        }
      });
    }
    return abort.signal;
  }
}

/** Handlers run after admission, which sets it. */
function principalOf({ principal }: FastifyRequest): Principal {
  if (!principal) {
    throw new TypeError('a handler ran before authentication');
  }
  return principal;
}

export function send(reply: FastifyReply, { status, headers, body }: Answer): FastifyReply {
  for (const name in headers) {
    reply.header(name, headers[name]);
  }
  const { allowance } = reply.request;
  if (allowance) {
    reply.headers(allowance.headers);
  }
  return reply.code(status).header('content-type', jsonType).send(body);
}

/** Without the query string. */
export function pathOf({ url }: Pick<FastifyRequest, 'url'>): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}
