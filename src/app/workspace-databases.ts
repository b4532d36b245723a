import { notFound } from '../contract/errors.ts';
import type { WorkspaceDatabase } from '../core/query/index.ts';
import type { Store } from '../ports/store/store.ts';

/** Finds the database of a workspace. It never changes, so the store is asked about each one once. */
export function workspaceDatabases({ identity }: Pick<Store, 'identity'>): WorkspaceDatabase {
  const known = new Map<string, string>();
  return async (workspaceId) => {
    if (!known.has(workspaceId)) {
      for (const { id, database } of await identity.workspaces()) {
        known.set(id, database);
      }
    }
    const database = known.get(workspaceId);
    if (database === undefined) {
      throw notFound('workspace');
    }
    return database;
  };
}
