import type { PipeSourceItem } from '../../../api/queries/new-pipe.ts';
import { splitList } from '../../../view/split-list.ts';

export const tableEngines = ['ReplacingMergeTree', 'MergeTree', 'Null'] as const;

/** A table of the database that the person has chosen. */
export interface TableRow {
  /** As the source names it. */
  id: string;
  targetTable: string;
  engine: (typeof tableEngines)[number];
  /** Columns, separated by commas; empty: the key of the source. */
  sortingKeys: string;
  excluded: readonly string[];
  /** What the source says of it, so that the form can show it after a reload. */
  columns: readonly { name: string; type: string }[];
  primaryKey: readonly string[];
}

/** Schema and name of the text for a table, with quotes around parts that need them. */
export function tableNameOf(id: string): { schema: string; table: string } | undefined {
  const parts = /^("(?:[^"]|"")+"|[^."]+)\.("(?:[^"]|"")+"|[^."]+)$/s.exec(id.trim());
  const [, schema, table] = parts ?? [];
  return schema === undefined || table === undefined
    ? undefined
    : { schema: unquoted(schema), table: unquoted(table) };
}

const unquoted = (part: string): string =>
  part.startsWith('"') ? part.slice(1, -1).replaceAll('""', '"') : part;

/** The chosen tables with another one, under a free target name. */
export function withTable(
  rows: readonly TableRow[],
  { id, columns = [], primaryKey = [] }: PipeSourceItem,
): TableRow[] {
  if (rows.some((row) => row.id === id)) {
    return [...rows];
  }
  const { schema = '', table = id } = tableNameOf(id) ?? {};
  const taken = new Set(rows.map(({ targetTable }) => targetTable));
  const targetTable = taken.has(table) ? `${schema}_${table}` : table;
  const row: TableRow = {
    id,
    targetTable,
    engine: 'ReplacingMergeTree',
    sortingKeys: '',
    excluded: [],
    columns: columns.map(({ name, type }) => ({ name, type })),
    primaryKey,
  };
  return [...rows, row];
}

export const withoutTable = (rows: readonly TableRow[], id: string): TableRow[] =>
  rows.filter((row) => row.id !== id);

/** The tables as the API takes them. */
export const tableMappings = (rows: readonly TableRow[]) =>
  rows.map(({ id, targetTable, engine, sortingKeys, excluded }) => {
    const { schema = '', table = id } = tableNameOf(id) ?? {};
    const keys = splitList(sortingKeys);
    return {
      sourceSchemaName: schema,
      sourceTable: table,
      targetTable: targetTable.trim(),
      tableEngine: engine,
      ...(excluded.length > 0 && { excludedColumns: [...excluded] }),
      ...(keys.length > 0 && { useCustomSortingKey: true, sortingKeys: keys }),
    };
  });

const partsOf: Record<string, keyof TableRow> = {
  targetTable: 'targetTable',
  tableEngine: 'engine',
  sortingKeys: 'sortingKeys',
  excludedColumns: 'excluded',
};

/** Where the form shows a mistake of the API in `tableMappings`. */
export const tablePath = (index: string | undefined, part = 'targetTable'): string =>
  index === undefined ? 'tables' : `tables.${index}.${partsOf[part] ?? 'targetTable'}`;
