import { Fault, invalid, type Issue } from '../../../contract/errors.ts';
import { TelemetryError, type Column, type TelemetryShard } from '../../../ports/telemetry.ts';
import { identifier, join, qualified, sql, type Sql } from '../../../sql/sql.ts';
import { engineAway, isEngineAway } from '../engine-away.ts';
import { checkTypes } from './column-type-names.ts';
import { columnType } from './column-type.ts';
import {
  checkedType,
  addRecordColumns,
  errorTable,
  createTable,
  errorTableName,
  lacksRecordColumns,
  isExactlyOnce,
  keepsUnreplicatedParts,
  setExactlyOnce,
  tableIssues,
  type TableDestination,
} from './destination-table.ts';
import { hasOwner, ownTables, ownerMark, type KnownTable, type TableUser } from './table-owner.ts';
import { engineReason } from '../load/records/find-bad-rows.ts';

const ddl = { purpose: 'admin', timeoutMs: 60_000 } as const;

/**
 * Creates the table of a pipe on a shard, or checks the existing one column by column.
 * @throws Fault `bad_request`, naming what does not fit
 */
export async function prepareTable(
  shard: TelemetryShard,
  destination: TableDestination,
  user: TableUser,
): Promise<void> {
  const { database, table, columns } = destination;
  const stored = shard.stored(table);
  const names = [table, errorTableName(table)];
  shard.forgetColumns(database, stored);
  const [before, given] = await Promise.all([
    ownTables(shard, destination, names, user),
    shard.columns(database, stored),
  ]);
  if (given.length > 0) {
    // Another service may have created it between the two answers.
    const known = before.has(table) ? before : await ownTables(shard, destination, names, user);
    await checkColumns(shard, destination, given);
    await Promise.all([
      makeExactlyOnce(shard, database, stored, known.get(table)),
      prepareErrors(shard, destination, known, user),
    ]);
    return;
  }
  if (destination.managedTable === false) {
    throw invalid([
      {
        path: 'destination.table',
        message: `table "${table}" does not exist in database "${database}". Create it, or set managedTable to true`,
      },
    ]);
  }
  const mark = ownerMark(user.workspaceId);
  const created = createTable(destination, mark, stored);
  if ('issues' in created) {
    throw invalid(created.issues);
  }
  await prepareDatabase([shard], database);
  const isNew = await create(shard, created.statement, 'destination.tableDefinition').catch(
    async (error: unknown) => {
      await checkTypes(shard, columns);
      throw error;
    },
  );
  const known = isNew
    ? new Map(before).set(table, { comment: mark, engine: '', definition: '' })
    : await ownTables(shard, destination, names, user);
  await prepareErrors(shard, destination, known, user);
}

/** Creates the database on shards. @throws Fault `bad_request` if the engine refuses */
export async function prepareDatabase(
  shards: readonly TelemetryShard[],
  database: string,
): Promise<void> {
  for (const shard of shards) {
    const statement = sql`CREATE DATABASE IF NOT EXISTS ${identifier(database)}`;
    await run(shard, statement, 'destination.database');
  }
}

/** The error table has the owner of its table, or none as that has. */
async function prepareErrors(
  shard: TelemetryShard,
  destination: TableDestination,
  known: ReadonlyMap<string, KnownTable>,
  user: TableUser,
): Promise<void> {
  const { database, table } = destination;
  const errors = errorTableName(table);
  const stored = shard.stored(errors);
  shard.forgetColumns(database, stored);
  if (!known.has(errors)) {
    const mark = hasOwner(known.get(table)?.comment ?? '') ? ownerMark(user.workspaceId) : '';
    const statement = sql`CREATE TABLE ${errorTable(database, stored, mark)}`;
    const isNew = await create(shard, statement, 'destination.table');
    if (!isNew) {
      await ownTables(shard, destination, [errors], user);
    }
    return;
  }
  if (lacksRecordColumns(await shard.columns(database, stored))) {
    await run(shard, addRecordColumns(database, stored), 'destination.table');
    shard.forgetColumns(database, stored);
  }
}

/** @throws Fault `bad_request`, naming the columns that do not fit */
async function checkColumns(
  shard: TelemetryShard,
  { columns }: TableDestination,
  given: readonly Column[],
): Promise<void> {
  const path = 'destination.columns';
  const issues: Issue[] = [];
  for (const [index, { type }] of columns.entries()) {
    checkedType(type, `${path}.${index}.type`, issues);
  }
  // Types are rarely written otherwise than the engine writes them.
  if (issues.length === 0 && tableIssues(columns, given, path).length > 0) {
    issues.push(...tableIssues(await checkTypes(shard, columns), given, path));
  }
  if (issues.length > 0) {
    throw invalid(issues);
  }
}

/**
 * Makes an existing table remember insert tokens and sync its parts: otherwise a range could be
 * stored twice after a crash, or be lost in a power cut. Engines without such a setting (Null,
 * Distributed, views) do not change; there the pipe delivers at least once.
 */
async function makeExactlyOnce(
  shard: TelemetryShard,
  database: string,
  table: string,
  { engine = '', definition = '' }: Partial<KnownTable> = {},
): Promise<void> {
  // The embedded engine is told again: it makes the table's tokens durable.
  if (keepsUnreplicatedParts(engine) && (shard.embedded || !isExactlyOnce(definition))) {
    await run(shard, setExactlyOnce(database, table), 'destination.table');
  }
}

/**
 * Adds the columns that a managed table lacks on a shard.
 * @param user `mayAlterAny`: also a table that no service owns
 * @throws Fault `bad_request` if a column has another type
 */
export async function extendTable(
  shard: TelemetryShard,
  destination: TableDestination,
  user: TableUser & { mayAlterAny: boolean },
): Promise<void> {
  const { database, table, columns } = destination;
  const stored = shard.stored(table);
  const tables = await ownTables(shard, destination, [table], user);
  shard.forgetColumns(database, stored);
  const given = await shard.columns(database, stored);
  const written = await checkTypes(shard, columns);
  const known = new Set(given.map(({ name }) => name));
  const missing = written.filter(({ name }) => !known.has(name));
  const issues = tableIssues(written, given, 'destination.columns').filter(
    ({ path }) => path.endsWith('.type') || destination.managedTable === false,
  );
  if (issues.length > 0) {
    throw invalid(issues);
  }
  if (missing.length === 0) {
    return;
  }
  if (!hasOwner(tables.get(table)?.comment ?? '') && !user.mayAlterAny) {
    throw invalid([
      {
        path: 'destination.columns',
        message:
          `table "${table}" in database "${database}" was not created by a pipe of this service, ` +
          'so the pipe cannot add columns to it. Add the columns to the table first.',
      },
    ]);
  }
  await run(
    shard,
    sql`ALTER TABLE ${qualified(database, stored)} ${join(
      missing.map(
        ({ name, type }) => sql`ADD COLUMN IF NOT EXISTS ${identifier(name)} ${columnType(type)}`,
      ),
      ', ',
    )}`,
    'destination.columns',
  );
  shard.forgetColumns(database, stored);
}

/**
 * Creates a table, unless there is one of that name.
 * @returns whether it was created
 * @throws Fault `bad_request` at the path if the engine refuses
 */
function create(shard: TelemetryShard, statement: Sql, path: string): Promise<boolean> {
  return refusable(path, async () => {
    try {
      await shard.command(statement, ddl);
      return true;
    } catch (error) {
      if (error instanceof TelemetryError && error.kind === 'table_exists') {
        return false;
      }
      throw error;
    }
  });
}

/** Runs DDL of a pipe. @throws Fault `bad_request` at the path if the engine refuses */
export function run(shard: TelemetryShard, statement: Sql, path: string): Promise<void> {
  return refusable(path, () => shard.command(statement, ddl));
}

/** @throws Fault `bad_request` at the path if the engine refuses */
export async function refusable<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof TelemetryError)) {
      throw error;
    }
    if (isEngineAway(error)) {
      throw engineAway(error);
    }
    throw new Fault(
      'bad_request',
      `${path}: the engine rejected it: ${engineReason(error.message)}`,
      { cause: error, issues: [{ path, message: engineReason(error.message) }] },
    );
  }
}
