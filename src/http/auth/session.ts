import type { IncomingHttpHeaders } from 'node:http';
import { Fault } from '../../contract/errors.ts';
import { scopesOfUser } from '../../contract/people/role.ts';
import { sessionMaxMs } from '../../contract/people/session.ts';
import type { Scope } from '../../contract/operation.ts';
import { credentialHash } from '../../core/identity/credentials.ts';
import { doesNotBelong } from '../../core/identity/organization.ts';
import { isAlive } from '../../core/identity/session.ts';
import type { Clock } from '../../ports/ambient.ts';
import type { Principal, Workspace } from '../../ports/principal.ts';
import type { IdentityStore } from '../../ports/store/identity-store.ts';
import type { Incoming, Surface } from '../surface.ts';
import { CredentialCache } from './credential-cache.ts';
import { CredentialRefused } from './credential-refused.ts';
import type { KeyUsage } from './key-usage.ts';
import { noWorkspace, uuidOfPath } from './organization-scope.ts';
import { requireSameOrigin } from './same-origin.ts';

export interface SessionOptions {
  identity: IdentityStore;
  clock: Clock;
  usage: KeyUsage;
  /** Public URL of the interface, if it is set. */
  publicUrl: string | undefined;
}

/** A session as it is remembered. */
interface KnownSession {
  principal: Principal;
  sessionId: string;
  createdAtMs: number;
  usedAtMs: number;
}

const ownScopes: readonly Scope[] = ['session:read', 'session:write'];

/** Who holds the cookie of a session. For the listener of the web interface only. */
export class Sessions {
  readonly #options: SessionOptions;
  readonly #cache: CredentialCache<KnownSession>;
  readonly #isSecure: boolean;
  readonly #publicOrigin: string | undefined;

  constructor(options: SessionOptions) {
    const { identity, clock, publicUrl } = options;
    this.#options = options;
    this.#cache = new CredentialCache(identity, clock);
    this.#isSecure = publicUrl?.startsWith('https://') ?? false;
    this.#publicOrigin = publicUrl === undefined ? undefined : new URL(publicUrl).origin;
  }

  /** `__Host-`: a browser takes it over HTTPS only, and from no other host of the domain. */
  get #cookieName(): string {
    return this.#isSecure ? '__Host-sightline' : 'sightline';
  }

  /** Text of `Set-Cookie`. Null: removes the cookie. */
  cookie(token: string | null): string {
    return [
      `${this.#cookieName}=${token ?? ''}`,
      'Path=/',
      'HttpOnly',
      'SameSite=Strict',
      `Max-Age=${token === null ? 0 : sessionMaxMs / 1000}`,
      ...(this.#isSecure ? ['Secure'] : []),
    ].join('; ');
  }

  /** Call when a session, user or workspace was changed on this node. */
  forget(): void {
    this.#cache.clear();
  }

  /** A surface that also takes sessions. Keys go before cookies. */
  on(surface: Surface): Surface {
    return {
      ...surface,
      // Not Basic: a browser would ask for a name and a password itself.
      challenge: 'Session realm="sightline"',
      sessionCookie: (token) => this.cookie(token),
      authenticate: (incoming) => {
        if (incoming.operation.anonymous === true) {
          requireSameOrigin(incoming.headers, this.#publicOrigin);
          return anonymous(incoming);
        }
        return incoming.authorization === undefined
          ? this.#authenticate(incoming)
          : surface.authenticate(incoming);
      },
    };
  }

  async #authenticate(incoming: Incoming): Promise<Principal> {
    const token = soleCookie(incoming.headers, this.#cookieName);
    if (token === undefined) {
      throw unauthorized();
    }
    if (incoming.method !== 'GET' && incoming.method !== 'HEAD') {
      requireSameOrigin(incoming.headers, this.#publicOrigin);
    }
    const hash = credentialHash(token);
    const known = await this.#cache.get(hash, () => this.#lookUp(hash));
    const now = this.#options.clock.now();
    // Another process may have seen it later.
    const isValid = known && (isAlive(known, now) || (await this.#isAliveInStore(hash, now)));
    if (!isValid) {
      throw unauthorized();
    }
    known.usedAtMs = now;
    this.#options.usage.record('session', known.sessionId);
    return ofPath({ ...known.principal, address: incoming.address }, incoming);
  }

  async #lookUp(hash: string): Promise<KnownSession | undefined> {
    const stored = await this.#options.identity.sessionByHash(hash);
    if (!stored) {
      return undefined;
    }
    const { session, user, workspace } = stored;
    return {
      principal: {
        workspace,
        scopes: new Set([...scopesOfUser(user.role), ...ownScopes]),
        subject: { kind: 'user', id: user.id, email: user.email },
        credential: session.id,
      },
      sessionId: session.id,
      createdAtMs: session.createdAtMs,
      usedAtMs: session.usedAtMs,
    };
  }

  async #isAliveInStore(hash: string, now: number): Promise<boolean> {
    const stored = await this.#options.identity.sessionByHash(hash);
    return stored !== undefined && isAlive(stored.session, now);
  }
}

const anonymous = ({ address }: Incoming): Principal => ({
  workspace: noWorkspace(''),
  scopes: new Set<Scope>(['session:write']),
  subject: { kind: 'anonymous', id: '' },
  address,
});

/**
 * The ids in the path have to be the user's organization and service. What belongs to an
 * organization itself has no workspace.
 */
function ofPath(principal: Principal, { params }: Incoming): Principal {
  const { organizationId, serviceId } = params;
  const { workspace } = principal;
  if (organizationId === undefined) {
    return principal;
  }
  if (uuidOfPath('organizationId', organizationId) !== workspace.organizationId) {
    throw refusedIds('organization', workspace);
  }
  if (serviceId === undefined) {
    return { ...principal, workspace: noWorkspace(workspace.organizationId) };
  }
  if (uuidOfPath('serviceId', serviceId) !== workspace.serviceId) {
    throw refusedIds('service', workspace);
  }
  return principal;
}

const refusedIds = (what: 'organization' | 'service', { organizationId }: Workspace): Fault =>
  new CredentialRefused(doesNotBelong(what, 'session'), { organizationId });

/** The value of a cookie that was sent once. Two of one name come from two places: neither counts. */
function soleCookie({ cookie }: IncomingHttpHeaders, name: string): string | undefined {
  const values = (cookie ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${name}=`))
    .map((part) => part.slice(name.length + 1));
  const [value] = values;
  return values.length === 1 && value !== undefined && /^[\w-]{43}$/.test(value)
    ? value
    : undefined;
}

const unauthorized = (): Fault =>
  new Fault('unauthorized', 'sign in, or send a valid key in the Authorization header');
