import { identifier, join, literal, sql, trusted, type Sql } from '../../../sql/sql.ts';
import type { Field } from '../expression/expression.ts';
import type { ValueType } from '../fields/value-type.ts';
import type { Condition, Operand } from '../where/condition.ts';
import type { Literal } from '../where/literal.ts';
import { emitExpression } from './emit-expression.ts';
import { emitPattern, emitTokens } from './emit-text.ts';
import { emitInteger, emitNumber, emitTime, exceedsDouble } from './emit-literal.ts';

/** A condition as SQL, in parentheses. */
export function emitCondition(condition: Condition): Sql {
  switch (condition.kind) {
    case 'all':
      return sql`true`;
    case 'and':
      return sql`(${join(condition.parts.map(emitCondition), ' AND ')})`;
    case 'or':
      return sql`(${join(condition.parts.map(emitCondition), ' OR ')})`;
    case 'not':
      return sql`(NOT ${emitCondition(condition.inner)})`;
    case 'equals':
      return definite(condition.operand, equals(condition.operand, condition.value));
    case 'pattern':
      return definite(condition.operand, emitPattern(condition.operand, condition.parts));
    case 'tokens':
      return definite(condition.operand, emitTokens(condition));
    case 'compare':
      return compare(condition);
    case 'exists':
      return exists(condition.operand);
    case 'any':
      return anyElement(condition);
    case 'expression':
      return booleanExpression(condition);
  }
}

/** Whether the SQL may come out as NULL, which `-If` aggregates must not see. */
export function mayBeNull(condition: Condition): boolean {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.parts.some(mayBeNull);
    case 'not':
    case 'any':
      return mayBeNull(condition.inner);
    default:
      return condition.kind === 'expression';
  }
}

/**
 * NULL is no match. A missing key of a map reads as an empty text, but not as the number 0. Columns
 * that cannot be NULL are left bare, so that the engine can use its indexes.
 */
function definite({ expression, type }: Operand, condition: Sql): Sql {
  const known = type.nullable ? sql`ifNull(${condition}, false)` : sql`(${condition})`;
  return expression.kind === 'field' &&
    expression.field.kind === 'map_key' &&
    type.base !== 'string'
    ? sql`(${hasKey(expression.field)} AND ${known})`
    : known;
}

const hasKey = ({ column, key }: Extract<Field, { kind: 'map_key' }>): Sql =>
  sql`mapContains(${identifier(column)}, ${key})`;

function text({ expression, type }: Operand): Sql {
  return type.base === 'string'
    ? emitExpression(expression)
    : sql`toString(${emitExpression(expression)})`;
}

function equals(operand: Operand, value: string | boolean | Literal): Sql {
  if (typeof value === 'string') {
    return sql`${text(operand)} = ${value}`;
  }
  const bound = typeof value === 'boolean' ? literal(value) : emitBound(value, operand.type);
  return sql`${emitExpression(operand.expression)} = ${bound}`;
}

const emitBound = (bound: Literal, type: ValueType): Sql =>
  bound.kind === 'time' ? emitTime(bound, type) : emitNumber(bound, type);

function compare({ operand, operator, bound }: Extract<Condition, { kind: 'compare' }>): Sql {
  const { expression, type } = operand;
  const sign = trusted(operator);
  if (bound.kind === 'time' || type.base === 'number' || type.base === 'boolean') {
    return definite(operand, sql`${emitExpression(expression)} ${sign} ${emitBound(bound, type)}`);
  }
  const plain = text(operand);
  const double = sql`toFloat64OrNull(${plain}) ${sign} ${Number(bound.text)}`;
  if (!exceedsDouble(bound)) {
    return sql`ifNull(${double}, false)`;
  }
  const integer = sql`toInt256OrNull(${plain})`;
  return sql`ifNull(if(isNull(${integer}), ${double}, ${integer} ${sign} ${emitInteger(bound)}), false)`;
}

function exists({ expression, type }: Operand): Sql {
  if (expression.kind === 'field' && expression.field.kind === 'map_key') {
    return hasKey(expression.field);
  }
  const value = emitExpression(expression);
  if (type.base === 'string') {
    return type.nullable ? sql`(ifNull(${value}, '') != '')` : sql`(${value} != '')`;
  }
  return type.nullable ? sql`(${value} IS NOT NULL)` : sql`true`;
}

function anyElement({ inner, list }: Extract<Condition, { kind: 'any' }>): Sql {
  const element = emitCondition(inner);
  return sql`arrayExists(${identifier('element')} -> ${element}, ${emitExpression(list)})`;
}

/** A number stands for true where it is not 0; comparisons and the like are boolean as they are. */
function booleanExpression({ expression }: Extract<Condition, { kind: 'expression' }>): Sql {
  const value = emitExpression(expression);
  const plain =
    ['binary', 'not', 'is_null', 'is_not_null', 'between', 'in', 'boolean'].includes(
      expression.kind,
    ) &&
    !(
      expression.kind === 'binary' &&
      ['||', '+', '-', '*', '/', '%', 'DIV', 'MOD'].includes(expression.operator)
    );
  return plain ? value : sql`(${value} != 0)`;
}
