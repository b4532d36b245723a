import { invalid } from '../../../contract/errors.ts';
import type { Telemetry } from '../../../ports/telemetry.ts';
import { sql } from '../../../sql/sql.ts';
import { errorTable, errorTableName } from './destination-table.ts';
import { run } from './prepare-table.ts';
import { shardsOf } from './shards.ts';
import { foreignIssue, isForeign, ownerMark, tableComments } from './table-owner.ts';

/**
 * Makes tables that a pipe creates later, or adopts, a workspace's own in a database that services
 * share. The error table of each is created now: `CREATE TABLE IF NOT EXISTS` decides between
 * services that want one table at once, whether or not the table itself exists.
 * @param path of the field that names the tables
 * @throws Fault `bad_request` if other services own or use one of the tables
 */
export async function reserveTables(
  telemetry: Telemetry,
  database: string,
  tables: readonly string[],
  workspaceId: string,
  path: string,
): Promise<void> {
  const mark = ownerMark(workspaceId);
  const names = tables.flatMap((table) => [table, errorTableName(table)]);
  const shards = shardsOf(telemetry);
  const all = shards.all();
  const before = await tableComments(all, database, names);
  refuseForeign(before);
  const isOwn = (comments: ReadonlyMap<string, string>, name: string): boolean =>
    comments.get(name)?.includes(mark) === true;
  const open = tables.filter((table) => !isOwn(before, table));
  const errors = open.map(errorTableName);
  for (const shard of all) {
    for (const table of errors) {
      const definition = errorTable(database, shard.stored(table), mark);
      await run(shard, sql`CREATE TABLE IF NOT EXISTS ${definition}`, path);
    }
    // Whoever was first on the first shard has the tables.
    refuseForeign(await tableComments([shard], database, names));
  }
  await shards.share(database, errors);
  const after = await tableComments(all, database, names);
  const shared = open.find((table) => !isOwn(after, errorTableName(table)));
  if (shared !== undefined) {
    throw invalid([{ path, message: sharedTable(database, shared) }]);
  }

  function refuseForeign(comments: ReadonlyMap<string, string>): void {
    const foreign = tables.find((table) =>
      [table, errorTableName(table)].some((name) =>
        isForeign(comments.get(name) ?? '', workspaceId),
      ),
    );
    if (foreign !== undefined) {
      throw invalid([foreignIssue(path, database, foreign)]);
    }
  }
}

/** It has an error table without an owner, so pipes of any service may write to it. */
const sharedTable = (database: string, table: string): string =>
  `table "${table}" in database "${database}" has no owner, and other pipes may write to it. ` +
  'Choose another table.';
