import { invalid } from '../../../contract/errors.ts';
import type { StoredDocument } from '../../../ports/store/document-store.ts';
import { tableUser, targetsOf } from '../definition.ts';
import type { PipesDependencies } from '../dependencies.ts';
import { errorTableName } from '../tables/destination-table.ts';
import { prepareTables, type PreparedTable } from '../tables/prepare-shards.ts';
import { prepareDatabase } from '../tables/prepare-table.ts';
import { reserveTables } from '../tables/reserve-tables.ts';
import { shardsOf } from '../tables/shards.ts';
import { addOwner, foreignIssue, isForeign, tableComments } from '../tables/table-owner.ts';

/**
 * Creates and checks what a pipe needs in the engine, before it connects to its source.
 * @returns its table; undefined: the source names its tables
 * @throws Fault `bad_request`, naming what is wrong with the destination
 */
export async function prepareDestination(
  deps: PipesDependencies,
  document: StoredDocument<'pipe'>,
): Promise<PreparedTable | undefined> {
  const { destination } = document.body;
  const { database, table, columns } = destination;
  const user = tableUser(document);
  let prepared: PreparedTable | undefined;
  if (table !== undefined && columns !== undefined) {
    prepared = await prepareTables(deps.telemetry, { ...destination, table, columns }, user);
  } else {
    const shards = shardsOf(deps.telemetry).all();
    await prepareDatabase(shards, database);
    const targets = targetsOf(deps.kinds, document.body);
    const comments = await tableComments(shards, database, targets);
    const foreign = [...comments].filter(([, comment]) => isForeign(comment, user.workspaceId));
    if (!user.keepsTables && foreign.length > 0) {
      throw invalid(foreign.map(([name]) => foreignIssue('destination', database, name)));
    }
    if (!user.keepsTables && (await isShared(deps, document))) {
      const { workspaceId } = user;
      await reserveTables(deps.telemetry, database, targets, workspaceId, 'destination');
    }
  }
  if (user.keepsTables && destination.managedTable !== false) {
    await addOwnerToShared(deps, document);
  }
  return prepared;
}

/** In the service's own database no other service has pipes. */
async function isShared(
  { store }: PipesDependencies,
  { workspaceId, body }: StoredDocument<'pipe'>,
): Promise<boolean> {
  const workspace = await store.identity.workspace(workspaceId);
  return workspace?.database !== body.destination.database;
}

async function addOwnerToShared(
  deps: PipesDependencies,
  document: StoredDocument<'pipe'>,
): Promise<void> {
  if (!(await isShared(deps, document))) {
    return;
  }
  const { telemetry, kinds, log } = deps;
  const { id, workspaceId, body } = document;
  const { database } = body.destination;
  const tables = targetsOf(kinds, body).flatMap((name) => [name, errorTableName(name)]);
  try {
    for (const shard of shardsOf(telemetry).present()) {
      await addOwner(shard, database, tables, workspaceId);
    }
  } catch (error) {
    log.warn({ err: error, pipeId: id, database }, 'cannot record the owner of tables of a pipe');
  }
}
