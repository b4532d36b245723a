import { Fault, invalid, notFound } from '../../contract/errors.ts';
import type { StoredWorkspace } from '../../ports/store/identity-store.ts';
import type { StoreWriter } from '../../ports/store/store-access.ts';

type Parts = Pick<StoreWriter, 'identity' | 'documents'>;

const engineDatabases = ['system', 'information_schema'];
const pageSize = 1000;

/**
 * Lets pipes of a workspace write to another database. Several workspaces may have the same one.
 * @throws Fault bad_request if it is the database of another service or of the engine
 */
export async function listDatabase(
  parts: Parts,
  workspaceId: string,
  database: string,
): Promise<StoredWorkspace> {
  const workspaces = await parts.identity.workspaces();
  const workspace = workspaceIn(workspaces, workspaceId);
  const owner = workspaces.find((other) => other.database === database);
  if (owner?.id === workspaceId || workspace.listedDatabases.includes(database)) {
    return workspace;
  }
  if (owner) {
    throw refused(`database "${database}" belongs to service ${owner.serviceId}`);
  }
  if (engineDatabases.includes(database.toLowerCase())) {
    throw refused(`database "${database}" belongs to the engine`);
  }
  return change(parts, workspace, [...workspace.listedDatabases, database]);
}

/**
 * Takes a database off the list.
 * @throws Fault bad_request while pipes of the workspace write to it
 */
export async function unlistDatabase(
  parts: Parts,
  workspaceId: string,
  database: string,
): Promise<StoredWorkspace> {
  const workspace = workspaceIn(await parts.identity.workspaces(), workspaceId);
  if (!workspace.listedDatabases.includes(database)) {
    throw refused(`database "${database}" is not listed for service ${workspace.serviceId}`);
  }
  const pipes = await pipesOf(parts, workspaceId, database);
  if (pipes.length > 0) {
    throw refused(
      `pipes write to database "${database}": ${pipes.slice(0, 10).join(', ')}. Delete them first`,
    );
  }
  return change(
    parts,
    workspace,
    workspace.listedDatabases.filter((name) => name !== database),
  );
}

function workspaceIn(workspaces: readonly StoredWorkspace[], id: string): StoredWorkspace {
  const workspace = workspaces.find((one) => one.id === id);
  if (!workspace) {
    throw notFound('service');
  }
  return workspace;
}

async function change(
  { identity }: Parts,
  workspace: StoredWorkspace,
  listedDatabases: string[],
): Promise<StoredWorkspace> {
  const changed = await identity.setListedDatabases(
    workspace.id,
    workspace.listedDatabases,
    listedDatabases,
  );
  if (!changed) {
    throw new Fault('conflict', 'another command changed the list. Run the command again.');
  }
  return { ...workspace, listedDatabases };
}

/** Ids of the pipes that write to a database. */
async function pipesOf(
  { documents }: Parts,
  workspaceId: string,
  database: string,
): Promise<string[]> {
  const ids: string[] = [];
  for (let offset = 0; ; offset += pageSize) {
    const { items } = await documents.list(workspaceId, 'pipe', { limit: pageSize, offset });
    ids.push(
      ...items.filter(({ body }) => body.destination.database === database).map(({ id }) => id),
    );
    if (items.length < pageSize) {
      return ids;
    }
  }
}

const refused = (message: string): Fault => invalid([{ path: 'database', message }]);
