import { randomBytes } from 'node:crypto';
import { scopesOfUser } from '../../contract/people/role.ts';
import { sessionMaxMs, type Session } from '../../contract/people/session.ts';
import type { Clock, Ids } from '../../ports/ambient.ts';
import type { Principal } from '../../ports/principal.ts';
import type { StoredSession, StoredWorkspace, User } from '../../ports/store/identity-store.ts';
import type { StoreReader, StoreWriter } from '../../ports/store/store-access.ts';
import type { Actor } from '../verb/change.ts';
import { credentialHash } from './credentials.ts';

export interface SessionDependencies {
  store: StoreReader;
  ids: Ids;
  clock: Clock;
  /** Whether an identity provider is configured. */
  hasProvider: boolean;
}

/** A session that is about to be stored. */
export interface NewSession {
  id: string;
  token: string;
  hash: string;
  address: string | null;
  browser: string | null;
}

/** A session for the caller of a sign-in. */
export function newSession(
  ids: Ids,
  { principal, agent }: { principal: Principal; agent?: string | undefined },
): NewSession {
  const token = randomBytes(32).toString('base64url');
  const browser = agent?.replace(/[^\x20-\x7e]/g, '').slice(0, 256);
  return {
    id: ids.object(),
    token,
    hash: credentialHash(token),
    address: principal.address ?? null,
    browser: browser === undefined || browser === '' ? null : browser,
  };
}

/** Stores a session: what the sign-in answers. */
export async function startSession(
  { identity }: StoreWriter,
  { token, ...made }: NewSession,
  user: User,
  workspace: StoredWorkspace,
) {
  const stored = await identity.insertSession({ ...made, userId: user.id });
  return { value: sessionRecord(stored, user, workspace), sessionToken: token };
}

/** Who a sign-in turned out to come from, for its audit line. */
export const actorOf = (user: Pick<User, 'id' | 'email'>, workspace: StoredWorkspace): Actor => ({
  workspace,
  subject: { kind: 'user', id: user.id, email: user.email },
});

export function sessionRecord(
  session: StoredSession,
  user: User,
  workspace: Principal['workspace'],
): Session {
  return {
    id: session.id,
    user: { id: user.id, email: user.email, ...(user.name !== null && { name: user.name }) },
    role: user.role,
    scopes: [...scopesOfUser(user.role)],
    team: { id: workspace.id, name: workspace.name },
    organizationId: workspace.organizationId,
    serviceId: workspace.serviceId,
    hasPassword: user.passwordHash !== null,
    createdAt: iso(session.createdAtMs),
    expiresAt: iso(session.createdAtMs + sessionMaxMs),
  };
}

const iso = (timeMs: number): string => new Date(timeMs).toISOString();
