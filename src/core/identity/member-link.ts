import { Fault } from '../../contract/errors.ts';
import { acceptMemberLink } from '../../contract/people/member.ts';
import { changeVerb } from '../verb/verb.ts';
import { credentialHash } from './credentials.ts';
import { actorOf, newSession, startSession, type SessionDependencies } from './new-session.ts';
import type { PasswordCheck } from './password-check.ts';
import type { SignInThrottle } from './sign-in-throttle.ts';

/** Setting a password with a link that an admin made, which signs in at once. */
export function memberLinkVerbs(
  { store, ids, clock }: SessionDependencies,
  passwords: PasswordCheck,
  limit: SignInThrottle,
) {
  return {
    acceptMemberLink: changeVerb(acceptMemberLink, async (call) => {
      const { body, principal, commit } = call;
      const hash = credentialHash(body.token);
      const attempt = limit.begin(`link ${hash}`, principal.address ?? '');
      const link = await store.identity.memberLinkByHash(hash);
      if (!link || link.expiresAtMs <= clock.now()) {
        throw invalidLink();
      }
      attempt.succeeded();
      const { user, workspace } = link;
      const passwordHash = await passwords.hash(body.password);
      const made = newSession(ids, call);
      return commit(
        made.id,
        async (parts) => {
          if (!(await parts.identity.removeMemberLink(hash))) {
            throw invalidLink();
          }
          await parts.identity.setPassword(workspace.id, user.id, passwordHash);
          await parts.identity.removeSessions(user.id);
          return startSession(parts, made, { ...user, passwordHash }, workspace);
        },
        actorOf(user, workspace),
      );
    }),
  };
}

const invalidLink = (): Fault =>
  new Fault('unauthorized', 'This link does not work any more. Ask an admin for a new one.');
