import type { PostgresTableMapping } from '../../../contract/pipe/postgres.ts';
import { SourceFailed, type TargetTable } from '../../../ports/connector.ts';
import { nameOf, type SourceTable } from './tables.ts';
import { tsvColumn, type TsvColumn } from './tsv-column.ts';
import { unescapeTsv } from './tsv-text.ts';
import { clickhouseColumn } from './types/column-of.ts';
import type { PgColumn } from './types/pg-column.ts';

/** Of two rows with the same key the one with the higher version counts; it is the place of its commit in the server's log. */
export const versionColumn = '_pipe_version';
/** 1: the row was deleted. */
export const deletedColumn = '_pipe_deleted';

/** A mapped table with the columns it has at some moment: how its rows are written, and where they go. */
export interface TableShape {
  mapping: PostgresTableMapping;
  columns: readonly TsvColumn[];
  names: readonly string[];
  /** Places, in `columns`, of what the target is sorted by. */
  keyPlaces: readonly number[];
  target: TargetTable;
}

export interface ShapeOptions {
  allowNullable: boolean;
  generation: string;
  /** Rows are changed and deleted later: they must be told apart. */
  changes: boolean;
}

/** @throws SourceFailed where the table cannot be kept up to date as it is. */
export function tableShape(
  table: SourceTable,
  columns: readonly PgColumn[],
  { allowNullable, generation, changes }: ShapeOptions,
): TableShape {
  const { mapping } = table;
  const engine = mapping.tableEngine ?? 'ReplacingMergeTree';
  for (const { name } of columns) {
    if (name === versionColumn || name === deletedColumn) {
      throw new SourceFailed(
        `${nameOf(mapping)} has a column ${name}, a name that the pipe uses itself: put it into excludedColumns`,
      );
    }
  }
  const sortingKey = sortingKeyOf(table, columns, engine);
  if (changes && !table.logged) {
    throw new SourceFailed(
      `${nameOf(mapping)} is an unlogged table, whose changes nobody can follow: ALTER TABLE … SET LOGGED, or give replicationMode snapshot`,
    );
  }
  if (changes) {
    checkIdentity(table, sortingKey, engine);
  }
  const written = columns.map((column) =>
    tsvColumn(
      clickhouseColumn(
        { ...column, notNull: column.notNull || table.primaryKey.includes(column.name) },
        { allowNullable },
      ),
      column.type,
    ),
  );
  const target: TargetTable = {
    table: mapping.targetTable,
    engine,
    generation,
    sortingKey,
    ...(engine === 'ReplacingMergeTree' ? { versionColumn, deletedColumn } : {}),
    columns: [
      ...written.map(({ column, convert, treatment }, index) => {
        const { name, number } = columns[index]!;
        const initial = table.missing.get(name);
        return {
          ...column,
          ...(number > 0 ? { sourceId: number } : {}),
          ...(initial === undefined
            ? {}
            : {
                initial:
                  treatment === 'plain' || treatment === 'escaped'
                    ? initial
                    : unescapeTsv(convert(initial)),
              }),
        };
      }),
      { name: versionColumn, type: 'UInt64' },
      { name: deletedColumn, type: 'UInt8' },
    ],
  };
  return {
    mapping,
    columns: written,
    names: columns.map(({ name }) => name),
    keyPlaces: sortingKey.map((name) => columns.findIndex((column) => column.name === name)),
    target,
  };
}

function sortingKeyOf(
  { mapping, primaryKey, identity, identityColumns }: SourceTable,
  columns: readonly PgColumn[],
  engine: TargetTable['engine'],
): string[] {
  const { useCustomSortingKey, sortingKeys = [] } = mapping;
  const custom = useCustomSortingKey ?? sortingKeys.length > 0;
  const key = custom
    ? sortingKeys
    : identity === 'index'
      ? identityColumns
      : primaryKey.length > 0
        ? primaryKey
        : engine === 'ReplacingMergeTree'
          ? columns.filter(({ type }) => type.name !== 'hstore').map(({ name }) => name)
          : [];
  const absent = key.find((name) => !columns.some((column) => column.name === name));
  if (absent !== undefined) {
    throw new SourceFailed(
      custom
        ? `${nameOf(mapping)} has no column ${absent} to sort by; change sortingKeys`
        : `${nameOf(mapping)}: ${absent} belongs to the key and cannot be in excludedColumns`,
    );
  }
  return [...key];
}

/** An update or delete must carry what the target is sorted by, or the old row would stay. */
function checkIdentity(
  { mapping, identity, identityColumns }: SourceTable,
  sortingKey: readonly string[],
  engine: TargetTable['engine'],
): void {
  const name = nameOf(mapping);
  if (identityColumns.length === 0) {
    throw new SourceFailed(
      `${name} has no primary key, so that its updates and deletes could not be told: give it one, or ALTER TABLE … REPLICA IDENTITY FULL`,
    );
  }
  if (engine !== 'ReplacingMergeTree' || identity === 'full') {
    return;
  }
  const unsent = sortingKey.find((column) => !identityColumns.includes(column));
  if (unsent !== undefined) {
    throw new SourceFailed(
      `${name} is sorted by ${unsent}, which its deletes do not carry: ALTER TABLE … REPLICA IDENTITY FULL, or take it out of sortingKeys`,
    );
  }
  const left = identityColumns.find((column) => !sortingKey.includes(column));
  if (left !== undefined) {
    throw new SourceFailed(
      `${name}: sortingKeys must hold the whole key, or different rows would count as one; ${left} is missing`,
    );
  }
}
