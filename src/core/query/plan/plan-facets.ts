import { invalid, type Issue } from '../../../contract/errors.ts';
import type { FacetRequest } from '../../../contract/query/facets.ts';
import type { Source } from '../../../contract/source.ts';
import { collect, compileOperand, compileRows } from '../fields/compile.ts';
import { ExpressionError } from '../fields/expression-error.ts';
import { mapKeyPath, type Fields } from '../fields/fields.ts';
import { fieldOperand, type Condition, type Operand } from '../where/condition.ts';
import type { TimeRange } from './bucket.ts';
import { eventTime } from './event-time.ts';
import type { EventTime, Table } from './plan.ts';

export interface FacetField {
  /** As the caller named it. */
  name: string;
  operand: Operand;
}

/** Fields whose values are counted, and the rows to count them in. */
export interface FacetPlan {
  table: Table;
  time: EventTime;
  range: TimeRange;
  condition: Condition;
  fields: FacetField[];
  /** Map columns whose keys are counted. */
  maps: string[];
  /** Whether the caller named the fields. */
  named: boolean;
  search: string;
  limit: number;
}

/** Columns that are shown if the request names none. */
const columnsMax = 20;

/** @throws Fault bad_request with every mistake */
export function planFacets(request: FacetRequest, source: Source, fields: Fields): FacetPlan {
  const issues: Issue[] = [];
  if (source.kind === 'metric') {
    issues.push({
      path: 'sourceId',
      message: 'is a metric source; facets support only log and trace sources',
    });
  }
  const time = collect(issues, 'sourceId', () => eventTime(source, fields));
  const condition = compileRows(source, fields, request, issues);
  const named = request.fields?.map((name, index) =>
    collect(issues, `fields.${index}`, () => facetField(name, fields)),
  );
  if (!time || !condition || issues.length > 0) {
    throw invalid(issues);
  }
  return {
    table: { database: source.from.databaseName, name: source.from.tableName },
    time,
    range: { fromMs: request.startTime, toMs: request.endTime },
    condition,
    fields: named?.filter((field) => field !== undefined) ?? usualFields(fields),
    maps: named ? [] : mapColumns(fields),
    named: named !== undefined,
    search: request.search,
    limit: request.limit,
  };
}

function facetField(name: string, fields: Fields): FacetField {
  const operand = compileOperand(name, fields);
  if (operand.type.base === 'map') {
    throw new ExpressionError(`is a map; name one of its keys, such as ${mapKeyPath(name, 'key')}`);
  }
  if (operand.type.base === 'array') {
    throw new ExpressionError('is a list, whose values cannot be counted');
  }
  return { name, operand };
}

/** Columns whose type says that they have few different values. */
function usualFields(fields: Fields): FacetField[] {
  return fields.columns
    .filter(({ type }) => /^(LowCardinality|Enum|Bool)\b/.test(type))
    .slice(0, columnsMax)
    .flatMap(({ name }) => {
      const field = fields.find(name);
      return field ? [{ name, operand: fieldOperand(field) }] : [];
    });
}

const mapColumns = (fields: Fields): string[] =>
  fields.columns.map(({ name }) => name).filter((name) => fields.type(name)?.base === 'map');
