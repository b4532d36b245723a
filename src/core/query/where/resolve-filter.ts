import type { FieldFilter } from '../../../contract/query/filter.ts';
import { inPart } from '../fields/expression-error.ts';
import { joined, type Condition, type Operand } from './condition.ts';
import { isTextual, negated, valueTerm } from './resolve-lucene.ts';

/**
 * The condition of a field filter.
 * @throws ExpressionError for values that do not fit the type of the field
 */
export function resolveFilter(filter: FieldFilter, operand: Operand): Condition {
  const { field, op, values = [], min, max } = filter;
  const anyOf = (): Condition =>
    joined(
      'or',
      values.map((value, index) => inPart(`values.${index}`, () => equalTo(operand, value, field))),
    );
  switch (op) {
    case 'is':
      return anyOf();
    case 'is_not':
      return negated(anyOf());
    case 'exists':
      return existing(operand, field);
    case 'not_exists':
      return negated(existing(operand, field));
    case 'between':
      return joined('and', [
        ...(min === undefined ? [] : [inPart('min', () => limit(operand, '>=', min, field))]),
        ...(max === undefined ? [] : [inPart('max', () => limit(operand, '<=', max, field))]),
      ]);
  }
}

/** The empty text stands for no value, as it does in the groups of a chart. */
function equalTo(operand: Operand, value: string, field: string): Condition {
  const equal = (): Condition =>
    valueTerm(operand, { kind: 'phrase', text: value }, undefined, field);
  const { type } = operand;
  if (value !== '' || type.base === 'array' || type.base === 'map') {
    return equal();
  }
  const missing = negated(existing(operand, field));
  if (!isTextual(type)) {
    return missing;
  }
  return type.nullable ? joined('or', [equal(), missing]) : equal();
}

const existing = (operand: Operand, field: string): Condition =>
  valueTerm(operand, { kind: 'word', parts: ['', ''] }, undefined, field);

const limit = (operand: Operand, operator: '>=' | '<=', bound: string, field: string): Condition =>
  valueTerm(operand, { kind: 'compare', operator, bound }, undefined, field);
