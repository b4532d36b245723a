import { Fault, invalid, type Issue } from '../../contract/errors.ts';
import type { PipeColumn, PipeDestination } from '../../contract/pipe/destination.ts';
import { TelemetryError, type Column, type Telemetry } from '../../ports/telemetry.ts';
import { identifier, join, qualified, sql, type Sql } from '../../sql/sql.ts';
import { columnType } from './column-type.ts';
import {
  checkedType,
  createErrorTable,
  createTable,
  deduplicationWindow,
  tableIssues,
  type TableDestination,
} from './destination-table.ts';
import { engineReason } from './find-bad-rows.ts';

const ddl = { purpose: 'admin', timeoutMs: 60_000 } as const;

/**
 * Makes the table of a pipe, or checks the one that is there, column by column.
 * @throws Fault bad_request naming what does not fit.
 */
export async function prepareTable(
  telemetry: Telemetry,
  destination: TableDestination,
): Promise<void> {
  const { database, table, columns } = destination;
  telemetry.forgetColumns(database, table);
  const given = await telemetry.columns(database, table);
  if (given.length > 0) {
    return adopt(telemetry, destination, given);
  }
  if (destination.managedTable === false) {
    throw invalid([
      {
        path: 'destination.table',
        message: `there is no table ${table} in ${database}; make it, or set managedTable to true`,
      },
    ]);
  }
  const made = createTable(destination);
  if ('issues' in made) {
    throw invalid(made.issues);
  }
  await checkTypes(telemetry, columns);
  await run(
    telemetry,
    sql`CREATE DATABASE IF NOT EXISTS ${identifier(database)}`,
    'destination.database',
  );
  await run(telemetry, made.statement, 'destination.tableDefinition');
  await run(telemetry, createErrorTable(database, table), 'destination.table');
}

async function adopt(
  telemetry: Telemetry,
  { database, table, columns }: TableDestination,
  given: readonly Column[],
): Promise<void> {
  const issues: Issue[] = [];
  for (const [index, { type }] of columns.entries()) {
    checkedType(type, `destination.columns.${index}.type`, issues);
  }
  const written = issues.length > 0 ? [] : await checkTypes(telemetry, columns);
  const mistakes = issues.length > 0 ? issues : tableIssues(written, given, 'destination.columns');
  if (mistakes.length > 0) {
    throw invalid(mistakes);
  }
  await run(telemetry, createErrorTable(database, table), 'destination.table');
  await rememberTokens(telemetry, database, table);
}

/** Types as the engine writes them. @throws Fault bad_request naming the columns whose types it does not know. */
export async function checkTypes(
  telemetry: Telemetry,
  columns: readonly PipeColumn[],
  path = 'destination.columns',
): Promise<PipeColumn[]> {
  const { written, issues } = await typesAsWritten(telemetry, columns, path);
  if (issues.length > 0) {
    throw invalid(issues);
  }
  return written;
}

/** Everything that can be said against the definition of a table without looking at the one that may be there. */
export async function definitionIssues(
  telemetry: Telemetry,
  destination: PipeDestination,
): Promise<Issue[]> {
  const { table, columns } = destination;
  if (table === undefined || columns === undefined) {
    return [];
  }
  const made = createTable({ ...destination, table, columns });
  const issues = 'issues' in made ? made.issues : [];
  const isKnown = (path: string): boolean => issues.some((issue) => issue.path === path);
  const found = await typesAsWritten(telemetry, columns, 'destination.columns');
  return [...issues, ...found.issues.filter(({ path }) => !isKnown(path))];
}

/** `written`: the columns with the types as the engine writes them, empty where `issues` names one that it does not know. */
async function typesAsWritten(
  telemetry: Telemetry,
  columns: readonly PipeColumn[],
  path: string,
): Promise<{ written: PipeColumn[]; issues: Issue[] }> {
  const issues: Issue[] = [];
  const types = columns.map(({ type }, index) =>
    checkedType(type, `${path}.${index}.type`, issues),
  );
  const different = [
    ...new Map(types.filter(({ text }) => text !== '').map((type) => [type.text, type])).values(),
  ];
  const together = await typesTogether(telemetry, different);
  const asked = new Map(
    different.map((type, index) => [
      type.text,
      together ? { type: together[index]! } : typeAsWritten(telemetry, type),
    ]),
  );
  const written = await Promise.all(
    types.map(async (type, index) => {
      const answer = await asked.get(type.text);
      if (answer && 'refusal' in answer) {
        issues.push({
          path: `${path}.${index}.type`,
          message: `is not a type the engine knows: ${answer.refusal}`,
        });
      }
      return { name: columns[index]!.name, type: answer && 'type' in answer ? answer.type : '' };
    }),
  );
  return { written, issues };
}

/** In one question; undefined: the engine does not know all of them. */
async function typesTogether(
  telemetry: Telemetry,
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
    if (
      !(error instanceof TelemetryError) ||
      error.kind === 'unavailable' ||
      error.kind === 'timeout'
    ) {
      throw error;
    }
    return undefined;
  }
}

async function typeAsWritten(
  telemetry: Telemetry,
  type: Sql,
): Promise<{ type: string } | { refusal: string }> {
  try {
    const { rows } = await telemetry.query(
      sql`SELECT toTypeName(defaultValueOfTypeName(${type.text}))`,
      { purpose: 'admin', timeoutMs: 30_000 },
    );
    return { type: String(rows[0]?.[0]) };
  } catch (error) {
    if (
      !(error instanceof TelemetryError) ||
      error.kind === 'unavailable' ||
      error.kind === 'timeout'
    ) {
      throw error;
    }
    return { refusal: engineReason(error.message) };
  }
}

/**
 * An existing table that keeps no insert tokens is told to: without them a range whose reader died could be stored twice. Engines
 * that know no such setting (Null, Distributed, views) stay as they are, and there the pipe delivers at least once.
 */
async function rememberTokens(
  telemetry: Telemetry,
  database: string,
  table: string,
): Promise<void> {
  const { rows } = await telemetry.query(
    sql`SELECT engine, engine_full FROM system.tables WHERE database = ${database} AND name = ${table}`,
    ddl,
  );
  const [engine, full] = (rows[0] ?? ['', '']).map(String) as [string, string];
  if (
    !/^(?!Replicated|Shared).*MergeTree$/.test(engine) ||
    /non_replicated_deduplication_window = [1-9]/.test(full)
  ) {
    return;
  }
  await run(
    telemetry,
    sql`ALTER TABLE ${qualified(database, table)} MODIFY SETTING non_replicated_deduplication_window = ${deduplicationWindow}`,
    'destination.table',
  );
}

/** Adds the columns that a managed table lacks. @throws Fault bad_request where a column has another type. */
export async function extendTable(
  telemetry: Telemetry,
  destination: TableDestination,
): Promise<void> {
  const { database, table, columns } = destination;
  telemetry.forgetColumns(database, table);
  const given = await telemetry.columns(database, table);
  const written = await checkTypes(telemetry, columns);
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
  await run(
    telemetry,
    sql`ALTER TABLE ${qualified(database, table)} ${join(
      missing.map(
        ({ name, type }) => sql`ADD COLUMN IF NOT EXISTS ${identifier(name)} ${columnType(type)}`,
      ),
      ', ',
    )}`,
    'destination.columns',
  );
  telemetry.forgetColumns(database, table);
}

async function run(telemetry: Telemetry, statement: Sql, path: string): Promise<void> {
  try {
    await telemetry.command(statement, ddl);
  } catch (error) {
    if (!(error instanceof TelemetryError)) {
      throw error;
    }
    if (error.kind === 'unavailable' || error.kind === 'timeout') {
      throw new Fault('unavailable', 'the telemetry engine does not answer', { cause: error });
    }
    throw new Fault(
      'bad_request',
      `${path}: the engine refuses it: ${engineReason(error.message)}`,
      { cause: error, issues: [{ path, message: engineReason(error.message) }] },
    );
  }
}
