import type { KeyRole } from '../../../api/queries/organization.ts';

export const roles: readonly KeyRole[] = ['admin', 'developer', 'query_endpoints'];

export const roleWords: Readonly<Record<KeyRole, string>> = {
  admin: 'Admin',
  developer: 'Developer',
  query_endpoints: 'Query endpoints',
};

export const roleHints: Readonly<Record<KeyRole, string>> = {
  admin: 'Performs every operation of the organization.',
  developer: 'Reads everything and changes dashboards, alerts and saved searches.',
  query_endpoints: 'Has no permissions in this API.',
};
