import type { Issue } from '../../../contract/errors.ts';
import type { Workspace } from '../../../ports/principal.ts';
import { allowedDatabases } from '../../verb/allowed-databases.ts';
import { targetsOf, type StoredPipe } from '../definition.ts';
import type { PipeVerbDependencies } from '../dependencies.ts';
import { sourceIn } from '../kinds/configured-source.ts';
import { errorTableName } from '../tables/destination-table.ts';
import { reserveTables } from '../tables/reserve-tables.ts';
import { shardsOf } from '../tables/shards.ts';
import { foreignIssue, hasOwner, isForeign, tableComments } from '../tables/table-owner.ts';

const pageSize = 1000;

/** Which of these targets of a pipe belong to other services. */
export async function ownerIssues(
  deps: PipeVerbDependencies,
  workspace: Workspace,
  pipe: StoredPipe,
  targets: readonly string[],
): Promise<Issue[]> {
  const { database } = pipe.destination;
  const names = [...targets, ...targets.map(errorTableName)];
  const comments = await tableComments(shardsOf(deps.telemetry).all(), database, names);
  const unowned = [...comments].filter(([, comment]) => !hasOwner(comment)).map(([name]) => name);
  const keptByOthers = await tablesKeptByOthers(deps, workspace, database, unowned);
  const path = tablesPath(deps, pipe);
  const isOther = (name: string): boolean =>
    isForeign(comments.get(name) ?? '', workspace.id) || keptByOthers.has(name);
  return targets
    .filter((target) => [target, errorTableName(target)].some(isOther))
    .map((target) => foreignIssue(path, database, target));
}

/**
 * Reserves targets that the readers of a pipe create, before a role may read them. In the
 * workspace's own database no other service has pipes.
 * @throws Fault `bad_request` if other services own or use one of the targets
 */
export async function reserveTargets(
  deps: PipeVerbDependencies,
  workspace: Workspace,
  pipe: StoredPipe,
  targets: readonly string[],
): Promise<void> {
  const { database, table } = pipe.destination;
  if (table === undefined && workspace.database !== database && targets.length > 0) {
    await reserveTables(deps.telemetry, database, targets, workspace.id, tablesPath(deps, pipe));
  }
}

/** The field that names the tables of a pipe. */
function tablesPath(
  { kinds }: PipeVerbDependencies,
  { source, destination: { table } }: StoredPipe,
): string {
  const { kind, rules } = sourceIn(kinds, source);
  const { tablesField } = rules.contract;
  return table === undefined && tablesField !== null
    ? `source.${kind}.${tablesField}`
    : 'destination.table';
}

/**
 * Tables that have no owner recorded, and that pipes of earlier versions of other workspaces write
 * to. A table that this workspace's own pipes write to is not among them.
 */
async function tablesKeptByOthers(
  deps: PipeVerbDependencies,
  workspace: Workspace,
  database: string,
  unowned: readonly string[],
): Promise<ReadonlySet<string>> {
  if (unowned.length === 0 || workspace.database === database) {
    return new Set();
  }
  const workspaces = (await deps.store.identity.workspaces()).filter((one) =>
    allowedDatabases(one).includes(database),
  );
  const own = new Set<string>();
  const others = new Set<string>();
  for (const { id } of workspaces) {
    const kept = id === workspace.id ? own : others;
    for await (const pipe of pipesOf(deps, id)) {
      const { managedTable, database: written } = pipe.destination;
      if (written === database && managedTable !== false && pipe.ownsTables !== true) {
        for (const name of targetsOf(deps.kinds, pipe)) {
          kept.add(name).add(errorTableName(name));
        }
      }
    }
  }
  return new Set(unowned.filter((name) => others.has(name) && !own.has(name)));
}

async function* pipesOf(
  { store }: PipeVerbDependencies,
  workspaceId: string,
): AsyncGenerator<StoredPipe> {
  for (let offset = 0; ; offset += pageSize) {
    const page = { limit: pageSize, offset };
    const { items } = await store.documents.list(workspaceId, 'pipe', page);
    yield* items.map(({ body }) => body);
    if (items.length < pageSize) {
      return;
    }
  }
}
