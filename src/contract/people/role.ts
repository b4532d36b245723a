import { z } from 'zod';
import type { Scope } from '../operation.ts';

export const UserRole = z.enum(['member', 'admin']).meta({
  id: 'UserRole',
  description:
    '`member` can use and change everything of the team, and read pipes. ' +
    '`admin` can also rename the team, manage members, pipes and API keys, ' +
    'create and rename services, rename the organization, ' +
    'read the audit trail, run the demo shop and see the state of the server.',
});
export type UserRole = z.infer<typeof UserRole>;

const memberScopes = [
  'stack:read',
  'stack:write',
  'sources:write',
  'webhooks:write',
  'team:read',
  'team:write',
  'telemetry:query',
  'organization:read',
  'pipes:read',
] as const satisfies readonly Scope[];

const scopesOfRole: Readonly<Record<UserRole, ReadonlySet<Scope>>> = {
  member: new Set(memberScopes),
  admin: new Set([
    ...memberScopes,
    'members:write',
    'demo:write',
    'server:read',
    'pipes:write',
    'keys:read',
    'keys:write',
    'organization:write',
    'audit:read',
  ]),
};

/** The scopes of a user, whether a session or an access key shows who it is. */
export const scopesOfUser = (role: UserRole): ReadonlySet<Scope> => scopesOfRole[role];
