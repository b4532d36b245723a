import type { UserRole } from '../../api/queries/members.ts';

export const roles: readonly { value: UserRole; label: string }[] = [
  { value: 'member', label: 'Member' },
  { value: 'admin', label: 'Admin' },
];

export const roleHints: Readonly<Record<UserRole, string>> = {
  member: 'Uses and changes everything of the team, and reads pipes.',
  admin: 'Also manages members, pipes and API keys, and reads the audit trail.',
};
