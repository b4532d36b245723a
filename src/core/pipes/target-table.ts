import type { TargetColumn, TargetTable } from '../../ports/connector.ts';
import type { Column, Telemetry } from '../../ports/telemetry.ts';
import { identifier, join, literal, qualified, sql, type Sql } from '../../sql/sql.ts';
import { columnType } from './column-type.ts';
import { createErrorTable, deduplicationWindow } from './destination-table.ts';
import { checkTypes } from './prepare-table.ts';

const ddl = { purpose: 'pipe', timeoutMs: 600_000 } as const;

/** Makes a table that a connector asks for, where it is not there. One that is there is taken as it is, and told so in its comment. */
export async function makeTarget(telemetry: Telemetry, database: string, table: string, target: TargetTable, comment: string): Promise<void> {
  const { rows: [there] } = await telemetry.query(sql`SELECT comment, engine FROM system.tables WHERE database = ${database} AND name = ${table}`, ddl);
  if (there === undefined) {
    await telemetry.command(sql`CREATE DATABASE IF NOT EXISTS ${identifier(database)}`, ddl);
    await telemetry.command(createTarget(database, table, target, comment), ddl);
  } else if (!String(there[0]).includes(comment)) await adopt(telemetry, database, table, [String(there[0]), comment].filter((text) => text !== '').join(' '), String(there[1]));
  await telemetry.command(createErrorTable(database, table), ddl);
}

function createTarget(database: string, table: string, target: TargetTable, comment: string): Sql {
  const columns = join(target.columns.map((column) => sql`${identifier(column.name)} ${columnType(column.type)}${columnComment(column)}`), ', ');
  const versions = [target.versionColumn, target.deletedColumn].filter((name) => name !== undefined).map(identifier);
  const engine = target.engine === 'ReplacingMergeTree' ? sql`ReplacingMergeTree(${join(versions, ', ')})` : target.engine === 'Null' ? sql`Null` : sql`MergeTree`;
  const orderBy = target.sortingKey.length === 0 ? sql`tuple()` : join(target.sortingKey.map(identifier), ', ');
  const rest = target.engine === 'Null' ? sql`` : sql`ORDER BY (${orderBy}) SETTINGS non_replicated_deduplication_window = ${deduplicationWindow}, allow_nullable_key = 1`;
  return sql`CREATE TABLE IF NOT EXISTS ${qualified(database, table)} (${columns}) ENGINE = ${engine} ${rest} COMMENT ${literal(comment)}`;
}

async function adopt(telemetry: Telemetry, database: string, table: string, comment: string, engine: string): Promise<void> {
  await telemetry.command(sql`ALTER TABLE ${qualified(database, table)} MODIFY COMMENT ${literal(comment)}`, ddl);
  if (/^(?!Replicated|Shared).*MergeTree$/.test(engine)) await telemetry.command(sql`ALTER TABLE ${qualified(database, table)} MODIFY SETTING non_replicated_deduplication_window = ${deduplicationWindow}`, ddl);
}

/** Renames, adds and retypes columns until the table has those that are wanted. Columns that are not wanted any more stay. */
export async function fitColumns(telemetry: Telemetry, database: string, table: string, wanted: readonly TargetColumn[]): Promise<void> {
  const given = await columnsOf(telemetry, database, table);
  const written = await checkTypes(telemetry, wanted.map(({ name, type }) => ({ name, type })), 'columns');
  const changes = wanted.flatMap((column, index) => columnChange({ ...column, type: written[index]!.type }, given, wanted));
  for (const change of changes) await telemetry.command(sql`ALTER TABLE ${qualified(database, table)} ${change}`, ddl);
  if (changes.length > 0) telemetry.forgetColumns(database, table);
}

function columnChange(column: TargetColumn, given: readonly GivenColumn[], wanted: readonly TargetColumn[]): Sql[] {
  const named = given.find(({ name }) => name === column.name);
  if (named) return named.type === column.type ? [] : [sql`MODIFY COLUMN ${identifier(column.name)} ${columnType(column.type)}`];
  const before = column.sourceId === undefined ? undefined : given.find(({ name, comment }) => comment === idText(column.sourceId) && !wanted.some((other) => other.name === name));
  if (before) return [sql`RENAME COLUMN ${identifier(before.name)} TO ${identifier(column.name)}`, ...(before.type === column.type ? [] : [sql`MODIFY COLUMN ${identifier(column.name)} ${columnType(column.type)}`])];
  const initial = column.initial === undefined ? sql`` : sql` DEFAULT CAST(${column.initial}, ${column.type})`;
  return [sql`ADD COLUMN IF NOT EXISTS ${identifier(column.name)} ${columnType(column.type)}${initial}${columnComment(column)}`];
}

interface GivenColumn extends Column { comment: string }

async function columnsOf(telemetry: Telemetry, database: string, table: string): Promise<GivenColumn[]> {
  const { rows } = await telemetry.query(sql`SELECT name, type, comment FROM system.columns WHERE database = ${database} AND table = ${table} ORDER BY position`, ddl);
  return rows.map(([name, type, comment]) => ({ name: String(name), type: String(type), comment: String(comment) }));
}

const idText = (sourceId: number | undefined): string => `source column ${sourceId}`;
const columnComment = ({ sourceId }: TargetColumn): Sql => (sourceId === undefined ? sql`` : sql` COMMENT ${literal(idText(sourceId))}`);
