import type { Client } from 'pg';
import type { PostgresTableMapping } from '../../../contract/pipe/postgres.ts';
import type { PipeSourceItem } from '../../../contract/pipe/pipe-draft.ts';
import { SourceFailed, type ConnectorContext } from '../../../ports/connector.ts';
import type { BeginStep, Explorer, ItemSample, SourceItems } from '../../../ports/explorer.ts';
import { rowsPart } from './rows/row-block.ts';
import { readRows } from './sample.ts';
import { checkReplication, checkServer } from './source-checks.ts';
import type { SourceSettings } from './source-settings.ts';
import { checkRights } from './stream/replication-rights.ts';
import { listTables } from './tables/listed-tables.ts';
import { Shapes } from './tables/shapes.ts';
import { parseTableId, tableId, type TableName } from './tables/table-id.ts';
import { nameOf, readTables, type SourceTable } from './tables/tables.ts';
import { clickhouseColumn } from './types/column-of.ts';
import { queryOf } from './wire/query-of.ts';
import type { Server } from './wire/server.ts';

const tablesMax = 500;
const rowsMax = 10;

export interface PostgresExplorerOptions {
  context: ConnectorContext<'postgres'>;
  server: Server;
  settings: SourceSettings;
  translated(error: unknown): unknown;
}

/** Looks at tables. Creates neither a publication nor a slot. */
export class PostgresExplorer implements Explorer {
  readonly #options: PostgresExplorerOptions;

  constructor(options: PostgresExplorerOptions) {
    this.#options = options;
  }

  check(begin: BeginStep): Promise<void> {
    const { context, server, settings } = this.#options;
    const { tableMappings } = context.source;
    return this.#translated(async () => {
      const client = await this.#connect(begin);
      begin('find', 'tableMappings');
      const tables = await readTables(queryOf(client), tableMappings);
      begin('read', 'tableMappings');
      await checkReadable(client, tables);
      if (settings.mode === 'snapshot') {
        return;
      }
      begin('replicate', 'settings');
      await checkServer(client, settings);
      const shapes = this.#shapes(client, tables);
      begin('replicate', 'tableMappings');
      for (const table of tables) {
        shapes.ofTable(table);
      }
      begin('replicate', 'credentials');
      await server.raw(true);
      begin('replicate', 'settings.publicationName');
      await checkReplication(client, tables, settings);
      await checkRights(client, tables, settings);
    });
  }

  list(begin: BeginStep): Promise<SourceItems> {
    return this.#translated(async () => {
      const client = await this.#connect(begin);
      begin('find', 'database');
      const listed = await listTables(queryOf(client), tablesMax + 1);
      const tables = await this.#tables(client, listed.slice(0, tablesMax));
      const unreadable = new Set(listed.filter(({ isReadable }) => !isReadable).map(tableId));
      return {
        kind: 'tables',
        items: tables.map((table) => {
          const item = this.#item(client, table);
          return unreadable.has(item.id) ? { ...item, problem: noSelect(table) } : item;
        }),
        hasMore: listed.length > tablesMax,
      };
    });
  }

  sample(id: string, begin: BeginStep): Promise<ItemSample | undefined> {
    const { context, server } = this.#options;
    return this.#translated(async () => {
      const client = await this.#connect(begin);
      const name = parseTableId(id);
      const listed = await listTables(queryOf(client), 2 ** 31 - 1);
      if (!name || !listed.some((table) => tableId(table) === tableId(name))) {
        return undefined;
      }
      begin('read', 'tableMappings');
      const [table] = await this.#tables(client, [name]);
      if (!table) {
        return undefined;
      }
      const mode = { ...context.source.settings, replicationMode: 'snapshot' } as const;
      const shape = new Shapes(queryOf(client), [table], mode).ofTable(table);
      const writer = await readRows(await server.raw(false), shape, rowsMax);
      const columns = shape.target.columns.slice(0, shape.columns.length);
      const part = rowsPart(
        { ...shape.target, columns },
        writer.take(),
        writer.rows,
        tableId(name),
      );
      return {
        kind: 'table',
        item: this.#item(client, table),
        itemKind: 'tables',
        source: { tableMappings: [mappingOf(name)] },
        name: name.table,
        records: part.records(),
      };
    });
  }

  async #connect(begin: BeginStep): Promise<Client> {
    begin('connect', 'host');
    return this.#options.server.client();
  }

  #tables(client: Client, names: readonly TableName[]): Promise<SourceTable[]> {
    return readTables(queryOf(client), names.map(mappingOf));
  }

  #shapes(client: Client, tables: readonly SourceTable[]): Shapes {
    return new Shapes(queryOf(client), tables, this.#options.context.source.settings);
  }

  #item(client: Client, table: SourceTable): PipeSourceItem {
    const { columns, mapping, primaryKey } = table;
    const allowNullable = this.#options.context.source.settings?.allowNullableColumns === true;
    const problem = problemOf(() => this.#shapes(client, [table]).ofTable(table));
    return {
      id: tableId({ schema: mapping.sourceSchemaName, table: mapping.sourceTable }),
      columns: columns.map((column) => {
        const notNull = column.notNull || primaryKey.includes(column.name);
        return {
          name: column.name,
          sourceType: column.type.name.replace(/^_(.*)$/, '$1[]'),
          type: clickhouseColumn({ ...column, notNull }, { allowNullable }).column.type,
          isNullable: !notNull,
        };
      }),
      primaryKey,
      ...(problem !== undefined && { problem }),
    };
  }

  async #translated<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw this.#options.translated(error);
    }
  }
}

const mappingOf = ({ schema, table }: TableName): PostgresTableMapping => ({
  sourceSchemaName: schema,
  sourceTable: table,
  targetTable: table,
});

const noSelect = ({ mapping }: Pick<SourceTable, 'mapping'>): string =>
  `the user may not read table ${nameOf(mapping)}. Grant it USAGE on the schema and SELECT on the table.`;

async function checkReadable(client: Client, tables: readonly SourceTable[]): Promise<void> {
  const { rows } = await client.query<{ place: number }>(readableQuery, [
    tables.map(({ oid }) => oid),
    tables.map(({ columns }) => JSON.stringify(columns.map(({ name }) => name))),
  ]);
  const table = rows[0] && tables[rows[0].place - 1];
  if (table) {
    throw new SourceFailed(noSelect(table), {
      problem: { reason: 'not_permitted', field: 'tableMappings' },
    });
  }
}

const readableQuery = `
SELECT wanted.place::int AS place
FROM unnest($1::oid[], $2::text[]) WITH ORDINALITY AS wanted(oid, columns, place)
WHERE EXISTS (SELECT 1 FROM json_array_elements_text(wanted.columns::json) AS c(name)
  WHERE NOT pg_catalog.has_column_privilege(wanted.oid, c.name, 'SELECT'))
ORDER BY 1 LIMIT 1`;

function problemOf(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof SourceFailed) {
      return error.message;
    }
    throw error;
  }
}
