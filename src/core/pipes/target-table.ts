import { SourceFailed, type TargetColumn, type TargetTable } from '../../ports/connector.ts';
import { TelemetryError, type Column, type Telemetry } from '../../ports/telemetry.ts';
import { identifier, join, literal, qualified, sql, type Sql } from '../../sql/sql.ts';
import { columnType } from './column-type.ts';
import { createErrorTable, deduplicationWindow } from './destination-table.ts';
import { engineReason } from './find-bad-rows.ts';
import { checkTypes } from './prepare-table.ts';

const ddl = { purpose: 'pipe', timeoutMs: 600_000 } as const;

/**
 * Makes a table that a connector asks for, where it is not there. One that is there is taken as it is, and told so in its comment.
 * @returns whether it was made just now.
 */
export async function makeTarget(
  telemetry: Telemetry,
  database: string,
  table: string,
  target: TargetTable,
  comment: string,
): Promise<boolean> {
  const {
    rows: [there],
  } = await telemetry.query(
    sql`SELECT comment, engine FROM system.tables WHERE database = ${database} AND name = ${table}`,
    ddl,
  );
  if (there === undefined) {
    await telemetry.command(sql`CREATE DATABASE IF NOT EXISTS ${identifier(database)}`, ddl);
  }
  const made =
    there === undefined
      ? telemetry.command(createTarget(database, table, target, comment), ddl)
      : String(there[0]).includes(comment)
        ? undefined
        : adopt(
            telemetry,
            database,
            table,
            [String(there[0]), comment].filter((text) => text !== '').join(' '),
            String(there[1]),
          );
  await Promise.all([made, telemetry.command(createErrorTable(database, table), ddl)]);
  return there === undefined;
}

function createTarget(database: string, table: string, target: TargetTable, comment: string): Sql {
  const columns = join(
    target.columns.map(
      (column) =>
        sql`${identifier(column.name)} ${columnType(column.type)}${columnComment(column)}`,
    ),
    ', ',
  );
  const versions = [target.versionColumn, target.deletedColumn]
    .filter((name) => name !== undefined)
    .map(identifier);
  const engine =
    target.engine === 'ReplacingMergeTree'
      ? sql`ReplacingMergeTree(${join(versions, ', ')})`
      : target.engine === 'Null'
        ? sql`Null`
        : sql`MergeTree`;
  const orderBy =
    target.sortingKey.length === 0 ? sql`tuple()` : join(target.sortingKey.map(identifier), ', ');
  const rest =
    target.engine === 'Null'
      ? sql``
      : sql`ORDER BY (${orderBy}) SETTINGS non_replicated_deduplication_window = ${deduplicationWindow}, allow_nullable_key = 1`;
  return sql`CREATE TABLE IF NOT EXISTS ${qualified(database, table)} (${columns}) ENGINE = ${engine} ${rest} COMMENT ${literal(comment)}`;
}

async function adopt(
  telemetry: Telemetry,
  database: string,
  table: string,
  comment: string,
  engine: string,
): Promise<void> {
  await telemetry.command(
    sql`ALTER TABLE ${qualified(database, table)} MODIFY COMMENT ${literal(comment)}`,
    ddl,
  );
  if (/^(?!Replicated|Shared).*MergeTree$/.test(engine)) {
    await telemetry.command(
      sql`ALTER TABLE ${qualified(database, table)} MODIFY SETTING non_replicated_deduplication_window = ${deduplicationWindow}`,
      ddl,
    );
  }
}

/** Renames, adds and retypes columns until the table has those that are wanted. Columns that are not wanted any more stay. */
export async function fitColumns(
  telemetry: Telemetry,
  database: string,
  table: string,
  wanted: readonly TargetColumn[],
): Promise<void> {
  const given = await columnsOf(telemetry, database, table);
  const written = await checkTypes(
    telemetry,
    wanted.map(({ name, type }) => ({ name, type })),
    'columns',
  );
  const changes = wanted.flatMap((column, index) =>
    columnChange({ ...column, type: written[index]!.type }, given, wanted, table),
  );
  for (const change of changes) {
    await alter(telemetry, database, table, change);
  }
  if (changes.length > 0) {
    telemetry.forgetColumns(database, table);
  }
}

async function alter(
  telemetry: Telemetry,
  database: string,
  table: string,
  change: Sql,
): Promise<void> {
  try {
    await telemetry.command(sql`ALTER TABLE ${qualified(database, table)} ${change}`, ddl);
  } catch (error) {
    if (
      !(error instanceof TelemetryError) ||
      ['unavailable', 'timeout', 'aborted', 'memory'].includes(error.kind)
    ) {
      throw error;
    }
    throw new SourceFailed(
      `the table ${table} cannot follow a change of its source's columns (${engineReason(error.message)}): resync the pipe, which makes it anew`,
      { cause: error },
    );
  }
}

function columnChange(
  column: TargetColumn,
  given: readonly GivenColumn[],
  wanted: readonly TargetColumn[],
  table: string,
): Sql[] {
  const named = given.find(({ name }) => name === column.name);
  if (named) {
    return typeChange(column, named.type, table);
  }
  const before =
    column.sourceId === undefined
      ? undefined
      : given.find(
          ({ name, comment }) =>
            comment === idText(column.sourceId) && !wanted.some((other) => other.name === name),
        );
  if (before) {
    return [
      sql`RENAME COLUMN ${identifier(before.name)} TO ${identifier(column.name)}`,
      ...typeChange(column, before.type, table),
    ];
  }
  const initial =
    column.initial === undefined ? sql`` : sql` DEFAULT CAST(${column.initial}, ${column.type})`;
  return [
    sql`ADD COLUMN IF NOT EXISTS ${identifier(column.name)} ${columnType(column.type)}${initial}${columnComment(column)}`,
  ];
}

/** Only where every value there is fits: rows of older versions are converted too, and one that could not would hold everything up. */
function typeChange({ name, type }: TargetColumn, given: string, table: string): Sql[] {
  if (type === given || nullableOf(type) === given) {
    return [];
  }
  if (!isWidening(given, type)) {
    throw new SourceFailed(
      `the column ${name} of ${table} is ${given}, and its source has become ${type}: resync the pipe, which makes the table anew`,
    );
  }
  return [
    sql`MODIFY COLUMN ${identifier(name)} ${columnType(given.includes('Nullable(') ? nullableOf(type) : type)}`,
  ];
}

const bare = (type: string): string =>
  /^(?:Nullable|LowCardinality)\((.*)\)$/s.exec(type)?.[1] ?? type;
const nullableOf = (type: string): string =>
  type.startsWith('LowCardinality(')
    ? `LowCardinality(Nullable(${bare(type)}))`
    : type.includes('Nullable(') || /^(?:Array|Map)\(/.test(type)
      ? type
      : `Nullable(${type})`;

const wider: Record<string, readonly string[]> = {
  Int16: ['Int32', 'Int64'],
  Int32: ['Int64'],
  Float32: ['Float64'],
};

/** Whether all values of one type are values of the other. */
function isWidening(from: string, to: string): boolean {
  const [was, is] = [bare(bare(from)), bare(bare(to))];
  if (
    was === is ||
    (is === 'String' && !/^(?:Array|Map)\(/.test(was)) ||
    wider[was]?.includes(is) === true
  ) {
    return true;
  }
  const [before, after] = [was, is].map((type) =>
    /^Decimal\((\d+), (\d+)\)$/.exec(type)?.slice(1).map(Number),
  );
  return (
    before !== undefined &&
    after !== undefined &&
    after[1]! >= before[1]! &&
    after[0]! - after[1]! >= before[0]! - before[1]!
  );
}

interface GivenColumn extends Column {
  comment: string;
}

async function columnsOf(
  telemetry: Telemetry,
  database: string,
  table: string,
): Promise<GivenColumn[]> {
  const { rows } = await telemetry.query(
    sql`SELECT name, type, comment FROM system.columns WHERE database = ${database} AND table = ${table} ORDER BY position`,
    ddl,
  );
  return rows.map(([name, type, comment]) => ({
    name: String(name),
    type: String(type),
    comment: String(comment),
  }));
}

const idText = (sourceId: number | undefined): string => `source column ${sourceId}`;
const columnComment = ({ sourceId }: TargetColumn): Sql =>
  sourceId === undefined ? sql`` : sql` COMMENT ${literal(idText(sourceId))}`;
