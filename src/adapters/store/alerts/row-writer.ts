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

interface Varying<Source, Value extends Bind> {
  /** The type as which PostgreSQL reads the column from JSON. */
  type: 'text' | 'bigint' | 'integer' | 'double precision';
  value(source: Source): Value;
}

/** Every new row has this value; it is part of the statement, because each bound value costs time. */
interface Fixed<Value extends Bind> {
  fixed: Value;
}

type Column<Source, Value extends Bind = Bind> = Varying<Source, Value> | Fixed<Value>;

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
  /** The values of a row, in the order of `one`. */
  values(source: Source): Bind[];
  /** The same by column name, for `many`. */
  named(source: Source): Params;
}

/** Makes the statements that write rows of a table, and the values of a row, from its columns. */
export function rowWriter<Source, Name extends string>(
  table: string,
  columns: Record<Name, Column<Source>>,
  conflict: Conflict<NoInfer<Name>>,
): RowWriter<Source> {
  const all = Object.entries<Column<Source>>(columns);
  const fixed = all.flatMap(([name, column]) =>
    'fixed' in column ? [{ name, value: column.fixed }] : [],
  );
  const varying = all.flatMap(([name, column]) => ('fixed' in column ? [] : [{ name, ...column }]));
  const names = [...varying, ...fixed].map(({ name }) => name);
  const constants = fixed.map(({ value }) => sql.lit(value));
  const insert = sql`insert into ${sql.table(table)} (${identifiers(names)})`;
  const onConflict = conflictClause(names, conflict);
  return {
    one: statement<Params>()((queries, row) => {
      const values = sql.join([...varying.map(({ name }) => row[name]), ...constants]);
      return compilable(queries, sql`${insert} values (${values}) ${onConflict}`);
    }),
    many: statement<{ rows: string }>()((queries, { rows }) => {
      const record = sql.join(
        varying.map(({ name, type }) => sql`${sql.ref(name)} ${sql.raw(type)}`),
      );
      const given = sql`jsonb_to_recordset(cast(${rows} as jsonb)) as given(${record})`;
      const selected = sql.join([...varying.map(({ name }) => sql.ref(name)), ...constants]);
      return compilable(
        queries,
        sql`${insert} select ${selected} from ${given} where true ${onConflict}`,
      );
    }),
    values: (source) => varying.map((column) => column.value(source)),
    named: (source) =>
      Object.fromEntries(varying.map((column) => [column.name, column.value(source)])),
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
  if (session.queries.dialect === 'sqlite') {
    return session.runEach(
      writer.one,
      sources.map((source) => writer.values(source)),
    );
  }
  let written = 0;
  for (let start = 0; start < sources.length; start += rowsPerStatement) {
    const rows = sources
      .slice(start, start + rowsPerStatement)
      .map((source) => writer.named(source));
    written += await session.run(writer.many, { rows: JSON.stringify(rows) });
  }
  return written;
}
