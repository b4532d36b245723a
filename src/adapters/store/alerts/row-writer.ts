import { sql, type RawBuilder } from 'kysely';
import type { Schema } from '../statements/schema.ts';
import type { Session } from '../statements/session.ts';
import {
  statement,
  type Bind,
  type Params,
  type Queries,
  type Statement,
} from '../statements/statement.ts';

interface Column<Source, Value extends Bind = Bind> {
  /** The type as which PostgreSQL reads the column from JSON. */
  type: 'text' | 'bigint' | 'integer' | 'double precision';
  value(source: Source): Value;
}

/** Every column of a table, and its value in the row of a `Source`. */
export type Columns<Source, Table extends 'alert_progress' | 'alert_history' | 'alert_outbox'> = {
  [Name in keyof Schema[Table]]: Column<Source, Schema[Table][Name] & Bind>;
};

/** What happens if the table already has a row with this key. */
interface Conflict<Name> {
  key: readonly Name[];
  /** The columns that keep their stored value; the others take the new one. */
  keep: readonly Name[] | 'all';
}

export interface RowWriter<Source> {
  /** Inserts one row. */
  one: Statement<Params, unknown>;
  /** Inserts the rows of a JSON array; PostgreSQL only. */
  many: Statement<{ rows: string }, unknown>;
  values(source: Source): Params;
}

/** Makes the statements that write rows of a table, and the values of a row, from its columns. */
export function rowWriter<Source, Name extends string>(
  table: string,
  columns: Record<Name, Column<Source>>,
  conflict: Conflict<NoInfer<Name>>,
): RowWriter<Source> {
  const named = Object.entries<Column<Source>>(columns).map(([name, column]) => ({
    name,
    ...column,
  }));
  const names = named.map(({ name }) => name);
  const blank: Params = Object.fromEntries(names.map((name) => [name, null]));
  const insert = sql`insert into ${sql.table(table)} (${identifiers(names)})`;
  const onConflict = conflictClause(names, conflict);
  return {
    one: statement<Params>()((queries, row) => {
      const values = sql.join(names.map((name) => row[name]));
      return compilable(queries, sql`${insert} values (${values}) ${onConflict}`);
    }),
    many: statement<{ rows: string }>()((queries, { rows }) => {
      const record = sql.join(
        named.map(({ name, type }) => sql`${sql.ref(name)} ${sql.raw(type)}`),
      );
      const given = sql`jsonb_to_recordset(cast(${rows} as jsonb)) as given(${record})`;
      return compilable(
        queries,
        sql`${insert} select ${identifiers(names)} from ${given} where true ${onConflict}`,
      );
    }),
    values(source) {
      // A copy of an object that has all properties is written faster than one that grows.
      const values = { ...blank };
      for (const column of named) {
        values[column.name] = column.value(source);
      }
      return values;
    },
  };
}

const identifiers = (names: readonly string[]): RawBuilder<unknown> =>
  sql.join(names.map((name) => sql.ref(name)));

function conflictClause(names: readonly string[], { key, keep }: Conflict<string>) {
  const target = sql`on conflict (${identifiers(key)})`;
  if (keep === 'all') {
    return sql`${target} do nothing`;
  }
  const changes = names
    .filter((name) => !key.includes(name) && !keep.includes(name))
    .map((name) => sql`${sql.ref(name)} = excluded.${sql.ref(name)}`);
  return sql`${target} do update set ${sql.join(changes)}`;
}

const compilable = (queries: Queries, text: RawBuilder<unknown>) => ({
  compile: () => text.compile(queries.ofEveryWorkspace()),
});

export const rowsPerStatement = 500;

/**
 * SQLite runs a prepared statement for each row, which costs microseconds. PostgreSQL gets hundreds
 * of rows as one JSON value, because every statement costs a round trip.
 *
 * @returns the number of rows written.
 */
export async function writeRows<Source>(
  session: Session,
  writer: RowWriter<Source>,
  sources: readonly Source[],
): Promise<number> {
  let written = 0;
  if (session.queries.dialect === 'sqlite') {
    for (const source of sources) {
      written += await session.run(writer.one, writer.values(source));
    }
    return written;
  }
  for (let start = 0; start < sources.length; start += rowsPerStatement) {
    const rows = sources
      .slice(start, start + rowsPerStatement)
      .map((source) => writer.values(source));
    written += await session.run(writer.many, { rows: JSON.stringify(rows) });
  }
  return written;
}
