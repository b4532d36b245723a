import { hash as digest } from 'node:crypto';
import { Fault } from '../../contract/errors.ts';
import { scopesOfUser } from '../../contract/people/role.ts';
import type { Clock } from '../../ports/ambient.ts';
import type { IdentityStore } from '../../ports/store/identity-store.ts';
import type { Principal } from '../../ports/principal.ts';
import type { Incoming } from '../surface.ts';
import { CredentialCache } from './credential-cache.ts';
import { HeaderMemory } from './header-memory.ts';
import type { KeyUsage } from './key-usage.ts';

export interface BearerOptions {
  identity: IdentityStore;
  clock: Clock;
  usage: KeyUsage;
}

export interface Authenticator {
  authenticate(
    incoming: Pick<Incoming, 'authorization' | 'address'>,
  ): Principal | Promise<Principal>;
  /** Call when a credential, user or workspace was changed on this node. */
  forget(): void;
}

/** Personal API access keys: `Authorization: Bearer <key>`. */
export function bearerAuthenticator({ identity, clock, usage }: BearerOptions): Authenticator {
  const cache = new CredentialCache<Principal>(identity, clock);
  const headers = new HeaderMemory<string>();

  const verify = (
    principal: Principal | undefined,
    authorization: string | undefined,
    hash: string,
    address: string,
  ): Principal => {
    if (principal?.credential === undefined) {
      throw unauthorized();
    }
    headers.keep(authorization, hash);
    usage.record('access', principal.credential);
    return principal.address === address ? principal : { ...principal, address };
  };

  return {
    authenticate({ authorization, address }) {
      const hash = headers.get(authorization) ?? hashOf(bearerKey(authorization));
      if (hash === undefined) {
        throw unauthorized();
      }
      const cached = cache.get(hash, () => lookUp(identity, hash, address));
      return cached instanceof Promise
        ? cached.then((principal) => verify(principal, authorization, hash, address))
        : verify(cached, authorization, hash, address);
    },
    forget() {
      cache.clear();
      headers.clear();
    },
  };
}

async function lookUp(
  identity: IdentityStore,
  hash: string,
  address: string,
): Promise<Principal | undefined> {
  const stored = await identity.accessKeyByHash(hash);
  if (!stored) {
    return undefined;
  }
  const { key, user, workspace } = stored;
  return {
    workspace,
    scopes: scopesOfUser(user.role),
    subject: { kind: 'user', id: user.id, email: user.email },
    credential: key.id,
    address,
  };
}

/** The scheme word in any case, one or more spaces, one token. */
function bearerKey(authorization: string | undefined): string | undefined {
  return /^bearer +([A-Za-z0-9._~+/=-]{1,512}) *$/i.exec(authorization ?? '')?.[1];
}

const hashOf = (key: string | undefined): string | undefined =>
  key === undefined ? undefined : digest('sha256', key, 'base64');

const unauthorized = (): Fault =>
  new Fault('unauthorized', 'send a valid personal API access key as Authorization: Bearer <key>');
