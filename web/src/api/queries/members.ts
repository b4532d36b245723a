import { queryOptions } from '@tanstack/react-query';
import { api, ask, type Schemas } from '../client.ts';
import { queries } from '../query-client.ts';

export type Member = Schemas['Member'];
export type MemberLink = Schemas['MemberLink'];
export type UserRole = Schemas['UserRole'];

const key = ['members'];

export const membersQuery = queryOptions({
  queryKey: key,
  queryFn: ({ signal }) => ask(api.GET('/team/members', { signal })),
});

/** Adds a member. Only this answer has the link. */
export async function addMember(body: Schemas['MemberInput']): Promise<Schemas['NewMember']> {
  const made = await ask(api.POST('/team/members', { body }));
  await queries.invalidateQueries({ queryKey: key });
  return made;
}

export async function changeRole(id: string, role: UserRole): Promise<void> {
  await ask(api.PATCH('/team/members/{id}', { params: { path: { id } }, body: { role } }));
  // The role of the person themselves may be another now, and with it what they can do.
  await Promise.all([
    queries.invalidateQueries({ queryKey: key }),
    queries.invalidateQueries({ queryKey: ['session'] }),
  ]);
}

export async function removeMember(id: string): Promise<void> {
  await ask(api.DELETE('/team/members/{id}', { params: { path: { id } } }));
  await queries.invalidateQueries({ queryKey: key });
}

/** Removes the person themselves, which ends their session. */
export async function leaveTeam(id: string): Promise<void> {
  await ask(api.DELETE('/team/members/{id}', { params: { path: { id } } }));
  queries.clear();
}

/** A new link for a member. Earlier ones stop working. */
export function newMemberLink(id: string): Promise<MemberLink> {
  return ask(api.POST('/team/members/{id}/link', { params: { path: { id } } }));
}
