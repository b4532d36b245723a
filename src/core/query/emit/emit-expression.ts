import { identifier, join, literal, sql, trusted, type Sql } from '../../../sql/sql.ts';
import {
  chained,
  type BinaryOperator,
  type Expression,
  type Field,
} from '../expression/expression.ts';

/**
 * A checked tree as SQL: every operation in parentheses, every name in backquotes, every literal
 * quoted by the sql room.
 */
export function emitExpression(expression: Expression): Sql {
  switch (expression.kind) {
    case 'field':
      return emitField(expression.field);
    case 'number':
      return trusted(plainNumber(expression.text));
    case 'string':
      return literal(expression.value);
    case 'boolean':
      return literal(expression.value);
    case 'null':
      return sql`NULL`;
    case 'parameter':
      return identifier(expression.name);
    case 'lambda':
      return sql`(${join(expression.parameters.map(identifier), ', ')}) -> ${emitExpression(expression.body)}`;
    // The name comes from the allow-list, not from the caller.
    case 'call':
      return sql`${trusted(expression.name)}(${list(expression.args)})`;
    case 'not':
      return sql`(NOT ${emitExpression(expression.operand)})`;
    case 'minus':
      return sql`(- ${emitExpression(expression.operand)})`;
    case 'is_null':
      return sql`(${emitExpression(expression.operand)} IS NULL)`;
    case 'is_not_null':
      return sql`(${emitExpression(expression.operand)} IS NOT NULL)`;
    case 'binary':
      return binary(expression.operator, expression);
    case 'between':
      return between(expression);
    case 'in':
      return inList(expression);
    case 'case':
      return caseOf(expression);
    // The type was read by readCastType and written from its own list.
    case 'cast':
      return sql`CAST(${emitExpression(expression.operand)}, ${literal(expression.type)})`;
    case 'interval':
      return sql`INTERVAL ${emitExpression(expression.amount)} ${trusted(expression.unit)}`;
    case 'array':
      return sql`[${list(expression.items)}]`;
    case 'tuple':
      return sql`tuple(${list(expression.items)})`;
    case 'element':
      return sql`${emitExpression(expression.operand)}[${emitExpression(expression.index)}]`;
    case 'member':
      return sql`tupleElement(${emitExpression(expression.operand)}, ${expression.index})`;
  }
}

export function emitField(field: Field): Sql {
  return field.kind === 'column'
    ? identifier(field.name)
    : sql`${identifier(field.column)}[${field.key}]`;
}

const list = (expressions: Expression[]): Sql => join(expressions.map(emitExpression), ', ');

/** Long chains of AND and OR stay flat: the engine caps how deep parentheses may go. */
function binary(
  operator: BinaryOperator,
  expression: Extract<Expression, { kind: 'binary' }>,
): Sql {
  if (operator !== 'AND' && operator !== 'OR') {
    return sql`(${emitExpression(expression.left)} ${trusted(operator)} ${emitExpression(expression.right)})`;
  }
  return sql`(${join(chained(expression, operator).map(emitExpression), operator === 'AND' ? ' AND ' : ' OR ')})`;
}

function between({ negated, operand, low, high }: Extract<Expression, { kind: 'between' }>): Sql {
  const bounds = sql`${emitExpression(low)} AND ${emitExpression(high)}`;
  return sql`(${emitExpression(operand)} ${trusted(negated ? 'NOT BETWEEN' : 'BETWEEN')} ${bounds})`;
}

function inList({ operand, negated, list: items }: Extract<Expression, { kind: 'in' }>): Sql {
  return sql`(${emitExpression(operand)} ${trusted(negated ? 'NOT IN' : 'IN')} (${list(items)}))`;
}

function caseOf({ operand, branches, otherwise }: Extract<Expression, { kind: 'case' }>): Sql {
  const whens = branches.map(
    ({ when, gives }) => sql`WHEN ${emitExpression(when)} THEN ${emitExpression(gives)}`,
  );
  const subject = operand ? emitExpression(operand) : sql``;
  const fallback = otherwise ? emitExpression(otherwise) : sql`NULL`;
  return sql`(CASE ${subject} ${join(whens, ' ')} ELSE ${fallback} END)`;
}

/**
 * The tokenizer let only digits, point, exponent and 0x through; said again here, where it is
 * written.
 */
function plainNumber(text: string): string {
  if (!/^(0[xX][0-9a-fA-F]+|(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?)$/.test(text)) {
    throw new TypeError('not a number');
  }
  return text.startsWith('.') ? `0${text}` : text;
}
