import { identifier, join, literal, sql, trusted, type Sql } from '../../../sql/sql.ts';
import type { ValueType } from '../fields/value-type.ts';
import type { Condition, Operand } from '../where/condition.ts';
import type { Literal } from '../where/literal.ts';
import { emitExpression } from './emit-expression.ts';
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
      return definite(
        condition.operand,
        sql`${text(condition.operand)} ILIKE ${likePattern(condition.parts)}`,
      );
    case 'tokens':
      return definite(condition.operand, tokens(condition));
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
 * NULL is no match. Columns that cannot be NULL are left bare, so that the engine can use its
 * indexes.
 */
function definite({ type }: Operand, condition: Sql): Sql {
  return type.nullable ? sql`ifNull(${condition}, false)` : sql`(${condition})`;
}

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

/** ILIKE with `%`, `_` and backslash of the caller taken literally. */
function likePattern(parts: string[]): Sql {
  return literal(parts.map((part) => part.replace(/[\\%_]/g, String.raw`\$&`)).join('%'));
}

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
    return sql`mapContains(${identifier(expression.field.column)}, ${expression.field.key})`;
  }
  const value = emitExpression(expression);
  if (type.base === 'string') {
    return type.nullable ? sql`(ifNull(${value}, '') != '')` : sql`(${value} != '')`;
  }
  return type.nullable ? sql`(${value} IS NOT NULL)` : sql`true`;
}

const nonToken = String.raw`[^0-9A-Za-z\x{80}-\x{10FFFF}]`;

/**
 * Tokens are runs of ASCII letters and digits and of anything beyond ASCII, as the engine's token
 * index has them. One plain token is one look-up; text with other characters is found by its tokens
 * first (index), then letter for letter.
 */
function anyElement({ inner, list }: Extract<Condition, { kind: 'any' }>): Sql {
  const element = emitCondition(inner);
  return sql`arrayExists(${identifier('element')} -> ${element}, ${emitExpression(list)})`;
}

function tokens({
  operand,
  text: searched,
  openStart,
  openEnd,
}: Extract<Condition, { kind: 'tokens' }>): Sql {
  const lowered = searched.toLowerCase();
  const column = /^[\0-\x7f]*$/.test(searched)
    ? sql`lower(${text(operand)})`
    : sql`lowerUTF8(${text(operand)})`;
  const words = wholeTokens(lowered, openStart, openEnd).map(
    (token) => sql`hasToken(${column}, ${token})`,
  );
  const [word, ...otherWords] = words;
  if (!openStart && !openEnd && word && otherWords.length === 0 && isToken(lowered)) {
    return word;
  }
  const before = openStart || !startsWithToken(lowered) ? '' : `(?:^|${nonToken})`;
  const after = openEnd || !endsWithToken(lowered) ? '' : `(?:$|${nonToken})`;
  if (before === '' && after === '') {
    return sql`${text(operand)} ILIKE ${likePattern(['', searched, ''])}`;
  }
  const exact = sql`match(${column}, ${`(?s)${before}${lowered.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)}${after}`})`;
  return join([...words, exact], ' AND ');
}

const tokenRun = /[0-9a-z\u0080-\u{10ffff}]+/giu;
const isToken = (lowered: string): boolean => lowered.replace(tokenRun, '') === '';
const startsWithToken = (lowered: string): boolean => /^[0-9a-z\u0080-\u{10ffff}]/u.test(lowered);
const endsWithToken = (lowered: string): boolean => /[0-9a-z\u0080-\u{10ffff}]$/u.test(lowered);

/** The tokens that must be there whole: at an open end the outermost one may go on. */
function wholeTokens(lowered: string, openStart: boolean, openEnd: boolean): string[] {
  return [...lowered.matchAll(tokenRun)]
    .filter(
      (match) =>
        !(openStart && match.index === 0) &&
        !(openEnd && match.index + match[0].length === lowered.length),
    )
    .map((match) => match[0])
    .slice(0, 8);
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
