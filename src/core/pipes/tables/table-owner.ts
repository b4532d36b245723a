import { invalid, type Issue } from '../../../contract/errors.ts';
import type { TelemetryShard } from '../../../ports/telemetry.ts';
import { join, literal, qualified, sql } from '../../../sql/sql.ts';

const options = { purpose: 'admin', timeoutMs: 60_000 } as const;

/** In whose name a pipe uses a table. */
export interface TableUser {
  workspaceId: string;
  /**
   * The pipe was stored by a version without owners of tables: it keeps the tables that it writes
   * to, whoever owns them.
   */
  keepsTables: boolean;
}

/**
 * The owner of a table is in its comment: so `CREATE TABLE` decides between services
 * that create it at once, and the owner goes with the table into a backup and out of one.
 */
export const ownerMark = (workspaceId: string): string => `sightline workspace ${workspaceId};`;

export const hasOwner = (comment: string): boolean => comment.includes('sightline workspace ');

/** Whether a table with this comment belongs to other workspaces only. */
export const isForeign = (comment: string, workspaceId: string): boolean =>
  hasOwner(comment) && !comment.includes(ownerMark(workspaceId));

export const foreignTable = (database: string, table: string): string =>
  `table "${table}" in database "${database}" belongs to another service. Choose another table.`;

/** A table as the engine describes it. */
export interface KnownTable {
  comment: string;
  engine: string;
  /** The engine with its parameters, keys and settings. */
  definition: string;
}

/**
 * The comments of those of the tables that exist. Tables are created on the first shard first, so the
 * first comment counts.
 */
export async function tableComments(
  shards: readonly TelemetryShard[],
  database: string,
  tables: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const comments = new Map<string, string>();
  for (const shard of shards) {
    for (const [table, { comment }] of await knownTables(shard, database, tables)) {
      comments.set(table, comments.get(table) ?? comment);
    }
  }
  return comments;
}

async function knownTables(
  shard: TelemetryShard,
  database: string,
  tables: readonly string[],
): Promise<ReadonlyMap<string, KnownTable>> {
  if (tables.length === 0) {
    return new Map();
  }
  const names = new Map(tables.map((table) => [shard.stored(table), table]));
  const { rows } = await shard.query(
    sql`SELECT name, comment, engine, engine_full FROM system.tables
      WHERE database = ${database} AND name IN (${join([...names.keys()].map(literal), ', ')})`,
    options,
  );
  return new Map(
    rows.map((row) => {
      const [name = '', comment = '', engine = '', definition = ''] = row.map(String);
      return [names.get(name) ?? '', { comment, engine, definition }];
    }),
  );
}

/**
 * Those of the tables that exist: a destination, its error table, or both.
 * @throws Fault `bad_request` that names the destination, if one belongs to another workspace
 */
export async function ownTables(
  shard: TelemetryShard,
  { database, table }: { database: string; table: string },
  tables: readonly string[],
  { workspaceId, keepsTables }: TableUser,
): Promise<ReadonlyMap<string, KnownTable>> {
  const known = await knownTables(shard, database, tables);
  const isOther = ({ comment }: KnownTable): boolean => isForeign(comment, workspaceId);
  if (!keepsTables && [...known.values()].some(isOther)) {
    throw invalid([foreignIssue('destination.table', database, table)]);
  }
  return known;
}

export const foreignIssue = (path: string, database: string, table: string): Issue => ({
  path,
  message: foreignTable(database, table),
});

/** Adds a workspace to the owners of those of the tables that exist on a shard. */
export async function addOwner(
  shard: TelemetryShard,
  database: string,
  tables: readonly string[],
  workspaceId: string,
): Promise<void> {
  const mark = ownerMark(workspaceId);
  for (const [table, comment] of await tableComments([shard], database, tables)) {
    if (!comment.includes(mark)) {
      const marked = [comment, mark].filter((text) => text !== '').join(' ');
      await shard.command(
        sql`ALTER TABLE ${qualified(database, shard.stored(table))} MODIFY COMMENT ${literal(marked)}`,
        options,
      );
    }
  }
}
