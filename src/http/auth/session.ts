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
import { Cookie } from './cookie.ts';
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
  /** Whether the interface is on https. */
  readonly isSecure: boolean;
  readonly #cookie: Cookie;
  readonly #publicOrigin: string | undefined;

  constructor(options: SessionOptions) {
    const { identity, clock, publicUrl } = options;
    this.#options = options;
    this.#cache = new CredentialCache(identity, clock);
    this.isSecure = publicUrl?.startsWith('https://') ?? false;
    this.#cookie = new Cookie({
      name: 'sightline',
      isSecure: this.isSecure,
      sameSite: 'Strict',
      maxAgeSeconds: sessionMaxMs / 1000,
      pattern: /^[\w-]{43}$/,
    });
    this.#publicOrigin = publicUrl === undefined ? undefined : new URL(publicUrl).origin;
  }

  /** Text of `Set-Cookie`. Null: removes the cookie. */
  cookie(token: string | null): string {
    return this.#cookie.write(token);
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
          if (incoming.method !== 'GET') {
            requireSameOrigin(incoming.headers, this.#publicOrigin);
          }
          return anonymousAt(incoming.address);
        }
        return incoming.authorization === undefined
          ? this.#authenticate(incoming)
          : surface.authenticate(incoming);
      },
    };
  }

  async #authenticate(incoming: Incoming): Promise<Principal> {
    const token = this.#cookie.read(incoming.headers);
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

/** A caller who has no credential yet. */
export const anonymousAt = (address: string): Principal => ({
  workspace: noWorkspace(''),
  scopes: new Set<Scope>(ownScopes),
  subject: { kind: 'anonymous', id: '' },
  address,
});

/**
 * The ids in the path have to be the user's organization and service. What belongs to an
 * organization itself has no workspace; so do its other services, to read about and to rename them.
 */
function ofPath(principal: Principal, { params, operation }: Incoming): Principal {
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
  if (uuidOfPath('serviceId', serviceId) === workspace.serviceId) {
    return principal;
  }
  if (scopesOfOrganization.has(operation.scope)) {
    return { ...principal, workspace: noWorkspace(workspace.organizationId) };
  }
  throw refusedIds('service', workspace);
}

/** Operations with these scopes look for the service in the organization themselves. */
const scopesOfOrganization: ReadonlySet<Scope> = new Set<Scope>([
  'organization:read',
  'organization:write',
]);

const refusedIds = (what: 'organization' | 'service', { organizationId }: Workspace): Fault =>
  new CredentialRefused(doesNotBelong(what, 'session'), { organizationId });

const unauthorized = (): Fault =>
  new Fault('unauthorized', 'sign in, or send a valid key in the Authorization header');
