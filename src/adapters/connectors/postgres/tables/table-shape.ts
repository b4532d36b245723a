import type { PostgresTableMapping } from '../../../../contract/pipe/postgres.ts';
import type { TargetColumn, TargetTable } from '../../../../ports/batch.ts';
import { SourceFailed } from '../../../../ports/connector.ts';
import { binaryColumn, type BinaryColumn } from '../binary/binary-column.ts';
import { nameOf, type SourceTable } from './tables.ts';
import { tsvColumn, type TsvColumn } from '../rows/tsv-column.ts';
import { unescapeTsv } from '../rows/tsv-text.ts';
import { clickhouseColumn } from '../types/column-of.ts';
import type { PgColumn } from '../types/pg-column.ts';

/**
 * LSN of the row's commit record. Of two rows with the same key the one with the higher version is
 * current.
 */
export const versionColumn = '_pipe_version';
/** 1 if the row was deleted. */
export const deletedColumn = '_pipe_deleted';

/** How to write the rows of a mapped table with its columns of some moment, and their target. */
export interface TableShape {
  mapping: PostgresTableMapping;
  columns: readonly TsvColumn[];
  names: readonly string[];
  /** How a snapshot reads the columns in binary form. Undefined if it reads the table as text. */
  binary: readonly BinaryColumn[] | undefined;
  /** Indexes in `columns` of the target's sorting key. */
  keyPlaces: readonly number[];
  target: TargetTable;
}

export interface ShapeOptions {
  allowNullable: boolean;
  generation: string;
  /** Updates and deletes follow, so each row must be identifiable. */
  changes: boolean;
}

/** @throws SourceFailed if the table's changes cannot be replicated */
export function tableShape(
  table: SourceTable,
  columns: readonly PgColumn[],
  { allowNullable, generation, changes }: ShapeOptions,
): TableShape {
  const { mapping } = table;
  const engine = mapping.tableEngine ?? 'ReplacingMergeTree';
  const reserved = columns.find(({ name }) => name === versionColumn || name === deletedColumn);
  if (reserved) {
    throw new SourceFailed(
      `table ${nameOf(mapping)} has a column "${reserved.name}", a name that the pipe reserves. ` +
        'Add the column to excludedColumns.',
    );
  }
  const sortingKey = sortingKeyOf(table, columns, engine);
  if (changes && !table.logged) {
    throw new SourceFailed(
      `table ${nameOf(mapping)} is unlogged, so its changes cannot be replicated. ` +
        'Run ALTER TABLE … SET LOGGED, or set replicationMode to snapshot.',
    );
  }
  if (changes) {
    checkIdentity(table, sortingKey, engine);
  }
  const mapped = columns.map((column) => mappedColumn(table, column, allowNullable));
  return {
    mapping,
    columns: mapped.map(({ written }) => written),
    names: columns.map(({ name }) => name),
    binary: allOf(mapped.map(({ binary }) => binary)),
    keyPlaces: sortingKey.map((name) => columns.findIndex((column) => column.name === name)),
    target: {
      table: mapping.targetTable,
      engine,
      generation,
      sortingKey,
      ...(engine === 'ReplacingMergeTree' ? { versionColumn, deletedColumn } : {}),
      columns: [
        ...mapped.map(({ target }) => target),
        { name: versionColumn, type: 'UInt64' },
        { name: deletedColumn, type: 'UInt8' },
      ],
    },
  };
}

/** How to write a column's values, and the target's column for them. */
function mappedColumn(
  { primaryKey, missing }: SourceTable,
  source: PgColumn,
  allowNullable: boolean,
): { written: TsvColumn; binary: BinaryColumn | undefined; target: TargetColumn } {
  const notNull = source.notNull || primaryKey.includes(source.name);
  const mapping = clickhouseColumn({ ...source, notNull }, { allowNullable });
  const written = tsvColumn(mapping, source.type);
  const { column, convert, treatment } = written;
  const target: TargetColumn = { ...column };
  if (source.number > 0) {
    target.sourceId = source.number;
  }
  const initial = missing.get(source.name);
  if (initial !== undefined) {
    const asIs = treatment === 'plain' || treatment === 'escaped';
    target.initial = asIs ? initial : unescapeTsv(convert(initial));
  }
  return { written, binary: binaryColumn(mapping, source.type), target };
}

function allOf<T>(items: readonly (T | undefined)[]): readonly T[] | undefined {
  const present = items.filter((item) => item !== undefined);
  return present.length === items.length ? present : undefined;
}

function sortingKeyOf(
  table: SourceTable,
  columns: readonly PgColumn[],
  engine: TargetTable['engine'],
): string[] {
  const { mapping } = table;
  const { useCustomSortingKey, sortingKeys = [] } = mapping;
  const custom = useCustomSortingKey ?? sortingKeys.length > 0;
  const key = custom ? sortingKeys : defaultSortingKey(table, columns, engine);
  const absent = key.find((name) => !columns.some((column) => column.name === name));
  if (absent !== undefined) {
    throw new SourceFailed(
      custom
        ? `table ${nameOf(mapping)} has no column "${absent}" to sort by. Change sortingKeys.`
        : `column "${absent}" of ${nameOf(mapping)} belongs to the key. Remove it from excludedColumns.`,
    );
  }
  return [...key];
}

function defaultSortingKey(
  { primaryKey, identity, identityColumns }: SourceTable,
  columns: readonly PgColumn[],
  engine: TargetTable['engine'],
): readonly string[] {
  if (identity === 'index') {
    return identityColumns;
  }
  if (primaryKey.length > 0 || engine !== 'ReplacingMergeTree') {
    return primaryKey;
  }
  return columns.filter(({ type }) => type.name !== 'hstore').map(({ name }) => name);
}

/**
 * An update or delete must carry the old values of the sorting key, or the old row would stay in
 * the target.
 */
function checkIdentity(
  { mapping, identity, identityColumns }: SourceTable,
  sortingKey: readonly string[],
  engine: TargetTable['engine'],
): void {
  const name = nameOf(mapping);
  if (identityColumns.length === 0) {
    throw new SourceFailed(
      `table ${name} has no primary key, so updates and deletes cannot be replicated. ` +
        'Add a primary key, or run ALTER TABLE … REPLICA IDENTITY FULL.',
    );
  }
  if (engine !== 'ReplacingMergeTree' || identity === 'full') {
    return;
  }
  const unsent = sortingKey.find((column) => !identityColumns.includes(column));
  if (unsent !== undefined) {
    throw new SourceFailed(
      `sortingKeys of ${name} contains "${unsent}", but deletes do not carry that column. ` +
        'Run ALTER TABLE … REPLICA IDENTITY FULL, or remove it from sortingKeys.',
    );
  }
  const absent = identityColumns.find((column) => !sortingKey.includes(column));
  if (absent !== undefined) {
    throw new SourceFailed(
      `sortingKeys of ${name} lacks "${absent}", so different rows would count as one. ` +
        'Add every column of the key to sortingKeys.',
    );
  }
}
