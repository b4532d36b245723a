import { chained, type Expression } from '../expression/expression.ts';
import { fieldOperand, joined, type Condition } from './condition.ts';

/**
 * Turns an SQL condition into the common tree. AND, OR, NOT and equality of a text column with a
 * literal become nodes of the tree; the rest stays an expression.
 */
export function conditionOf(expression: Expression): Condition {
  if (
    expression.kind === 'binary' &&
    (expression.operator === 'AND' || expression.operator === 'OR')
  ) {
    const kind = expression.operator === 'AND' ? 'and' : 'or';
    return joined(kind, chained(expression, expression.operator).map(conditionOf));
  }
  if (expression.kind === 'not') {
    return { kind: 'not', inner: conditionOf(expression.operand) };
  }
  if (expression.kind === 'binary' && expression.operator === '=') {
    return (
      equality(expression.left, expression.right) ??
      equality(expression.right, expression.left) ?? { kind: 'expression', expression }
    );
  }
  return { kind: 'expression', expression };
}

/** Only for text columns: `=` means the same in both languages for no other type. */
function equality(left: Expression, right: Expression): Condition | undefined {
  if (
    left.kind !== 'field' ||
    right.kind !== 'string' ||
    left.field.type.base !== 'string' ||
    left.field.type.nullable
  ) {
    return undefined;
  }
  return { kind: 'equals', operand: fieldOperand(left.field), value: right.value };
}
