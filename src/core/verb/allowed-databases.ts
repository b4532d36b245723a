import type { Workspace } from '../../ports/principal.ts';

/**
 * The databases that the pipes of a workspace may write to: its own, then those that the operator
 * lists for it.
 */
export function allowedDatabases({
  database,
  listedDatabases,
}: Pick<Workspace, 'database' | 'listedDatabases'>): readonly string[] {
  return [database, ...listedDatabases];
}
