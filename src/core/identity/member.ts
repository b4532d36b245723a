import { randomBytes } from 'node:crypto';
import { Fault, notFound } from '../../contract/errors.ts';
import {
  createMember,
  createMemberLink,
  deleteMember,
  listMembers,
  memberLinkMs,
  updateMember,
  type Member,
  type MemberLink,
} from '../../contract/people/member.ts';
import type { Clock, Ids } from '../../ports/ambient.ts';
import type { User } from '../../ports/store/identity-store.ts';
import type { StoreReader, StoreWriter } from '../../ports/store/store-access.ts';
import { changeVerb, readVerb } from '../verb/verb.ts';
import { credentialHash } from './credentials.ts';

export interface MemberDependencies {
  store: StoreReader;
  ids: Ids;
  clock: Clock;
}

/** The members of a team, and the links with which they set a password. */
export function memberVerbs({ store, ids, clock }: MemberDependencies) {
  return {
    listMembers: readVerb(listMembers, async ({ principal: { workspace } }) => ({
      value: (await store.identity.users(workspace.id)).map(memberRecord),
    })),

    createMember: changeVerb(createMember, async ({ principal, body, commit }) => {
      const workspaceId = principal.workspace.id;
      const id = ids.object();
      const link = newLink(clock);
      return commit(id, async ({ identity }) => {
        // The store refuses an address that is taken.
        const user = await identity.insertUser({
          id,
          workspaceId,
          email: body.email,
          name: body.name ?? null,
          passwordHash: null,
          role: body.role,
        });
        await identity.setMemberLink(id, link);
        return { value: { member: memberRecord(user), link: linkRecord(link) } };
      });
    }),

    updateMember: changeVerb(updateMember, async ({ principal, params, body, commit }) => {
      const workspaceId = principal.workspace.id;
      return commit(params.id, async ({ identity }) => {
        const user = await lockedMember(identity, workspaceId, params.id);
        if (body.role === 'member') {
          await keepAnAdmin(identity, user);
        }
        const changed = { name: body.name ?? user.name, role: body.role ?? user.role };
        await identity.updateUser(workspaceId, user.id, changed);
        return { value: memberRecord({ ...user, ...changed }) };
      });
    }),

    deleteMember: changeVerb(deleteMember, async ({ principal, params, commit }) => {
      const workspaceId = principal.workspace.id;
      return commit(params.id, async ({ identity }) => {
        const user = await lockedMember(identity, workspaceId, params.id);
        await keepAnAdmin(identity, user);
        await identity.removeUser(workspaceId, user.id);
        return { value: undefined };
      });
    }),

    createMemberLink: changeVerb(createMemberLink, async ({ principal, params, commit }) => {
      const link = newLink(clock);
      return commit(params.id, async ({ identity }) => {
        const user = await lockedMember(identity, principal.workspace.id, params.id);
        await identity.setMemberLink(user.id, link);
        return { value: linkRecord(link) };
      });
    }),
  };
}

/** A member, while nobody else can change the members of the team. @throws Fault not_found */
async function lockedMember(
  identity: StoreWriter['identity'],
  workspaceId: string,
  id: string,
): Promise<User> {
  await identity.lockWorkspace(workspaceId);
  const user = await identity.user(workspaceId, id);
  if (!user) {
    throw notFound('member');
  }
  return user;
}

/** @throws Fault conflict if the team has no other admin. */
async function keepAnAdmin(identity: StoreWriter['identity'], user: User): Promise<void> {
  const others = (await identity.users(user.workspaceId)).filter(({ id }) => id !== user.id);
  if (user.role === 'admin' && !others.some(({ role }) => role === 'admin')) {
    throw new Fault(
      'conflict',
      'This is the last admin of the team. Make another member an admin first.',
    );
  }
}

interface NewLink {
  token: string;
  hash: string;
  expiresAtMs: number;
}

function newLink(clock: Clock): NewLink {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: credentialHash(token), expiresAtMs: clock.now() + memberLinkMs };
}

const linkRecord = ({ token, expiresAtMs }: NewLink): MemberLink => ({
  path: `/join#${token}`,
  expiresAt: new Date(expiresAtMs).toISOString(),
});

const memberRecord = ({ id, email, name, role, passwordHash, createdAtMs }: User): Member => ({
  id,
  email,
  ...(name !== null && { name }),
  role,
  hasPassword: passwordHash !== null,
  createdAt: new Date(createdAtMs).toISOString(),
});
