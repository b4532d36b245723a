/** What one process may do. */
export const allRoles = ['api', 'ui', 'ingest', 'alerts', 'pipes'] as const;
export type Role = (typeof allRoles)[number];
