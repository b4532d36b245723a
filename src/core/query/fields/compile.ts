import type { Issue } from '../../../contract/errors.ts';
import type { WhereLanguage } from '../../../contract/common.ts';
import type { Filter } from '../../../contract/query/filter.ts';
import type { Source, SourceInput } from '../../../contract/source.ts';
import { anyCall, typeOf, type Expression } from '../expression/expression.ts';
import { allowedFunctions, volatileFunctions } from '../expression/functions.ts';
import { parseExpression } from '../expression/parse-expression.ts';
import { ExpressionError, inPart } from './expression-error.ts';
import type { Fields } from './fields.ts';
import { unknownType } from './value-type.ts';
import { conditionOf } from '../where/condition-of-expression.ts';
import { fieldOperand, joined, type Condition, type Operand } from '../where/condition.ts';
import { parseLucene } from '../where/parse-lucene.ts';
import { resolveFilter } from '../where/resolve-filter.ts';
import { resolveLucene } from '../where/resolve-lucene.ts';

type AnySource = Source | SourceInput;

/**
 * A caller's condition, checked against the columns of the source's table.
 * @throws ExpressionError
 */
export function compileWhere(
  source: AnySource,
  fields: Fields,
  where: string,
  language: WhereLanguage,
): Condition {
  if (where.trim() === '') {
    return { kind: 'all' };
  }
  if (language === 'sql') {
    return conditionOf(parseExpression(where, fields));
  }
  return resolveLucene(parseLucene(where), {
    fields,
    get implicit() {
      return implicitOperand(source, fields);
    },
  });
}

/** Which rows a request is about, besides their time. */
export interface RowConditions {
  where: string;
  whereLanguage: WhereLanguage;
  filters?: readonly Filter[] | undefined;
}

/**
 * The condition of a request: `where` and every filter. Undefined if one of them has a mistake.
 * @param prefix path of the request's part, with a dot at its end: `series.0.`
 */
export function compileRows(
  source: AnySource,
  fields: Fields,
  { where, whereLanguage, filters }: RowConditions,
  issues: Issue[],
  prefix = '',
): Condition | undefined {
  const condition = collect(issues, `${prefix}where`, () =>
    compileWhere(source, fields, where, whereLanguage),
  );
  if (filters === undefined || filters.length === 0) {
    return condition;
  }
  const compiled = filters.map((filter, index) =>
    collect(issues, `${prefix}filters.${index}`, () => compileFilter(source, fields, filter)),
  );
  const whole = [condition, ...compiled].filter((part) => part !== undefined);
  return whole.length === filters.length + 1 ? joined('and', whole) : undefined;
}

/** @throws ExpressionError, whose part says where in the filter the mistake is */
export function compileFilter(source: AnySource, fields: Fields, filter: Filter): Condition {
  return filter.type === 'field'
    ? resolveFilter(
        filter,
        inPart('field', () => compileOperand(filter.field, fields)),
      )
    : inPart('condition', () => compileWhere(source, fields, filter.condition, filter.type));
}

/**
 * A field path (`Body`, `LogAttributes.http.method`) or an expression, checked.
 * @throws ExpressionError
 */
export function compileOperand(text: string, fields: Fields): Operand {
  const path = text.trim();
  const field = fields.find(path);
  return field ? fieldOperand(field) : operandOf(parseExpression(path, fields));
}

export function operandOf(expression: Expression): Operand {
  return {
    expression,
    type: typeOf(
      expression,
      (name) => allowedFunctions().get(name.toLowerCase())?.returns ?? unknownType,
    ),
  };
}

/** The column that words without a field search. */
function implicitOperand(source: AnySource, fields: Fields): Operand | undefined {
  if (source.kind === 'metric') {
    return undefined;
  }
  const text =
    source.implicitColumnExpression ??
    (source.kind === 'log' ? source.bodyExpression : source.spanNameExpression);
  return text === undefined ? undefined : compileOperand(text, fields);
}

/** Runs a check and turns its ExpressionError into an issue at `path`. */
export function collect<T>(issues: Issue[], path: string, check: () => T): T | undefined {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof ExpressionError)) {
      throw error;
    }
    issues.push({ path: error.pathIn(path), message: error.publicText });
    return undefined;
  }
}

/** Whether a condition or operand depends on the current time. */
export function isVolatile(part: Condition | Operand | undefined): boolean {
  if (part === undefined) {
    return false;
  }
  if (!('kind' in part)) {
    return anyCall(part.expression, volatileFunctions);
  }
  switch (part.kind) {
    case 'and':
    case 'or':
      return part.parts.some(isVolatile);
    case 'not':
      return isVolatile(part.inner);
    case 'any':
      return anyCall(part.list, volatileFunctions) || isVolatile(part.inner);
    case 'expression':
      return anyCall(part.expression, volatileFunctions);
    case 'all':
      return false;
    default:
      return isVolatile(part.operand);
  }
}
