import type { ValueType } from '../fields/value-type.ts';

/**
 * A place of the source's table: a column, or one key of a map column. Made by `fields.ts` only.
 */
export type Field =
  | { kind: 'column'; name: string; type: ValueType }
  | { kind: 'map_key'; column: string; key: string; type: ValueType };

/**
 * A checked expression over one table: every function is on the allow-list, every column exists.
 * The SQL is printed from this tree (`emit/emit-expression.ts`) and never contains the caller's
 * text.
 */
export type Expression =
  | { kind: 'field'; field: Field }
  | { kind: 'number'; text: string }
  | { kind: 'string'; value: string }
  | { kind: 'boolean'; value: boolean }
  | { kind: 'null' }
  | { kind: 'parameter'; name: string }
  | { kind: 'lambda'; parameters: string[]; body: Expression }
  | { kind: 'call'; name: string; args: Expression[] }
  | { kind: 'not' | 'minus' | 'is_null' | 'is_not_null'; operand: Expression }
  | { kind: 'binary'; operator: BinaryOperator; left: Expression; right: Expression }
  | { kind: 'between'; negated: boolean; operand: Expression; low: Expression; high: Expression }
  | { kind: 'in'; negated: boolean; operand: Expression; list: Expression[] }
  | {
      kind: 'case';
      operand: Expression | undefined;
      branches: { when: Expression; gives: Expression }[];
      otherwise: Expression | undefined;
    }
  | { kind: 'cast'; operand: Expression; type: string }
  | { kind: 'interval'; amount: Expression; unit: string }
  | { kind: 'array' | 'tuple'; items: Expression[] }
  | { kind: 'element'; operand: Expression; index: Expression }
  | { kind: 'member'; operand: Expression; index: number };

export const binaryOperators = [
  'OR',
  'AND',
  '=',
  '!=',
  '<',
  '<=',
  '>',
  '>=',
  'LIKE',
  'NOT LIKE',
  'ILIKE',
  'NOT ILIKE',
  'REGEXP',
  '||',
  '+',
  '-',
  '*',
  '/',
  '%',
  'DIV',
  'MOD',
] as const;
export type BinaryOperator = (typeof binaryOperators)[number];

/** Type of the result of an expression, as far as it is known without the engine. */
export function typeOf(expression: Expression, returns: (name: string) => ValueType): ValueType {
  switch (expression.kind) {
    case 'field':
      return expression.field.type;
    case 'number':
    case 'minus':
      return { base: 'number', nullable: true, wide: false, float: true };
    case 'string':
      return { base: 'string', nullable: false, wide: false, float: false };
    case 'call':
      return returns(expression.name);
    case 'binary':
      return binaryType(expression.operator);
    case 'boolean':
    case 'not':
    case 'is_null':
    case 'is_not_null':
    case 'between':
    case 'in':
      return { base: 'boolean', nullable: true, wide: false, float: false };
    default:
      return { base: 'unknown', nullable: true, wide: false, float: false };
  }
}

function binaryType(operator: BinaryOperator): ValueType {
  const common = { nullable: true, wide: false };
  if (operator === '||') {
    return { ...common, base: 'string', float: false };
  }
  // Dates and intervals can be added and subtracted too, so + and - tell nothing.
  if (operator === '+' || operator === '-') {
    return { ...common, base: 'unknown', float: false };
  }
  if (['*', '/', '%', 'DIV', 'MOD'].includes(operator)) {
    return { ...common, base: 'number', float: true };
  }
  return { ...common, base: 'boolean', float: false };
}

/** Whether the result of the expression depends on the current time. */
export function anyCall(expression: Expression, names: ReadonlySet<string>): boolean {
  return (
    (expression.kind === 'call' && names.has(expression.name)) ||
    children(expression).some((child) => anyCall(child, names))
  );
}

export function children(expression: Expression): Expression[] {
  switch (expression.kind) {
    case 'lambda':
      return [expression.body];
    case 'call':
      return expression.args;
    case 'array':
    case 'tuple':
      return expression.items;
    case 'not':
    case 'minus':
    case 'is_null':
    case 'is_not_null':
    case 'cast':
    case 'member':
      return [expression.operand];
    case 'binary':
      return [expression.left, expression.right];
    case 'between':
      return [expression.operand, expression.low, expression.high];
    case 'in':
      return [expression.operand, ...expression.list];
    case 'case':
      return [
        expression.operand,
        ...expression.branches.flatMap(({ when, gives }) => [when, gives]),
        expression.otherwise,
      ].filter((child) => child !== undefined);
    case 'interval':
      return [expression.amount];
    case 'element':
      return [expression.operand, expression.index];
    default:
      return [];
  }
}

/**
 * `a AND b AND c` as a list. A loop, because recursion over a long chain would exhaust the stack.
 */
export function chained(expression: Expression, operator: 'AND' | 'OR'): Expression[] {
  const list: Expression[] = [];
  let rest = expression;
  for (; rest.kind === 'binary' && rest.operator === operator; rest = rest.left) {
    list.push(rest.right);
  }
  return [rest, ...list.toReversed()];
}
