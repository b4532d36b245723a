import { Fault, invalid, type Issue } from '../../../contract/errors.ts';
import type { PipeColumn, PipeDestination } from '../../../contract/pipe/destination.ts';
import {
  TelemetryError,
  type Column,
  type Telemetry,
  type TelemetryShard,
} from '../../../ports/telemetry.ts';
import { identifier, join, qualified, sql, type Sql } from '../../../sql/sql.ts';
import { engineAway, isEngineAway } from '../engine-away.ts';
import { columnType } from './column-type.ts';
import {
  checkedType,
  addRecordColumns,
  createErrorTable,
  createTable,
  errorTableName,
  lacksRecordColumns,
  isExactlyOnce,
  keepsUnreplicatedParts,
  setExactlyOnce,
  tableIssues,
  type TableDestination,
} from './destination-table.ts';
import { hasOwner, ownComments, ownerMark, type TableUser } from './table-owner.ts';
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
  const comments = await ownComments(shard, destination, names, user);
  shard.forgetColumns(database, stored);
  const given = await shard.columns(database, stored);
  if (given.length > 0) {
    await adopt(shard, destination, given);
    return prepareErrors(shard, destination, comments.get(table) ?? '', user);
  }
  if (destination.managedTable === false) {
    throw invalid([
      {
        path: 'destination.table',
        message: `table "${table}" does not exist in database "${database}". Create it, or set managedTable to true`,
      },
    ]);
  }
  const created = createTable(destination, ownerMark(user.workspaceId), stored);
  if ('issues' in created) {
    throw invalid(created.issues);
  }
  await checkTypes(shard, columns);
  await prepareDatabase([shard], database);
  await run(shard, created.statement, 'destination.tableDefinition');
  // Another service may have created it at the same time.
  const made = await ownComments(shard, destination, [table], user);
  await prepareErrors(shard, destination, made.get(table) ?? '', user);
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
  comment: string,
  user: TableUser,
): Promise<void> {
  const { database, table } = destination;
  const mark = hasOwner(comment) ? ownerMark(user.workspaceId) : '';
  const errors = errorTableName(table);
  await run(shard, createErrorTable(database, shard.stored(errors), mark), 'destination.table');
  await ownComments(shard, destination, [errors], user);
  const stored = shard.stored(errors);
  shard.forgetColumns(database, stored);
  if (lacksRecordColumns(await shard.columns(database, stored))) {
    await run(shard, addRecordColumns(database, stored), 'destination.table');
    shard.forgetColumns(database, stored);
  }
}

async function adopt(
  shard: TelemetryShard,
  { database, table, columns }: TableDestination,
  given: readonly Column[],
): Promise<void> {
  const issues: Issue[] = [];
  for (const [index, { type }] of columns.entries()) {
    checkedType(type, `destination.columns.${index}.type`, issues);
  }
  const written = issues.length > 0 ? [] : await checkTypes(shard, columns);
  const mistakes = issues.length > 0 ? issues : tableIssues(written, given, 'destination.columns');
  if (mistakes.length > 0) {
    throw invalid(mistakes);
  }
  await makeExactlyOnce(shard, database, shard.stored(table));
}

/**
 * The columns with their types in the engine's notation.
 * @throws Fault `bad_request`, naming the columns whose types the engine does not know
 */
export async function checkTypes(
  telemetry: Pick<Telemetry, 'query'>,
  columns: readonly PipeColumn[],
  path = 'destination.columns',
): Promise<PipeColumn[]> {
  const { written, issues } = await typesAsWritten(telemetry, columns, path);
  if (issues.length > 0) {
    throw invalid(issues);
  }
  return written;
}

/** All issues of the definition of a table, without a look at an existing one. */
export async function definitionIssues(
  telemetry: Pick<Telemetry, 'query'>,
  destination: PipeDestination,
): Promise<Issue[]> {
  const { table, columns } = destination;
  if (table === undefined || columns === undefined) {
    return [];
  }
  const created = createTable({ ...destination, table, columns }, '');
  const issues = 'issues' in created ? created.issues : [];
  const isKnown = (path: string): boolean => issues.some((issue) => issue.path === path);
  const { issues: typeIssues } = await typesAsWritten(telemetry, columns, 'destination.columns');
  return [...issues, ...typeIssues.filter(({ path }) => !isKnown(path))];
}

/**
 * `written`: the columns with their types in the engine's notation; empty text for a type that
 * `issues` names as unknown.
 */
async function typesAsWritten(
  telemetry: Pick<Telemetry, 'query'>,
  columns: readonly PipeColumn[],
  path: string,
): Promise<{ written: PipeColumn[]; issues: Issue[] }> {
  const issues: Issue[] = [];
  const checkedColumns = columns.map(({ name, type }, index) => {
    const typePath = `${path}.${index}.type`;
    return { name, path: typePath, type: checkedType(type, typePath, issues) };
  });
  const distinct = new Map(
    checkedColumns.flatMap(({ type }) => (type.text === '' ? [] : [[type.text, type] as const])),
  );
  const together = await typesTogether(telemetry, [...distinct.values()]);
  const answers = new Map(
    [...distinct].map(([text, type], index) => {
      const known = together?.[index];
      return [text, known === undefined ? typeAsWritten(telemetry, type) : { type: known }];
    }),
  );
  const written = await Promise.all(
    checkedColumns.map(async ({ name, path: typePath, type }) => {
      const answer = await answers.get(type.text);
      if (answer && 'refusal' in answer) {
        const message = `is not a type that the engine supports: ${answer.refusal}`;
        issues.push({ path: typePath, message });
      }
      return { name, type: answer && 'type' in answer ? answer.type : '' };
    }),
  );
  return { written, issues };
}

/** Asks for all types in one query. Undefined: the engine does not know all of them. */
async function typesTogether(
  telemetry: Pick<Telemetry, 'query'>,
  types: readonly Sql[],
): Promise<string[] | undefined> {
  if (types.length < 2) {
    return undefined;
  }
  try {
    const { rows } = await telemetry.query(
      sql`SELECT ${join(
        types.map(({ text }) => sql`toTypeName(defaultValueOfTypeName(${text}))`),
        ', ',
      )}`,
      { purpose: 'admin', timeoutMs: 30_000 },
    );
    return rows[0]?.map(String);
  } catch (error) {
    if (!(error instanceof TelemetryError) || isEngineAway(error)) {
      throw error;
    }
    return undefined;
  }
}

async function typeAsWritten(
  telemetry: Pick<Telemetry, 'query'>,
  type: Sql,
): Promise<{ type: string } | { refusal: string }> {
  try {
    const { rows } = await telemetry.query(
      sql`SELECT toTypeName(defaultValueOfTypeName(${type.text}))`,
      { purpose: 'admin', timeoutMs: 30_000 },
    );
    return { type: String(rows[0]?.[0]) };
  } catch (error) {
    if (!(error instanceof TelemetryError) || isEngineAway(error)) {
      throw error;
    }
    return { refusal: engineReason(error.message) };
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
): Promise<void> {
  const { rows } = await shard.query(
    sql`SELECT engine, engine_full FROM system.tables
      WHERE database = ${database} AND name = ${table}`,
    ddl,
  );
  const [engine = '', definition = ''] = (rows[0] ?? []).map(String);
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
  const comments = await ownComments(shard, destination, [table], user);
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
  if (!hasOwner(comments.get(table) ?? '') && !user.mayAlterAny) {
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
