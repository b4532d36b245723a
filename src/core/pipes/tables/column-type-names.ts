import { invalid, type Issue } from '../../../contract/errors.ts';
import type { PipeColumn, PipeDestination } from '../../../contract/pipe/destination.ts';
import { TelemetryError, type Telemetry } from '../../../ports/telemetry.ts';
import { join, sql, type Sql } from '../../../sql/sql.ts';
import { isEngineAway } from '../engine-away.ts';
import { engineReason } from '../load/records/find-bad-rows.ts';
import { checkedType, createTable } from './destination-table.ts';

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
