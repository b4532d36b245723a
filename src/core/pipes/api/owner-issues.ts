import type { Issue } from '../../../contract/errors.ts';
import type { Workspace } from '../../../ports/principal.ts';
import { allowedDatabases } from '../../verb/allowed-databases.ts';
import { targetsOf, type StoredPipe } from '../definition.ts';
import type { PipeVerbDependencies } from '../dependencies.ts';
import { sourceIn } from '../kinds/configured-source.ts';
import { errorTableName } from '../tables/destination-table.ts';
import { foreignIssue, hasOwner, isForeign, tableComments } from '../tables/table-owner.ts';

const pageSize = 1000;

/** Which of these targets of a pipe belong to other services. */
export async function ownerIssues(
  deps: PipeVerbDependencies,
  workspace: Workspace,
  { source, destination: { database, table } }: StoredPipe,
  targets: readonly string[],
): Promise<Issue[]> {
  const names = [...targets, ...targets.map(errorTableName)];
  const comments = await tableComments(deps.telemetry, database, names);
  const unowned = [...comments].filter(([, comment]) => !hasOwner(comment)).map(([name]) => name);
  const keptByOthers = await tablesKeptByOthers(deps, workspace, database, unowned);
  const { kind, rules } = sourceIn(deps.kinds, source);
  const { tablesField } = rules.contract;
  const path =
    table === undefined && tablesField !== null
      ? `source.${kind}.${tablesField}`
      : 'destination.table';
  const isOther = (name: string): boolean =>
    isForeign(comments.get(name) ?? '', workspace.id) || keptByOthers.has(name);
  return targets.flatMap((target) => {
    const other = [target, errorTableName(target)].find(isOther);
    return other === undefined ? [] : [foreignIssue(path, database, other)];
  });
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
