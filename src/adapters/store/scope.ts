import {
  sql,
  type DeleteQueryBuilder,
  type DeleteResult,
  type InsertObject,
  type InsertQueryBuilder,
  type InsertResult,
  type Kysely,
  type RawBuilder,
  type SelectQueryBuilder,
  type UpdateQueryBuilder,
  type UpdateResult,
} from 'kysely';
import type { Schema, WorkspaceTable } from './schema.ts';

type Row<T extends WorkspaceTable> = Omit<InsertObject<Schema, T>, 'workspace_id'>;

export interface WorkspaceQueries {
  selectFrom<T extends WorkspaceTable>(table: T): SelectQueryBuilder<Schema, T, object>;
  insertInto<T extends WorkspaceTable>(
    table: T,
    rows: Row<T> | readonly Row<T>[],
  ): InsertQueryBuilder<Schema, T, InsertResult>;
  /** Rows that the database makes: what each column takes, of `from` (what stands after FROM). */
  insertSelected<T extends WorkspaceTable>(
    table: T,
    columns: Record<keyof Row<T> & string, RawBuilder<unknown>>,
    from: RawBuilder<unknown>,
  ): InsertQueryBuilder<Schema, T, InsertResult>;
  updateTable<T extends WorkspaceTable>(table: T): UpdateQueryBuilder<Schema, T, T, UpdateResult>;
  deleteFrom<T extends WorkspaceTable>(table: T): DeleteQueryBuilder<Schema, T, DeleteResult>;
}

/**
 * The one way to the tables of a workspace: every query starts out with the condition on it, every row with its id. A join of
 * a second such table has to repeat the condition, which scope.test.ts checks on the compiled text.
 */
export function ofWorkspace(db: Kysely<Schema>, workspaceId: string): WorkspaceQueries {
  // The casts narrow "one of the workspace tables" to the table named: Kysely cannot carry a type parameter through its builders.
  return {
    selectFrom: (table) =>
      db
        .selectFrom(table as 'documents')
        .where(`${table as 'documents'}.workspace_id`, '=', workspaceId) as never,
    insertInto: (table, rows) =>
      db.insertInto(table).values(
        (Array.isArray(rows) ? rows : [rows]).map((row: object) => ({
          ...row,
          workspace_id: workspaceId,
        })) as never,
      ) as never,
    insertSelected: (table, columns, from) =>
      db
        .insertInto(table)
        .columns(['workspace_id', ...Object.keys(columns)] as never)
        .expression(
          sql`select ${workspaceId}, ${sql.join(Object.values<RawBuilder<unknown>>(columns))} from ${from}` as never,
        ) as never,
    updateTable: (table) =>
      db
        .updateTable(table as 'documents')
        .where(`${table as 'documents'}.workspace_id`, '=', workspaceId) as never,
    deleteFrom: (table) =>
      db
        .deleteFrom(table as 'documents')
        .where(`${table as 'documents'}.workspace_id`, '=', workspaceId) as never,
  };
}

/** For what serves every workspace at once (a supervisor looking for work). Never on behalf of a caller. */
export function ofEveryWorkspace(db: Kysely<Schema>): Kysely<Schema> {
  return db;
}
