import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { Fault } from '../../contract/errors.ts';
import type { SignInError } from '../../contract/people/session.ts';
import type { AuditTrail } from '../../core/audit/audit-trail.ts';
import { ProviderSignInRefused } from '../../core/identity/provider-session.ts';
import type { Verb } from '../../core/verb/verb.ts';
import type { Clock, Log, Vault } from '../../ports/ambient.ts';
import { ProviderFailure, type IdentityProvider } from '../../ports/identity-provider.ts';
import { Cookie } from '../auth/cookie.ts';
import { anonymousAt, type Sessions } from '../auth/session.ts';

export interface SingleSignOn {
  provider: IdentityProvider;
  /** Makes the session of who the provider has proven. */
  verb: Verb;
  sessions: Sessions;
  vault: Vault;
  clock: Clock;
  log: Log;
  /** Address of the interface as the provider knows it, without a slash at its end. */
  origin: () => string;
}

const beginPath = '/sign-in/oidc';
const callbackPath = '/sign-in/oidc/callback';
/** How long a person may take at the provider. */
const attemptMs = 10 * 60_000;
const sealContext = 'oidc-attempt';

/** What the cookie of an attempt holds, sealed. */
const Attempt = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  next: z.string(),
  expiresAtMs: z.number(),
});
type Attempt = z.output<typeof Attempt>;

/** The two addresses of single sign-on: to the provider, and back from it. */
export function singleSignOnRoutes(
  app: FastifyInstance,
  options: SingleSignOn,
  audit: Pick<AuditTrail, 'invoke'>,
): void {
  const { provider, sessions, vault, clock } = options;
  const cookie = new Cookie({
    name: 'sightline-oidc',
    isSecure: sessions.isSecure,
    // The way back from the provider is a navigation from another site.
    sameSite: 'Lax',
    maxAgeSeconds: attemptMs / 1000,
    pattern: /^[\w-]{1,3800}$/,
  });
  const redirectUri = (): string => options.origin() + callbackPath;
  const failed = (reply: FastifyReply, error: unknown): FastifyReply => {
    const code = codeOf(error, options.log);
    return leave(reply, `/sign-in?error=${code}`, [cookie.write(null)]);
  };

  app.get(beginPath, async (request, reply) => {
    try {
      const { url, attempt } = await provider.begin(redirectUri());
      const next = ownPath((request.query as Record<string, unknown>)['next']);
      const kept: Attempt = { ...attempt, next, expiresAtMs: clock.now() + attemptMs };
      const sealed = vault.seal(JSON.stringify(kept), sealContext);
      return leave(reply, url, [cookie.write(Buffer.from(sealed).toString('base64url'))]);
    } catch (error) {
      return failed(reply, error);
    }
  });

  app.get(callbackPath, async (request, reply) => {
    try {
      const attempt = attemptOf(cookie.read(request.headers), vault, clock);
      const identity = await provider.finish(callbackOf(request, redirectUri()), attempt);
      const outcome = await audit.invoke(options.verb, {
        principal: anonymousAt(request.address),
        requestId: request.id,
        params: {},
        query: {},
        body: identity,
        agent: request.headers['user-agent'],
      });
      const cookies = [cookie.write(null), sessions.cookie(outcome.sessionToken ?? null)];
      return leave(reply, attempt.next, cookies);
    } catch (error) {
      return failed(reply, error);
    }
  });
}

/** The redirect URI with the query of the request: its host is the caller's word. */
function callbackOf({ url }: FastifyRequest, redirectUri: string): URL {
  const callback = new URL(redirectUri);
  callback.search = url.includes('?') ? url.slice(url.indexOf('?')) : '';
  return callback;
}

/** The attempt of this browser. @throws ProviderSignInRefused */
function attemptOf(value: string | undefined, vault: Vault, clock: Clock): Attempt {
  const expired = new ProviderSignInRefused('expired', 'this sign-in took too long or was used');
  if (value === undefined) {
    throw expired;
  }
  let opened: unknown;
  try {
    opened = JSON.parse(vault.open(Buffer.from(value, 'base64url').toString(), sealContext));
  } catch {
    throw expired;
  }
  const attempt = Attempt.safeParse(opened);
  if (!attempt.success || attempt.data.expiresAtMs <= clock.now()) {
    throw expired;
  }
  return attempt.data;
}

/** A path of the interface; `/` in place of anything else. */
function ownPath(next: unknown): string {
  const base = 'http://own.invalid';
  if (typeof next !== 'string' || next.length > 2000 || !/^\/(?![/\\])/.test(next)) {
    return '/';
  }
  const url = URL.canParse(next, base) ? new URL(next, base) : undefined;
  const path = url && url.origin === base ? url.pathname + url.search + url.hash : '/';
  return path.startsWith('//') ? '/' : path;
}

function leave(reply: FastifyReply, url: string, cookies: string[]): FastifyReply {
  return reply.header('set-cookie', cookies).redirect(url, 302);
}

function codeOf(error: unknown, log: Log): SignInError {
  if (error instanceof ProviderSignInRefused) {
    return error.reason;
  }
  if (error instanceof ProviderFailure) {
    log.warn({ err: error.cause, reason: error.reason }, 'single sign-on failed');
    return error.reason === 'unavailable' ? 'provider_unavailable' : 'provider_refused';
  }
  if (!(error instanceof Fault)) {
    log.error({ err: error }, 'single sign-on failed');
  }
  return 'failed';
}
