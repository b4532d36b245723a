import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Fault } from '../contract/errors.ts';
import type { AuditTrail } from '../core/resources/audit-trail.ts';
import { invoke, type RawCall, type Verb } from '../core/verb.ts';
import type { Principal } from '../ports/principal.ts';
import { faultAnswer, jsonType, successAnswer, type Answer } from './answer.ts';
import { soleAuthorization } from './auth/authorization-header.ts';
import { CredentialRefused } from './auth/credential-refused.ts';
import { acceptedVersions } from './entity-tag.ts';
import type { Idempotency } from './idempotency.ts';
import type { RateLimiter } from './rate-limit.ts';
import { requestFault } from './request-fault.ts';
import type { Incoming, Surface } from './surface.ts';

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal | null;
    /** Where it comes from; behind trusted proxies, as they report. */
    readonly address: string;
  }
}

export interface RouteDependencies {
  idempotency: Idempotency | undefined;
  rateLimiter: RateLimiter | undefined;
  /** Where calls and refusals are put on record. */
  audit: Pick<AuditTrail, 'invoke' | 'credentialRefused'> | undefined;
}

/** Binds every line of a surface's route table to its verb. */
export function surfaceRoutes(app: FastifyInstance, surface: Surface, deps: RouteDependencies): void {
  for (const [method, path, operation] of surface.routes) {
    const verb = surface.verbs[operation.name];
    if (!verb) throw new TypeError(`${surface.name}: ${method} ${path} has no verb ${operation.name}`);
    app.route({
      method,
      url: surface.basePath + path.replace(/\{(\w+)\}/g, ':$1'),
      onRequest: admission(surface, verb, deps),
      handler: method === 'POST' && deps.idempotency ? postHandler(surface, verb, deps.idempotency, deps.audit?.invoke) : handler(surface, verb, deps.audit?.invoke),
    });
  }
}

type Hook = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void;

/** Who is it, and may they come in now: before a byte of the body is read. */
function admission(surface: Surface, { operation }: Verb, { rateLimiter: limiter, audit }: RouteDependencies): Hook {
  return (request, reply, done) => {
    const address = request.address;
    const incoming: Incoming = { authorization: soleAuthorization(request.raw), address, params: request.params as Record<string, string>, operation, requestId: request.id };
    const accept = (principal: Principal): void => {
      request.principal = principal;
      done(limiter && overLimit(limiter, `credential ${principal.credential ?? principal.subject.id}`, reply));
    };
    const refuse = (error: unknown): void => {
      const fault = requestFault(error);
      if (fault.code === 'unauthorized' || fault instanceof CredentialRefused) audit?.credentialRefused({ fault, address, requestId: request.id, ...(fault instanceof CredentialRefused && fault.whose) });
      done((limiter && overLimit(limiter, `address ${address}`, reply)) ?? fault);
    };
    try {
      const principal = surface.authenticate(incoming);
      if (principal instanceof Promise) principal.then(accept, refuse);
      else accept(principal);
    } catch (error) {
      refuse(error);
    }
  };
}

/** Counts the request and says how much is left; a Fault when it is too much. */
export function overLimit(limiter: RateLimiter, caller: string, reply: FastifyReply): Fault | undefined {
  const { allowed, remaining, resetSeconds } = limiter.take(caller);
  reply.header('x-ratelimit-limit', String(limiter.limit.requests)).header('x-ratelimit-remaining', String(remaining)).header('x-ratelimit-reset', String(resetSeconds)).header('x-ratelimit-policy', limiter.policy);
  if (allowed) return undefined;
  return new Fault('rate_limited', `more than ${limiter.limit.requests} requests in ${Math.ceil(limiter.limit.windowMs / 1000)} s: try again in ${resetSeconds} s`, { retryAfterSeconds: resetSeconds });
}

function handler(surface: Surface, verb: Verb, run = invoke) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const outcome = await run(verb, new RequestCall(request, reply, surface));
    return send(reply, successAnswer(surface, outcome, request.id));
  };
}

function postHandler(surface: Surface, verb: Verb, idempotency: Idempotency, run = invoke) {
  const plain = handler(surface, verb, run);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const key = request.headers['idempotency-key'];
    if (key === undefined) return plain(request, reply);
    const answer = await idempotency.once(request.principal!, String(key), { path: pathOf(request), body: request.body }, async () => {
      try {
        return successAnswer(surface, await run(verb, new RequestCall(request, reply, surface)), request.id);
      } catch (error) {
        const fault = requestFault(error);
        if (fault.code === 'internal') throw error;
        return faultAnswer(surface, fault, { requestId: request.id, path: pathOf(request) });
      }
    });
    return send(reply, answer);
  };
}

/** The call as the verb sees it. The signal costs a listener, so it is made only when a verb asks. */
class RequestCall implements RawCall {
  readonly unknownProperties: RawCall['unknownProperties'];
  private readonly request: FastifyRequest;
  private readonly reply: FastifyReply;
  private abort: AbortController | undefined;

  constructor(request: FastifyRequest, reply: FastifyReply, surface: Surface) {
    this.request = request;
    this.reply = reply;
    this.unknownProperties = surface.unknownProperties;
  }

  get principal(): Principal { return this.request.principal!; }
  get requestId(): string { return this.request.id; }
  get params(): unknown { return this.request.params; }
  get query(): unknown { return this.request.query; }
  get body(): unknown { return this.request.body; }
  get ifMatch(): readonly number[] | undefined { return acceptedVersions(this.request.headers['if-match']); }

  get signal(): AbortSignal {
    if (this.abort) return this.abort.signal;
    const abort = new AbortController();
    this.abort = abort;
    const { raw } = this.reply;
    if (raw.destroyed) abort.abort();
    else raw.once('close', () => { if (!raw.writableFinished) abort.abort(); });
    return abort.signal;
  }
}

export function send(reply: FastifyReply, { status, headers, body }: Answer): FastifyReply {
  for (const name in headers) reply.header(name, headers[name]);
  return reply.code(status).header('content-type', jsonType).send(body);
}

/** Without the query string. */
export function pathOf({ url }: Pick<FastifyRequest, 'url'>): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}
