import { z } from 'zod';
import { NoParams, NoQuery } from '../../contract/common.ts';
import { Fault } from '../../contract/errors.ts';
import { operation } from '../../contract/operation.ts';
import type { UserRole } from '../../contract/people/role.ts';
import { Session, type SignInError } from '../../contract/people/session.ts';
import type { Ids } from '../../ports/ambient.ts';
import type { StoredWorkspace, User } from '../../ports/store/identity-store.ts';
import type { StoreReader, StoreWriter } from '../../ports/store/store-access.ts';
import { changeVerb, type ChangeVerb } from '../verb/verb.ts';
import { actorOf, newSession, startSession } from './new-session.ts';

/** Who may come through the provider, and as what. */
export interface ProviderRules {
  /** In lower case. Others sign in only if they are members already. */
  allowedDomains: readonly string[];
  /** Undefined: the provider does not decide about roles. */
  adminValues: readonly string[] | undefined;
}

/** A refused sign-in, with the code that the sign-in page explains. */
export class ProviderSignInRefused extends Fault {
  readonly reason: SignInError;

  constructor(reason: SignInError, message: string) {
    super('forbidden', message);
    this.name = 'ProviderSignInRefused';
    this.reason = reason;
  }
}

/** Not on a surface: the listener of the interface calls it with what the provider has proven. */
const createProviderSession = operation({
  name: 'createProviderSession',
  summary: 'Sign in with single sign-on',
  description: 'Signs a member in whom the provider knows.',
  tag: 'Sessions',
  scope: 'session:write',
  anonymous: true,
  object: { kind: 'session' },
  params: NoParams,
  query: NoQuery,
  body: z.object({
    email: z.string().optional(),
    isEmailVerified: z.boolean(),
    name: z.string().optional(),
    roles: z.array(z.string()),
  }),
  result: Session,
});

/** Makes a session for who the provider says it is, and a member where there is none yet. */
export function providerSessionVerb(
  { store, ids }: { store: StoreReader; ids: Ids },
  rules: ProviderRules,
): ChangeVerb<typeof createProviderSession> {
  return changeVerb(createProviderSession, async (call) => {
    const { email: given, isEmailVerified, name, roles } = call.body;
    const email = given?.trim().toLowerCase();
    if (email === undefined || !isEmailVerified || !z.email().safeParse(email).success) {
      throw new ProviderSignInRefused(
        'unverified_email',
        'the identity provider has not verified an e-mail address of this person',
      );
    }
    const known = await store.identity.userByEmail(email);
    const workspace = known
      ? await store.identity.workspace(known.workspaceId)
      : await workspaceOfNew(store, email, rules);
    if (!workspace) {
      throw notAllowed();
    }
    const role = roleOf(roles, rules);
    const made = newSession(ids, call);
    const newcomer = { id: ids.object(), email, name: name ?? null, passwordHash: null };
    const actor = actorOf(known ?? newcomer, workspace);
    return call.commit(
      made.id,
      async (parts) => {
        const user = known
          ? await withRole(parts, known, role)
          : await parts.identity.insertUser({
              ...newcomer,
              workspaceId: workspace.id,
              role: role ?? 'member',
            });
        return startSession(parts, made, user, workspace);
      },
      actor,
    );
  });
}

/** New members join the oldest team. Undefined: their domain is not allowed. */
async function workspaceOfNew(
  { identity }: StoreReader,
  email: string,
  { allowedDomains }: ProviderRules,
): Promise<StoredWorkspace | undefined> {
  const domain = email.slice(email.lastIndexOf('@') + 1);
  return allowedDomains.includes(domain) ? (await identity.workspaces())[0] : undefined;
}

const notAllowed = (): Fault =>
  new ProviderSignInRefused(
    'domain_not_allowed',
    'the domain of this e-mail address is not one of SIGHTLINE_OIDC_ALLOWED_DOMAINS',
  );

function roleOf(roles: readonly string[], { adminValues }: ProviderRules): UserRole | undefined {
  if (!adminValues) {
    return undefined;
  }
  return roles.some((role) => adminValues.includes(role)) ? 'admin' : 'member';
}

/** A user with the role that the provider says; the last admin of a team stays one. */
async function withRole(
  { identity }: StoreWriter,
  known: User,
  role: UserRole | undefined,
): Promise<User> {
  await identity.lockWorkspace(known.workspaceId);
  const users = await identity.users(known.workspaceId);
  const user = users.find(({ id }) => id === known.id);
  if (!user) {
    throw notAllowed();
  }
  const hasOther = users.some((other) => other.id !== user.id && other.role === 'admin');
  if (role === undefined || role === user.role || (role === 'member' && !hasOther)) {
    return user;
  }
  await identity.updateUser(user.workspaceId, user.id, { name: user.name, role });
  return { ...user, role };
}
