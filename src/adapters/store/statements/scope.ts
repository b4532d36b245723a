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
 * The one way to the tables of a workspace: every query starts out with the condition on it, every
 * row with its id. A join of a second such table has to repeat the condition, which scope.test.ts
 * checks on the compiled text.
 */
export function ofWorkspace(db: Kysely<Schema>, workspaceId: string): WorkspaceQueries {
  // Kysely cannot carry a type parameter through its builders: each table stands in as `documents`
  // and gets its own type back.
  return {
    selectFrom: <T extends WorkspaceTable>(table: T) =>
      db
        .selectFrom(table as 'documents')
        .where(`${table as 'documents'}.workspace_id`, '=', workspaceId) as SelectQueryBuilder<
        Schema,
        T,
        object
      >,
    insertInto: <T extends WorkspaceTable>(table: T, rows: Row<T> | readonly Row<T>[]) => {
      const ofWorkspace = { workspace_id: workspaceId };
      return db
        .insertInto(table)
        .values(
          listOf(rows).map((row) => Object.assign({}, row, ofWorkspace) as InsertObject<Schema, T>),
        );
    },
    insertSelected: <T extends WorkspaceTable>(
      table: T,
      columns: Record<keyof Row<T> & string, RawBuilder<unknown>>,
      from: RawBuilder<unknown>,
    ) => {
      const names = Object.keys(columns) as (keyof Schema[T] & string)[];
      const values = sql.join(Object.values<RawBuilder<unknown>>(columns));
      return db
        .insertInto(table)
        .columns(['workspace_id', ...names])
        .expression(sql`select ${workspaceId}, ${values} from ${from}`);
    },
    updateTable: <T extends WorkspaceTable>(table: T) => {
      const update = db
        .updateTable(table as 'documents')
        .where(`${table as 'documents'}.workspace_id`, '=', workspaceId);
      // TypeScript finds the types of the two tables too different for a single cast.
      return update as unknown as UpdateQueryBuilder<Schema, T, T, UpdateResult>;
    },
    deleteFrom: <T extends WorkspaceTable>(table: T) =>
      db
        .deleteFrom(table as 'documents')
        .where(`${table as 'documents'}.workspace_id`, '=', workspaceId) as DeleteQueryBuilder<
        Schema,
        T,
        DeleteResult
      >,
  };
}

const listOf = <R>(rows: R | readonly R[]): readonly R[] =>
  Array.isArray(rows) ? (rows as readonly R[]) : [rows as R];

/**
 * For what serves every workspace at once (a supervisor looking for work). Never on behalf of a
 * caller.
 */
export function ofEveryWorkspace(db: Kysely<Schema>): Kysely<Schema> {
  return db;
}
