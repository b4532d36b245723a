import { Fault, invalid, notFound } from '../../contract/errors.ts';
import {
  changePassword,
  createSession,
  deleteSession,
  endSession,
  getSession,
  getSignInOptions,
  listSessions,
  sessionIdleMs,
  sessionMaxMs,
  type OwnSession,
} from '../../contract/people/session.ts';
import type { StoredSession, StoredWorkspace, User } from '../../ports/store/identity-store.ts';
import type { Principal } from '../../ports/principal.ts';
import { SignInRefused } from '../verb/sign-in-refused.ts';
import { changeVerb, readVerb } from '../verb/verb.ts';
import { memberLinkVerbs } from './member-link.ts';
import {
  actorOf,
  newSession,
  sessionRecord,
  startSession,
  type SessionDependencies,
} from './new-session.ts';
import { PasswordCheck } from './password-check.ts';
import { SignInThrottle } from './sign-in-throttle.ts';

/** Sign-in, sign-out and the password of a user. */
export function sessionVerbs(deps: SessionDependencies) {
  const passwords = new PasswordCheck();
  const throttle = new SignInThrottle(deps.clock);
  return {
    ...signInVerbs(deps, passwords, throttle),
    ...ownSessionVerbs(deps),
    ...passwordVerbs(deps, passwords, throttle),
    ...memberLinkVerbs(deps, passwords, throttle),
  };
}

function signInVerbs(deps: SessionDependencies, passwords: PasswordCheck, limit: SignInThrottle) {
  const { identity } = deps.store;
  return {
    createSession: changeVerb(createSession, async (call) => {
      const { body, principal, commit } = call;
      const email = body.email.trim();
      const user = await identity.userByEmail(email);
      const workspace = user && (await identity.workspace(user.workspaceId));
      const refusal = (fault: Fault): Fault =>
        user && workspace ? refusedTo(fault, user, workspace) : fault;
      const attempt = begin(() => limit.begin(email, principal.address ?? ''), refusal);
      const isRight = await passwords.matches(body.password, user?.passwordHash);
      if (!isRight || !user || !workspace) {
        throw refusal(wrongPassword());
      }
      attempt.succeeded();
      const made = newSession(deps.ids, call);
      return commit(
        made.id,
        async (parts) => {
          const current = await parts.identity.user(workspace.id, user.id);
          if (current?.passwordHash !== user.passwordHash) {
            throw wrongPassword();
          }
          return startSession(parts, made, current, workspace);
        },
        actorOf(user, workspace),
      );
    }),
  };
}

function ownSessionVerbs({ store, clock, hasProvider }: SessionDependencies) {
  const { identity } = store;
  return {
    getSession: readVerb(getSession, async ({ principal }) => {
      const { userId, sessionId } = sessionOf(principal);
      const user = await identity.user(principal.workspace.id, userId);
      const own = (await identity.sessions(userId)).find(({ id }) => id === sessionId);
      if (!user || !own) {
        throw notFound('session');
      }
      return { value: sessionRecord(own, user, principal.workspace) };
    }),

    getSignInOptions: readVerb(getSignInOptions, async () => ({
      value: { singleSignOn: hasProvider },
    })),

    deleteSession: changeVerb(deleteSession, async ({ principal, commit }) => {
      const { userId, sessionId } = sessionOf(principal);
      return commit(sessionId, async (parts) => {
        await parts.identity.removeSession(userId, sessionId);
        return { value: undefined, sessionToken: null };
      });
    }),

    listSessions: readVerb(listSessions, async ({ principal }) => {
      const { userId, sessionId } = sessionOf(principal);
      const now = clock.now();
      const sessions = (await identity.sessions(userId)).filter((one) => isAlive(one, now));
      return { value: sessions.map((one) => ownRecord(one, sessionId)) };
    }),

    endSession: changeVerb(endSession, async ({ principal, params, commit }) => {
      const { userId, sessionId } = sessionOf(principal);
      return commit(params.id, async (parts) => {
        if (!(await parts.identity.removeSession(userId, params.id))) {
          throw notFound('session');
        }
        return { value: undefined, ...(params.id === sessionId && { sessionToken: null }) };
      });
    }),
  };
}

function passwordVerbs(
  { store }: SessionDependencies,
  passwords: PasswordCheck,
  limit: SignInThrottle,
) {
  return {
    changePassword: changeVerb(changePassword, async ({ principal, body, commit }) => {
      const { userId, sessionId } = sessionOf(principal);
      const workspaceId = principal.workspace.id;
      const user = await store.identity.user(workspaceId, userId);
      const attempt = limit.begin(user?.email ?? '', principal.address ?? '');
      if (!(await passwords.matches(body.currentPassword, user?.passwordHash))) {
        throw invalid([{ path: 'currentPassword', message: 'is not the current password' }]);
      }
      attempt.succeeded();
      const hash = await passwords.hash(body.newPassword);
      return commit(userId, async ({ identity }) => {
        const current = await identity.user(workspaceId, userId);
        if (current?.passwordHash !== user?.passwordHash) {
          throw new Fault('conflict', 'The password was changed by another request. Try again.');
        }
        await identity.setPassword(workspaceId, userId, hash);
        await identity.removeSessions(userId, sessionId);
        return { value: undefined };
      });
    }),
  };
}

/** Whether a session has not ended by itself. */
export const isAlive = (
  { createdAtMs, usedAtMs }: Pick<StoredSession, 'createdAtMs' | 'usedAtMs'>,
  nowMs: number,
): boolean => nowMs < createdAtMs + sessionMaxMs && nowMs < usedAtMs + sessionIdleMs;

/** The user and the session of a request that a session makes. */
function sessionOf({ subject, credential }: Principal): { userId: string; sessionId: string } {
  if (subject.kind !== 'user' || credential === undefined) {
    throw new Fault('forbidden', 'this operation needs the session of a user');
  }
  return { userId: subject.id, sessionId: credential };
}

const wrongPassword = (): Fault =>
  new Fault('unauthorized', 'The e-mail address or the password is wrong.');

function begin<T>(attempt: () => T, refusal: (fault: Fault) => Fault): T {
  try {
    return attempt();
  } catch (error) {
    throw error instanceof Fault ? refusal(error) : error;
  }
}

const refusedTo = (fault: Fault, user: User, workspace: StoredWorkspace): Fault =>
  new SignInRefused(
    fault,
    {
      organizationId: workspace.organizationId,
      serviceId: workspace.serviceId,
      object: { kind: 'user', id: user.id },
    },
    fault.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: fault.retryAfterSeconds },
  );

function ownRecord(session: StoredSession, currentId: string): OwnSession {
  return {
    id: session.id,
    current: session.id === currentId,
    createdAt: iso(session.createdAtMs),
    lastUsedAt: iso(session.usedAtMs),
    expiresAt: iso(session.createdAtMs + sessionMaxMs),
    ...(session.address !== null && { address: session.address }),
    ...(session.browser !== null && { browser: session.browser }),
  };
}

const iso = (timeMs: number): string => new Date(timeMs).toISOString();
