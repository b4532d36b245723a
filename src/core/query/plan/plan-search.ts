import { invalid, type Issue } from '../../../contract/errors.ts';
import type { SearchRequest, SearchRowRequest } from '../../../contract/query/search.ts';
import type { Source } from '../../../contract/source.ts';
import type { TimeRange } from './bucket.ts';
import { collect, compileOperand, compileRows, operandOf } from '../fields/compile.ts';
import { eventTime } from './event-time.ts';
import { parseList } from '../expression/parse-expression.ts';
import { ExpressionError } from '../fields/expression-error.ts';
import type { Fields } from '../fields/fields.ts';
import type { EventTime, Table } from './plan.ts';
import { readCursor, readIdentity, type Cursor, type RowIdentity } from '../run/search-cursor.ts';
import type { Condition, Operand } from '../where/condition.ts';

/** A page of rows to search: columns, condition, order and start. */
export interface SearchPlan {
  table: Table;
  time: EventTime;
  range: TimeRange;
  condition: Condition;
  columns: { name: string; operand: Operand }[];
  /** Before the event time, newest first. */
  order: { operand: Operand; descending: boolean }[];
  limit: number;
  /** The columns that make up the content of a row. */
  content: string[];
  cursor: Cursor | undefined;
}

/** @throws Fault bad_request with every mistake */
export function planSearch(request: SearchRequest, source: Source, fields: Fields): SearchPlan {
  const issues: Issue[] = [];
  refuseMetrics(source);
  const time = collect(issues, 'sourceId', () => eventTime(source, fields));
  const condition = compileRows(source, fields, request, issues);
  const columns = selected(request, source, fields, issues);
  const order = collect(issues, 'orderBy', () => ordered(request.orderBy ?? '', fields));
  const cursor = collect(issues, 'cursor', () => readCursor(request.cursor));
  if (!time || !condition || !order || issues.length > 0) {
    throw invalid(issues);
  }
  return {
    table: { database: source.from.databaseName, name: source.from.tableName },
    range: { fromMs: request.startTime, toMs: request.endTime },
    time,
    condition,
    columns,
    order,
    limit: request.limit,
    content: contentColumns(fields),
    cursor,
  };
}

/** One row to read, with all its columns. */
export interface RowPlan extends Pick<SearchPlan, 'table' | 'time' | 'content'> {
  /** Names in the order of the table. */
  columns: string[];
  row: RowIdentity;
}

/** @throws Fault bad_request with every mistake */
export function planRow(request: SearchRowRequest, source: Source, fields: Fields): RowPlan {
  refuseMetrics(source);
  const issues: Issue[] = [];
  const time = collect(issues, 'sourceId', () => eventTime(source, fields));
  const row = collect(issues, 'id', () => readIdentity(request.id));
  if (!time || !row) {
    throw invalid(issues);
  }
  return {
    table: { database: source.from.databaseName, name: source.from.tableName },
    time,
    content: contentColumns(fields),
    columns: fields.columns.map(({ name }) => name),
    row,
  };
}

function refuseMetrics(source: Source): void {
  if (source.kind === 'metric') {
    throw invalid([
      {
        path: 'sourceId',
        message: 'is a metric source; search supports only log and trace sources',
      },
    ]);
  }
}

/** In order of their names, so that the order of columns in the table has no effect. */
export function contentColumns({ columns }: Fields): string[] {
  return columns.map(({ name }) => name).sort();
}

function selected(
  { select }: SearchRequest,
  source: Source,
  fields: Fields,
  issues: Issue[],
): SearchPlan['columns'] {
  const given = Array.isArray(select)
    ? select.map((text, index) => ({ text, path: `select.${index}` }))
    : [{ text: select ?? '', path: 'select' }];
  const texts = given.filter(({ text }) => text.trim() !== '');
  const lists =
    texts.length > 0 ? texts : [{ text: defaultSelect(source, fields), path: 'select' }];
  const columns = lists.flatMap(
    ({ text, path }) => collect(issues, path, () => listed(text, fields)) ?? [],
  );
  if (columns.length > 100) {
    issues.push({ path: 'select', message: 'may contain at most 100 columns' });
  }
  return unique(columns);
}

function defaultSelect(source: Source, fields: Fields): string {
  const set = source.kind === 'metric' ? undefined : source.defaultTableSelectExpression;
  return (
    set ??
    fields.columns
      .slice(0, 20)
      .map(({ name }) => `\`${name.replace(/[\\`]/g, String.raw`\$&`)}\``)
      .join(', ')
  );
}

/** Parses a select list. If the whole text is a field path, it is one, even with other signs. */
export function listed(text: string, fields: Fields): SearchPlan['columns'] {
  const path = text.trim();
  if (fields.find(path)) {
    return [{ name: path, operand: compileOperand(path, fields) }];
  }
  return parseList(text, fields, 'select').map(({ expression, alias, from, to }) => ({
    name:
      alias ??
      text
        .slice(from, to)
        .trim()
        .replace(/^`(.*)`$/, '$1'),
    operand: operandOf(expression),
  }));
}

function unique(columns: SearchPlan['columns']): SearchPlan['columns'] {
  // Every row has `_id` already.
  const seen = new Map([['_id', 1]]);
  return columns.map(({ name, operand }) => {
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return { name: count === 1 ? name : `${name}_${count}`, operand };
  });
}

export function ordered(text: string, fields: Fields): SearchPlan['order'] {
  if (text.trim() === '') {
    return [];
  }
  const items = parseList(text, fields, 'order');
  if (items.length > 10) {
    throw new ExpressionError('rows may be ordered by at most 10 expressions');
  }
  return items.map(({ expression, descending }) => ({
    operand: operandOf(expression),
    descending: descending === true,
  }));
}
