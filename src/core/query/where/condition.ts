import { children, type Expression, type Field } from '../expression/expression.ts';
import type { ValueType } from '../fields/value-type.ts';
import type { Literal } from './literal.ts';

/** A value that a condition tests, and its type. */
export interface Operand {
  expression: Expression;
  type: ValueType;
}

/**
 * A condition on a row. Both where languages become this tree. Columns are resolved and values are
 * literals, so conditions on the same column and value compare equal. Alerting reads the tree to
 * find equality keys: `equals` leaves directly under the top `and`, or the top itself.
 *
 * Every leaf that came from lucene is either true or false, never NULL, so `not` is its exact
 * complement; `expression` leaves (sql) keep SQL's three values.
 */
export type Condition =
  | { kind: 'all' }
  | { kind: 'and' | 'or'; parts: Condition[] }
  | { kind: 'not'; inner: Condition }
  /**
   * Exactly this value. A missing map key reads as the empty text.
   */
  | { kind: 'equals'; operand: Operand; value: string | boolean | Literal }
  /**
   * The text contains these pieces in this order, with any text between them. It starts with the
   * first piece and ends with the last. Case-insensitive.
   */
  | { kind: 'pattern'; operand: Operand; parts: string[] }
  /**
   * The value contains the text as whole tokens: no letter or digit stands directly before or after
   * it, unless that end is open. Case-insensitive.
   */
  | { kind: 'tokens'; operand: Operand; text: string; openStart: boolean; openEnd: boolean }
  /**
   * Compares numbers, times, and text that is a number. Any other value does not match.
   */
  | { kind: 'compare'; operand: Operand; operator: '>' | '>=' | '<' | '<='; bound: Literal }
  | { kind: 'exists'; operand: Operand }
  /** True when an element fulfils `inner`, in which the element is the parameter `element`. */
  | { kind: 'any'; list: Expression; inner: Condition }
  | { kind: 'expression'; expression: Expression };

const fieldOperands = new WeakMap<Field, Operand>();

/** The operand of a field. Returns the same object for the same field. */
export function fieldOperand(field: Field): Operand {
  const known = fieldOperands.get(field);
  if (known) {
    return known;
  }
  const operand: Operand = { expression: { kind: 'field', field }, type: field.type };
  fieldOperands.set(field, operand);
  return operand;
}

export const all: Condition = { kind: 'all' };

/** Joins conditions, flattens nested joins of the same kind, and drops `all`. */
export function joined(kind: 'and' | 'or', conditions: Condition[]): Condition {
  if (conditions.length === 0) {
    return all;
  }
  const flat = conditions.flatMap((condition) =>
    condition.kind === kind ? condition.parts : [condition],
  );
  if (kind === 'or' && flat.some((condition) => condition.kind === 'all')) {
    return all;
  }
  const parts = flat.filter((condition) => condition.kind !== 'all');
  const [only, ...others] = parts;
  if (only === undefined) {
    return all;
  }
  return others.length === 0 ? only : { kind, parts };
}

/** The parts that must all hold. */
export function conjuncts(condition: Condition): Condition[] {
  if (condition.kind === 'and') {
    return condition.parts;
  }
  return condition.kind === 'all' ? [] : [condition];
}

/**
 * Alternatives without those that hold only where another one holds: of `a AND b`, `a` and `c`, the
 * first is left out. Joined by OR, the others select the same rows.
 */
export function weakest(alternatives: readonly Condition[]): Condition[] {
  const keyed = alternatives.map((condition) => ({
    condition,
    keys: new Set(conjuncts(condition).map((part) => JSON.stringify(part))),
  }));
  return keyed
    .filter(
      ({ keys }, index) =>
        !keyed.some((other, at) => {
          const isWeaker =
            other.keys.size < keys.size || (other.keys.size === keys.size && at < index);
          return isWeaker && [...other.keys].every((key) => keys.has(key));
        }),
    )
    .map(({ condition }) => condition);
}

/**
 * A weaker condition on compact columns only: it holds for every row for which the whole condition
 * holds. `all` if the condition has no such part.
 */
export function compactPart(condition: Condition): Condition {
  if (condition.kind === 'or') {
    return joined('or', weakest(condition.parts.map(compactPart)));
  }
  return joined('and', conjuncts(condition).filter(isCompact));
}

/** Whether it tests compact columns only. */
export function isCompact(condition: Condition): boolean {
  switch (condition.kind) {
    case 'all':
      return true;
    case 'and':
    case 'or':
      return condition.parts.every(isCompact);
    case 'not':
      return isCompact(condition.inner);
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
