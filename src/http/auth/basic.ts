import { hash, timingSafeEqual } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Fault } from '../../contract/errors.ts';
import { scopesOfRoles } from '../../contract/key.ts';
import type { Scope } from '../../contract/operation.ts';
import { doesNotBelong } from '../../core/identity/organization.ts';
import type { Clock } from '../../ports/ambient.ts';
import type { IdentityStore, OrganizationKey } from '../../ports/store/identity-store.ts';
import type { Principal, Workspace } from '../../ports/principal.ts';
import type { Incoming } from '../surface.ts';
import { AddressList } from './address-list.ts';
import { basicCredentials } from './basic-credentials.ts';
import { CredentialCache } from './credential-cache.ts';
import { CredentialRefused } from './credential-refused.ts';
import { HeaderMemory } from './header-memory.ts';
import type { KeyUsage } from './key-usage.ts';
import { noWorkspace, uuidOfPath } from './organization-scope.ts';

export interface BasicOptions {
  identity: IdentityStore;
  clock: Clock;
  usage: KeyUsage;
}

export interface BasicAuthenticator {
  authenticate(incoming: Incoming): Principal | Promise<Principal>;
  /** Call when a key or workspace was changed on this node. */
  forget(): void;
}

/**
 * When a refused credential is answered, counted from its arrival. A read that finds a key takes
 * some microseconds longer than one that finds none, and more with a long address list: enough to
 * see over ten thousand tries, unless all are answered by the same clock.
 */
const refusalMs = 5;

/** Organization API keys: `Authorization: Basic`, key id and key secret. */
export function basicAuthenticator({ identity, clock, usage }: BasicOptions): BasicAuthenticator {
  const cache = new CredentialCache<KnownKey>(identity, clock);
  const headers = new HeaderMemory<Presented>();

  /** Everything but the workspace, once the key is known or known not to be there. */
  const verify = (
    incoming: Incoming,
    stored: KnownKey | undefined,
    presented: Presented,
    held: () => Promise<unknown>,
  ): Principal | Promise<Principal> => {
    // One comparison in any case, and one read of the store for every refusal: unknown, wrong,
    // disabled and expired cost the same.
    const right =
      timingSafeEqual(stored?.secretDigest ?? noDigest, presented.secret) && stored !== undefined;
    if (!right || !usable(stored.key, clock.now())) {
      return held().then(() => {
        throw refused(unauthorized(), stored?.key);
      });
    }
    if (stored.addresses && !stored.addresses.includes(incoming.address)) {
      throw refused(
        new Fault('forbidden', 'the IP access list of this key does not include this address'),
        stored.key,
      );
    }
    usage.record('organization', stored.key.id);
    headers.keep(incoming.authorization, presented);
    return principalOf(identity, stored, incoming);
  };

  return {
    authenticate(incoming) {
      const presented = headers.get(incoming.authorization) ?? presentedBy(incoming.authorization);
      if (!presented) {
        throw unauthorized();
      }
      const { keyId } = presented;
      const read = () => identity.organizationKeyByIdHash(digest(keyId).toString('base64'));
      // By the key id itself, which is no secret: only what is in the store is remembered, so that
      // nobody's guesses are kept.
      const cached = cache.get(keyId, async () => known(await read()));
      if (!(cached instanceof Promise)) {
        return verify(incoming, cached, presented, () => Promise.all([pause(refusalMs), read()]));
      }
      const held = pause(refusalMs);
      return cached.then((key) => verify(incoming, key, presented, () => held));
    },
    forget() {
      cache.clear();
      headers.clear();
    },
  };
}

/** What a caller shows: the key id, and the digest of the secret. */
interface Presented {
  keyId: string;
  secret: Buffer;
}

function presentedBy(authorization: string | undefined): Presented | undefined {
  const credentials = basicCredentials(authorization);
  return credentials && { keyId: credentials.keyId, secret: digest(credentials.keySecret) };
}

/** A key as it is remembered: what every request needs of it is worked out once. */
interface KnownKey {
  key: OrganizationKey;
  secretDigest: Buffer;
  scopes: ReadonlySet<Scope>;
  /** Undefined: any address. */
  addresses: AddressList | undefined;
  /**
   * By service id in the path, '' for none. Goes when anything about keys or workspaces changes,
   * with the key itself.
   */
  principals: Map<string, Principal>;
}

function known(key: OrganizationKey | undefined): KnownKey | undefined {
  if (!key) {
    return undefined;
  }
  return {
    key,
    secretDigest: Buffer.from(key.keySecretHash, 'base64'),
    scopes: scopesOfRoles(key.roles),
    addresses:
      key.ipAccessList.length === 0
        ? undefined
        : new AddressList(key.ipAccessList.map(({ source }) => source)),
    principals: new Map(),
  };
}

const usable = ({ state, expireAtMs }: OrganizationKey, nowMs: number): boolean =>
  state === 'enabled' && (expireAtMs === null || expireAtMs > nowMs);

const digest = (text: string): Buffer => hash('sha256', text, 'buffer');
const noDigest = Buffer.alloc(32);

const refused = (fault: Fault, key: OrganizationKey | undefined): Fault =>
  key
    ? new CredentialRefused(fault, {
        organizationId: key.organizationId,
        key: { id: key.id, name: key.name },
      })
    : fault;

const unauthorized = (): Fault =>
  new Fault(
    'unauthorized',
    'send a valid key id and key secret as Authorization: Basic <base64 of id:secret>',
  );

/** The ids in the path have to be the key's organization and a service of it. */
function principalOf(
  identity: IdentityStore,
  { key, scopes, principals }: KnownKey,
  { params, address }: Incoming,
): Principal | Promise<Principal> {
  const { organizationId } = params;
  const serviceId = params['serviceId']?.toLowerCase() ?? '';
  if (
    organizationId !== undefined &&
    organizationId !== key.organizationId &&
    uuidOfPath('organizationId', organizationId) !== key.organizationId
  ) {
    throw refused(doesNotBelong('organization', 'key'), key);
  }
  const remembered = principals.get(serviceId);
  if (remembered) {
    return remembered.address === address ? remembered : { ...remembered, address };
  }
  const make = (workspace: Workspace): Principal => {
    const principal: Principal = {
      workspace,
      scopes,
      subject: { kind: 'key', id: key.id, name: key.name },
      credential: key.id,
      address,
    };
    principals.set(serviceId, principal);
    return principal;
  };
  return serviceId === ''
    ? make(noWorkspace(key.organizationId))
    : workspaceOf(identity, key, uuidOfPath('serviceId', serviceId)).then(make);
}

async function workspaceOf(
  identity: IdentityStore,
  key: OrganizationKey,
  serviceId: string,
): Promise<Workspace> {
  const workspace = await identity.workspaceOfService(key.organizationId, serviceId);
  if (!workspace) {
    throw refused(doesNotBelong('service', 'organization'), key);
  }
  return workspace;
}
