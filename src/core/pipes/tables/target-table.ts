import type { TargetColumn, TargetTable } from '../../../ports/batch.ts';
import { SourceFailed } from '../../../ports/connector.ts';
import { TelemetryError, type Column, type TelemetryShard } from '../../../ports/telemetry.ts';
import { identifier, join, literal, qualified, sql, type Sql } from '../../../sql/sql.ts';
import { columnType } from './column-type.ts';
import {
  addRecordColumns,
  errorTable,
  errorTableName,
  lacksRecordColumns,
  keepsUnreplicatedParts,
  managedTableSettings,
  setExactlyOnce,
} from './destination-table.ts';
import { engineReason } from '../load/records/find-bad-rows.ts';
import { checkTypes } from './column-type-names.ts';
import {
  foreignTable,
  isForeign,
  ownerMark,
  tableComments,
  type TableUser,
} from './table-owner.ts';

const timeoutMs = 600_000;
const admin = { purpose: 'admin', timeoutMs } as const;
const ddl = (database: string) => ({ purpose: 'pipe', tenant: database, timeoutMs }) as const;

/**
 * Creates a table that a connector needs on a shard. An existing table is adopted, and its comment says so.
 * @throws SourceFailed if it belongs to another workspace
 * @returns whether the table was created now
 */
export async function makeTarget(
  shard: TelemetryShard,
  database: string,
  table: string,
  target: TargetTable,
  comment: string,
  user: TableUser,
): Promise<boolean> {
  const stored = shard.stored(table);
  const { rows } = await shard.query(
    sql`SELECT comment, engine FROM system.tables
      WHERE database = ${database} AND name = ${stored}`,
    admin,
  );
  const [existing] = rows;
  if (existing === undefined) {
    await shard.command(sql`CREATE DATABASE IF NOT EXISTS ${identifier(database)}`, admin);
  }
  const mark = ownerMark(user.workspaceId);
  const refuseForeign = async (name: string): Promise<void> => {
    const found = (await tableComments([shard], database, [name])).get(name) ?? '';
    if (!user.keepsTables && isForeign(found, user.workspaceId)) {
      throw new SourceFailed(foreignTable(database, name));
    }
  };
  const createErrors = async (): Promise<void> => {
    const errors = errorTableName(table);
    const definition = errorTable(database, shard.stored(errors), mark);
    await shard.command(sql`CREATE TABLE IF NOT EXISTS ${definition}`, ddl(database));
    await refuseForeign(errors);
    const storedErrors = shard.stored(errors);
    shard.forgetColumns(database, storedErrors);
    if (lacksRecordColumns(await shard.columns(database, storedErrors))) {
      await shard.command(addRecordColumns(database, storedErrors), ddl(database));
      shard.forgetColumns(database, storedErrors);
    }
  };
  if (existing === undefined) {
    const create = createTarget(database, stored, target, `${mark} ${comment}`);
    await shard.command(create, ddl(database));
    await refuseForeign(table);
    await createErrors();
    return true;
  }
  await refuseForeign(table);
  await createErrors();
  const [ownComment = '', engine = ''] = existing.map(String);
  const missing = [mark, comment].filter((text) => !ownComment.includes(text));
  if (missing.length > 0) {
    const joined = [ownComment, ...missing].filter((text) => text !== '').join(' ');
    await adopt(shard, database, stored, joined, engine);
    await refuseForeign(table);
  }
  return false;
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
  const engines: Record<TargetTable['engine'], Sql> = {
    MergeTree: sql`MergeTree`,
    ReplacingMergeTree: sql`ReplacingMergeTree(${join(versions, ', ')})`,
    Null: sql`Null`,
  };
  const sortingKey = target.sortingKey.map(identifier);
  const orderBy = sortingKey.length === 0 ? sql`tuple()` : join(sortingKey, ', ');
  const storage =
    target.engine === 'Null' ? sql`` : sql`ORDER BY (${orderBy}) ${managedTableSettings}`;
  return sql`CREATE TABLE IF NOT EXISTS ${qualified(database, table)} (${columns})
    ENGINE = ${engines[target.engine]} ${storage} COMMENT ${literal(comment)}`;
}

async function adopt(
  shard: TelemetryShard,
  database: string,
  table: string,
  comment: string,
  engine: string,
): Promise<void> {
  await shard.command(
    sql`ALTER TABLE ${qualified(database, table)} MODIFY COMMENT ${literal(comment)}`,
    ddl(database),
  );
  if (keepsUnreplicatedParts(engine)) {
    await shard.command(setExactlyOnce(database, table), ddl(database));
  }
}

/**
 * Renames, adds and changes columns on a shard until the table has the wanted ones. Columns that are no longer
 * wanted stay.
 */
export async function fitColumns(
  shard: TelemetryShard,
  database: string,
  table: string,
  wanted: readonly TargetColumn[],
): Promise<void> {
  const stored = shard.stored(table);
  const given = await columnsOf(shard, database, stored);
  const written = await checkTypes(
    shard,
    wanted.map(({ name, type }) => ({ name, type })),
    'columns',
  );
  const changes = wanted.flatMap((column, index) => {
    const type = written[index]?.type ?? column.type;
    return columnChange({ ...column, type }, given, wanted, table);
  });
  for (const change of changes) {
    await alter(shard, database, table, change);
  }
  if (changes.length > 0) {
    shard.forgetColumns(database, stored);
  }
}

async function alter(
  shard: TelemetryShard,
  database: string,
  table: string,
  change: Sql,
): Promise<void> {
  try {
    await shard.command(
      sql`ALTER TABLE ${qualified(database, shard.stored(table))} ${change}`,
      ddl(database),
    );
  } catch (error) {
    if (
      !(error instanceof TelemetryError) ||
      ['unavailable', 'timeout', 'aborted', 'memory'].includes(error.kind)
    ) {
      throw error;
    }
    throw new SourceFailed(
      `cannot apply the changed columns of the source to table "${table}" ` +
        `(${engineReason(error.message)}). Resync the pipe to create the table again.`,
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
  const renamed = given.find(
    ({ name, comment }) =>
      column.sourceId !== undefined &&
      comment === idText(column.sourceId) &&
      !wanted.some((other) => other.name === name),
  );
  if (renamed) {
    return [
      sql`RENAME COLUMN ${identifier(renamed.name)} TO ${identifier(column.name)}`,
      ...typeChange(column, renamed.type, table),
    ];
  }
  const initial =
    column.initial === undefined ? sql`` : sql` DEFAULT CAST(${column.initial}, ${column.type})`;
  const definition = sql`${columnType(column.type)}${initial}${columnComment(column)}`;
  return [sql`ADD COLUMN IF NOT EXISTS ${identifier(column.name)} ${definition}`];
}

/**
 * Changes a type only if every existing value fits: the engine converts older rows too, and one that
 * cannot be converted would block the table.
 */
function typeChange({ name, type }: TargetColumn, given: string, table: string): Sql[] {
  if (type === given || nullableOf(type) === given) {
    return [];
  }
  if (!isWidening(given, type)) {
    throw new SourceFailed(
      `column "${name}" of table "${table}" is ${given}, but the column of the source is now ${type}. ` +
        'Resync the pipe to create the table again.',
    );
  }
  const changed = given.includes('Nullable(') ? nullableOf(type) : type;
  return [sql`MODIFY COLUMN ${identifier(name)} ${columnType(changed)}`];
}

const bare = (type: string): string =>
  /^(?:Nullable|LowCardinality)\((.*)\)$/s.exec(type)?.[1] ?? type;

function nullableOf(type: string): string {
  if (type.startsWith('LowCardinality(')) {
    return `LowCardinality(Nullable(${bare(type)}))`;
  }
  const takesNoNull = type.includes('Nullable(') || /^(?:Array|Map)\(/.test(type);
  return takesNoNull ? type : `Nullable(${type})`;
}

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
  const [before, after] = [decimalDigits(was), decimalDigits(is)];
  return (
    before !== undefined &&
    after !== undefined &&
    after.fraction >= before.fraction &&
    after.integer >= before.integer
  );
}

/** Digits before and after the point of a decimal type. */
function decimalDigits(type: string): { integer: number; fraction: number } | undefined {
  const match = /^Decimal\((\d+), (\d+)\)$/.exec(type);
  const [precision, scale] = [Number(match?.[1]), Number(match?.[2])];
  return match ? { integer: precision - scale, fraction: scale } : undefined;
}

interface GivenColumn extends Column {
  comment: string;
}

async function columnsOf(
  shard: TelemetryShard,
  database: string,
  table: string,
): Promise<GivenColumn[]> {
  const { rows } = await shard.query(
    sql`SELECT name, type, comment FROM system.columns
      WHERE database = ${database} AND table = ${table} ORDER BY position`,
    ddl(database),
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
