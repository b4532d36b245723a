import { z } from 'zod';
import { IdParams, NoBody, NoParams, NoQuery, ObjectId, Timestamp } from '../common.ts';
import { operation } from '../operation.ts';
import { UserRole } from './role.ts';
import { NewPassword, Session } from './session.ts';

/** How long the link of a member works, in milliseconds. */
export const memberLinkMs = 3 * 86_400_000;

const Email = z
  .email('must be an e-mail address')
  .max(320)
  .toLowerCase()
  .meta({ description: 'E-mail address of the member. An address belongs to one team only.' });
const Name = z
  .string()
  .min(1)
  .max(255)
  .meta({ description: 'Name of the member (1–255 characters).' });

const memberExample = {
  id: '65f0c1d2e3a4b5c6d7e8f902',
  email: 'ada@example.com',
  name: 'Ada',
  role: 'member' as const,
  hasPassword: false,
  createdAt: '2026-03-14T09:26:53.589Z',
};

export const Member = z
  .object({
    id: ObjectId,
    email: z.string().meta({ description: 'E-mail address of the member.' }),
    name: z.string().optional().meta({ description: 'Name of the member; absent if unset.' }),
    role: UserRole,
    hasPassword: z.boolean().meta({
      description:
        'Whether the member has a password. Without one, a link or single sign-on is needed.',
    }),
    createdAt: Timestamp,
  })
  .meta({ id: 'Member', example: memberExample });
export type Member = z.output<typeof Member>;

const linkExample = {
  path: '/join#EXAMPLE-NOT-A-TOKEN',
  expiresAt: '2026-03-17T09:26:53.589Z',
};
export const MemberLink = z
  .object({
    path: z.string().meta({
      description:
        'Path of a page of the web interface where the member sets a password. ' +
        'Works once. Returned only once. The token is the part after `#`.',
    }),
    expiresAt: Timestamp.meta({ description: 'Time after which the link does not work (3 days).' }),
  })
  .meta({ id: 'MemberLink', example: linkExample });
export type MemberLink = z.output<typeof MemberLink>;

export const NewMember = z
  .object({ member: Member, link: MemberLink })
  .meta({ id: 'NewMember', example: { member: memberExample, link: linkExample } });

export const MemberInput = z
  .object({ email: Email, name: Name.optional(), role: UserRole.default('member') })
  .meta({ id: 'MemberInput' });

export const MemberChange = z
  .object({ name: Name.optional(), role: UserRole.optional() })
  .meta({ id: 'MemberChange' });

export const LinkAcceptance = z
  .object({
    token: z.string().min(1).max(255).meta({ description: 'Token of the link.' }),
    password: NewPassword,
  })
  .meta({ id: 'LinkAcceptance' });

const shared = { tag: 'Team', query: NoQuery } as const;

export const listMembers = operation({
  ...shared,
  name: 'listMembers',
  summary: 'List the members of the team',
  description: 'Returns all members, in creation order.',
  scope: 'team:read',
  object: { kind: 'user' },
  params: NoParams,
  body: NoBody,
  result: z.array(Member),
});
export const createMember = operation({
  ...shared,
  name: 'createMember',
  summary: 'Add a member',
  description:
    'Returns a link with which the new member sets a password. ' +
    'Only this response contains it. Requires the role admin.',
  scope: 'members:write',
  object: { kind: 'user' },
  params: NoParams,
  body: MemberInput,
  result: NewMember,
  faults: ['forbidden', 'conflict'],
  example: { email: 'ada@example.com', name: 'Ada', role: 'member' },
});
export const updateMember = operation({
  ...shared,
  name: 'updateMember',
  summary: 'Change the role or the name of a member',
  description:
    'Takes effect immediately. The last admin of the team stays admin. Requires the role admin.',
  scope: 'members:write',
  object: { kind: 'user', id: 'id' },
  params: IdParams,
  body: MemberChange,
  result: Member,
  versioned: false,
  faults: ['forbidden', 'not_found', 'conflict'],
  example: { role: 'admin' },
});
export const deleteMember = operation({
  ...shared,
  name: 'deleteMember',
  summary: 'Remove a member',
  description:
    'Ends the sessions and revokes the access keys of the member. ' +
    'The last admin of the team cannot be removed. Requires the role admin.',
  scope: 'members:write',
  object: { kind: 'user', id: 'id' },
  params: IdParams,
  body: NoBody,
  result: NoBody,
  faults: ['forbidden', 'not_found', 'conflict'],
});
export const createMemberLink = operation({
  ...shared,
  name: 'createMemberLink',
  summary: 'Make a new link for a member',
  description:
    'The member sets a new password with it. Earlier links stop working. Requires the role admin.',
  scope: 'members:write',
  object: { kind: 'user', id: 'id' },
  params: IdParams,
  body: NoBody,
  result: MemberLink,
  faults: ['forbidden', 'not_found'],
});
export const acceptMemberLink = operation({
  tag: 'Sessions',
  query: NoQuery,
  name: 'acceptMemberLink',
  summary: 'Set a password with a link, and sign in',
  description:
    'Ends the other sessions of the user and sets the session cookie. An invalid or used link: 401.',
  scope: 'session:write',
  anonymous: true,
  object: { kind: 'session' },
  params: NoParams,
  body: LinkAcceptance,
  result: Session,
  faults: ['forbidden'],
  example: { token: 'EXAMPLE-NOT-A-TOKEN', password: 'EXAMPLE-NOT-A-PASSWORD' },
});
