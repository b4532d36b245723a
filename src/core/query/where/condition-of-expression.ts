import { chained, type Expression } from '../expression/expression.ts';
import { fieldOperand, joined, type Condition } from './condition.ts';

/** An sql condition in the common tree: its AND, OR and NOT, and its comparisons of a column with a literal, become visible. */
export function conditionOf(expression: Expression): Condition {
  if (
    expression.kind === 'binary' &&
    (expression.operator === 'AND' || expression.operator === 'OR')
  ) {
    const kind = expression.operator === 'AND' ? 'and' : 'or';
    return joined(kind, chained(expression, expression.operator).map(conditionOf));
  }
  if (expression.kind === 'not') {
    return { kind: 'not', of: conditionOf(expression.of) };
  }
  if (expression.kind === 'binary' && expression.operator === '=') {
    return (
      equality(expression.left, expression.right) ??
      equality(expression.right, expression.left) ?? { kind: 'expression', expression }
    );
  }
  return { kind: 'expression', expression };
}

/** Text columns only: there, and only there, `=` means the same in both languages. */
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
