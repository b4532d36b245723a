import type { Issue } from '../../../contract/errors.ts';
import type {
  PipeColumn,
  PipeDestination,
  PipeTableDefinition,
} from '../../../contract/pipe/destination.ts';
import type { Column } from '../../../ports/telemetry.ts';
import { identifier, join, literal, qualified, sql, type Sql } from '../../../sql/sql.ts';
import { compileOperand, emitExpression, ExpressionError, fieldsOf } from '../../query/index.ts';
import { ColumnTypeError, recordColumnType } from './column-type.ts';

/** A destination with one table: what every kind has that does not name its tables itself. */
export type TableDestination = PipeDestination & { table: string; columns: PipeColumn[] };

/**
 * Number of inserts whose tokens a table remembers. After a crash of its reader a range is inserted
 * once more, while other readers insert far fewer ranges than this.
 */
const deduplicationWindow = 10_000;

/**
 * The rows of an insert, a move or a merge are on the disk before it is answered, so that a power cut
 * never leaves a recorded position without its rows.
 */
export const syncedSettings = sql`fsync_after_insert = 1, fsync_part_directory = 1,
  min_rows_to_fsync_after_merge = 1`;

const exactlyOnceSettings = sql`non_replicated_deduplication_window = ${deduplicationWindow},
  ${syncedSettings}`;

export const managedTableSettings = sql`SETTINGS ${exactlyOnceSettings}, allow_nullable_key = 1`;

/**
 * The statement that creates the table with this comment, or the issues of its definition.
 * @param name under which the table is stored
 */
export function createTable(
  destination: TableDestination,
  comment: string,
  name = destination.table,
): { statement: Sql } | { issues: Issue[] } {
  const issues: Issue[] = [];
  const columns = columnList(destination.columns, issues);
  const { engine, sortingKey = [], partitionBy, primaryKey } = destination.tableDefinition ?? {};
  const definitionPath = 'destination.tableDefinition';
  const expression = (text: string, path: string): Sql =>
    checked(text, path, destination.columns, issues);
  const orderBy = sortingKey.map((text, index) =>
    expression(text, `${definitionPath}.sortingKey.${index}`),
  );
  const partition =
    partitionBy === undefined
      ? undefined
      : expression(partitionBy, `${definitionPath}.partitionBy`);
  const primary =
    primaryKey === undefined ? undefined : expression(primaryKey, `${definitionPath}.primaryKey`);
  if (issues.length > 0) {
    return { issues };
  }
  const clauses = [
    sql`CREATE TABLE ${qualified(destination.database, name)} (${columns})
      ENGINE = ${engineOf(engine)}`,
  ];
  if (engine?.type !== 'Null') {
    clauses.push(
      ...(partition ? [sql`PARTITION BY ${partition}`] : []),
      ...(primary ? [sql`PRIMARY KEY ${primary}`] : []),
      sql`ORDER BY (${orderBy.length === 0 ? sql`tuple()` : join(orderBy, ', ')})`,
      managedTableSettings,
    );
  }
  return { statement: join([...clauses, sql`COMMENT ${literal(comment)}`], ' ') };
}

/** Whether tables of this engine need a setting to remember insert tokens. */
export function keepsUnreplicatedParts(engine: string): boolean {
  return /^(?!Replicated|Shared).*MergeTree$/.test(engine);
}

/** Makes a table that somebody else created remember insert tokens and sync its parts. */
export function setExactlyOnce(database: string, table: string): Sql {
  return sql`ALTER TABLE ${qualified(database, table)} MODIFY SETTING ${exactlyOnceSettings}`;
}

/** Whether a table's definition has everything that `setExactlyOnce` sets. */
export function isExactlyOnce(definition: string): boolean {
  return [
    /non_replicated_deduplication_window = [1-9]/,
    /fsync_after_insert = (?:1|true)/,
    /fsync_part_directory = (?:1|true)/,
    /min_rows_to_fsync_after_merge = [1-9]/,
  ].every((setting) => setting.test(definition));
}

function columnList(columns: readonly PipeColumn[], issues: Issue[]): Sql {
  return join(
    columns.map(
      ({ name, type }, index) =>
        sql`${identifier(name)} ${checkedType(type, `destination.columns.${index}.type`, issues)}`,
    ),
    ', ',
  );
}

export function checkedType(type: string, path: string, issues: Issue[]): Sql {
  try {
    return recordColumnType(type);
  } catch (error) {
    if (!(error instanceof ColumnTypeError)) {
      throw error;
    }
    issues.push({ path, message: error.message });
    return sql``;
  }
}

function checked(text: string, path: string, columns: readonly Column[], issues: Issue[]): Sql {
  const fields = fieldsOf(columns);
  if (columns.some(({ name }) => name === text)) {
    return identifier(text);
  }
  try {
    return emitExpression(compileOperand(text, fields).expression);
  } catch (error) {
    if (!(error instanceof ExpressionError)) {
      throw error;
    }
    issues.push({ path, message: error.publicText });
    return sql``;
  }
}

function engineOf(engine: PipeTableDefinition['engine']): Sql {
  if (engine?.versionColumnId !== undefined) {
    return sql`ReplacingMergeTree(${identifier(engine.versionColumnId)})`;
  }
  if (engine?.columnIds !== undefined && engine.columnIds.length > 0) {
    return sql`SummingMergeTree((${join(engine.columnIds.map(identifier), ', ')}))`;
  }
  switch (engine?.type) {
    case 'ReplacingMergeTree':
      return sql`ReplacingMergeTree`;
    case 'SummingMergeTree':
      return sql`SummingMergeTree`;
    case 'Null':
      return sql`Null`;
    default:
      return sql`MergeTree`;
  }
}

/**
 * What an existing table lacks, or has with another type. Types are compared in the engine's own
 * notation.
 */
export function tableIssues(
  wanted: readonly PipeColumn[],
  given: readonly Column[],
  path: string,
): Issue[] {
  const types = new Map(given.map(({ name, type }) => [name, type]));
  return wanted.flatMap(({ name, type }, index) => {
    const has = types.get(name);
    if (has === undefined) {
      return [{ path: `${path}.${index}.name`, message: `the table has no column ${name}` }];
    }
    return has === type || plain(has) === plain(type)
      ? []
      : [
          {
            path: `${path}.${index}.type`,
            message: `is ${type}, but the column in the table is ${has}`,
          },
        ];
  });
}

const plain = (type: string): string => type.replaceAll(/\s+/g, '').toLowerCase();

/** Name of the table that takes records which cannot be stored. */
export function errorTableName(table: string): string {
  return `${table}_pipe_errors`;
}

/** Columns of an item that was refused as a whole. */
export const errorColumns = [
  'pipe_id',
  'time',
  'partition',
  'position',
  'record_time',
  'reason',
  'raw',
] as const;

/** `range`: the key of the range; `origin`: what else a replay needs of the record (JSON). */
const recordColumns = ['range', 'origin'] as const;

/** Columns of a record that was refused. */
export const errorRecordColumns = [...errorColumns, ...recordColumns] as const;

/**
 * Definition of an error table: what follows `CREATE TABLE`.
 * @param name under which the table is stored
 */
export function errorTable(database: string, name: string, comment: string): Sql {
  return sql`${qualified(database, name)} (
    pipe_id String, time DateTime64(3, 'UTC'), partition String, position String,
    record_time Nullable(DateTime64(3, 'UTC')), reason String, raw String,
    range String, origin String
  ) ENGINE = MergeTree ORDER BY (pipe_id, time) TTL toDateTime(time) + INTERVAL 7 DAY
  SETTINGS ${exactlyOnceSettings} COMMENT ${literal(comment)}`;
}

/** Gives the error table of an older version the columns that it lacks. */
export function addRecordColumns(database: string, name: string): Sql {
  const added = recordColumns.map(
    (column) => sql`ADD COLUMN IF NOT EXISTS ${identifier(column)} String`,
  );
  return sql`ALTER TABLE ${qualified(database, name)} ${join(added, ', ')}`;
}

/** Whether the error table is of an older version. */
export const lacksRecordColumns = (columns: readonly Column[]): boolean =>
  recordColumns.some((column) => columns.every(({ name }) => name !== column));
