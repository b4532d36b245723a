import { children, type Expression, type Field } from '../expression/expression.ts';
import type { ValueType } from '../value-type.ts';

/** Something a condition looks at, and what type it is. */
export interface Operand {
  expression: Expression;
  type: ValueType;
}

/**
 * What a row must fulfil: the one tree that both where languages become. Columns are resolved, values are literals, so two
 * conditions that mean the same column and value compare equal. Alerting reads it to find equality keys: `equals` leaves
 * directly under the top `and` (or the top itself).
 *
 * Every leaf that came from lucene is either true or false, never NULL, so `not` is its exact complement; `expression`
 * leaves (sql) keep SQL's three values.
 */
export type Condition =
  | { kind: 'all' }
  | { kind: 'and' | 'or'; of: Condition[] }
  | { kind: 'not'; of: Condition }
  /** The very value, letter for letter. A missing map key reads as the empty text. Times are milliseconds. */
  | { kind: 'equals'; operand: Operand; value: string | number | boolean }
  /** Text pieces in this order with anything between them; the first and last piece are anchored. Without regard to case. */
  | { kind: 'pattern'; operand: Operand; parts: string[] }
  /** The text as whole tokens: no letter or digit goes on before or after it (unless that end is open). Without regard to case. */
  | { kind: 'tokens'; operand: Operand; text: string; openStart: boolean; openEnd: boolean }
  /** Numbers, and text that reads as a number; anything else does not match. Times are milliseconds. */
  | { kind: 'compare'; operand: Operand; operator: '>' | '>=' | '<' | '<='; bound: number }
  | { kind: 'exists'; operand: Operand }
  /** True when an element fulfils `of`, in which the element is the parameter `element`. */
  | { kind: 'any'; list: Expression; of: Condition }
  | { kind: 'expression'; expression: Expression };

const fieldOperands = new WeakMap<Field, Operand>();

/** A field by itself; the same object for the same field. */
export function fieldOperand(field: Field): Operand {
  const known = fieldOperands.get(field);
  if (known) {
    return known;
  }
  const made: Operand = { expression: { kind: 'field', field }, type: field.type };
  fieldOperands.set(field, made);
  return made;
}

export const all: Condition = { kind: 'all' };

/** Joined, with nested joins of the same kind made flat and `all` taken out. */
export function joined(kind: 'and' | 'or', conditions: Condition[]): Condition {
  if (conditions.length === 0) {
    return all;
  }
  const of = conditions.flatMap((condition) =>
    condition.kind === kind ? condition.of : [condition],
  );
  if (kind === 'or' && of.some((condition) => condition.kind === 'all')) {
    return all;
  }
  const kept = of.filter((condition) => condition.kind !== 'all');
  return kept.length === 0 ? all : kept.length === 1 ? kept[0]! : { kind, of: kept };
}

/** The parts that must all hold. */
export function conjuncts(condition: Condition): Condition[] {
  return condition.kind === 'and' ? condition.of : condition.kind === 'all' ? [] : [condition];
}

/**
 * A weaker condition that looks at compact columns only: every row that fulfils the whole fulfils it. `all` where nothing
 * is left.
 */
export function compactPart(condition: Condition): Condition {
  if (condition.kind === 'or') {
    return joined('or', condition.of.map(compactPart));
  }
  return joined('and', conjuncts(condition).filter(isCompact));
}

function isCompact(condition: Condition): boolean {
  switch (condition.kind) {
    case 'all':
      return true;
    case 'and':
    case 'or':
      return condition.of.every(isCompact);
    case 'not':
      return isCompact(condition.of);
    case 'any':
      return false;
    case 'expression':
      return compactExpression(condition.expression);
    default:
      return compactExpression(condition.operand.expression);
  }
}

function compactExpression(expression: Expression): boolean {
  return expression.kind === 'field'
    ? expression.field.kind === 'column' && expression.field.type.compact === true
    : children(expression).every(compactExpression);
}
