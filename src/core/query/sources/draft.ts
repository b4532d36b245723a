import type { Issue } from '../../../contract/errors.ts';
import { SearchRequest, type SearchResult } from '../../../contract/query/search.ts';
import type { MetricDataType, Source, SourceInput } from '../../../contract/source.ts';
import type { Column } from '../../../ports/telemetry.ts';
import { sourceIssues } from '../fields/check.ts';
import { collect, compileOperand } from '../fields/compile.ts';
import { fieldsOf, type Fields } from '../fields/fields.ts';
import type { Table } from '../plan/plan.ts';

const noObject = '0'.repeat(24);
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const rowsShown = 5;

/** A table that a draft names, and the path of its name. */
export interface NamedTable {
  path: string;
  table: Table;
}

/** The tables that a source reads. None if a metric source lists none. */
export function tablesOf(draft: SourceInput): NamedTable[] {
  const { databaseName, tableName } = draft.from;
  const named = (name: string, path: string): NamedTable => ({
    path,
    table: { database: databaseName, name },
  });
  if (draft.kind !== 'metric') {
    return [named(tableName, 'from.tableName')];
  }
  return (Object.keys(draft.metricTables) as MetricDataType[]).flatMap((type) => {
    const name = draft.metricTables[type];
    return name === undefined ? [] : [named(name, `metricTables.${type}`)];
  });
}

/** What is wrong with a draft, as far as one of its tables tells. */
export function draftIssues(
  draft: SourceInput,
  { path, table: { database, name } }: NamedTable,
  columns: readonly Column[],
): Issue[] {
  if (columns.length === 0) {
    const message = `the table "${name}" does not exist in the database "${database}"`;
    return [{ path, message }];
  }
  const fields = fieldsOf(columns);
  return [...sourceIssues(draft, fields), ...timeIssues(draft, fields)];
}

function timeIssues({ timestampValueExpression: text }: SourceInput, fields: Fields): Issue[] {
  const path = 'timestampValueExpression';
  const base = collect([], path, () => compileOperand(text, fields))?.type.base;
  return base === undefined || base === 'time' || base === 'unknown'
    ? []
    : [{ path, message: `must be a time, but "${text}" is a ${base}` }];
}

/** One issue for each path: the tables of a metric source repeat them. */
export const firstOfEachPath = (issues: readonly Issue[]): Issue[] =>
  issues.filter(({ path }, index) => issues.findIndex((other) => other.path === path) === index);

/** The draft as a source of the workspace, to search in. Points of a metric are rows of a table. */
export function asSource(draft: SourceInput, workspaceId: string): Source {
  const record = {
    id: noObject,
    team: workspaceId,
    createdAt: new Date(0).toISOString(),
    updatedAt: new Date(0).toISOString(),
  };
  if (draft.kind !== 'metric') {
    return { ...draft, ...record };
  }
  const { name, from, timestampValueExpression } = draft;
  const tableName = tablesOf(draft)[0]?.table.name ?? from.tableName;
  return {
    kind: 'log',
    name,
    from: { ...from, tableName },
    timestampValueExpression,
    ...record,
  };
}

/** The newest rows. The last hour and day are tried first, because they are read quickly. */
export async function newestRows(
  nowMs: number,
  search: (request: SearchRequest) => Promise<SearchResult>,
): Promise<Pick<SearchResult, 'columns' | 'rows'>> {
  const endTime = nowMs + dayMs;
  const request = { sourceId: noObject, limit: rowsShown, endTime };
  for (const startTime of [nowMs - hourMs, nowMs - dayMs]) {
    const { columns, rows } = await search(SearchRequest.parse({ ...request, startTime }));
    if (rows.length === rowsShown) {
      return { columns, rows };
    }
  }
  // The least time that the contract takes: 2001.
  const all = await search(SearchRequest.parse({ ...request, startTime: 1_000_000_000_000 }));
  return { columns: all.columns, rows: all.rows };
}
