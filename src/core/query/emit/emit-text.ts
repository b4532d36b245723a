import { join, literal, sql, type Sql } from '../../../sql/sql.ts';
import type { Condition, Operand } from '../where/condition.ts';
import { emitExpression } from './emit-expression.ts';

/**
 * Case is folded in one way everywhere. ASCII text only meets ASCII case, because that is what the
 * token index holds. Any other text meets Unicode case, in which the two small sigmas are one letter:
 * which of them a capital becomes depends on its place in the word.
 */
function folded({ expression, type }: Operand, searched: string): { column: Sql; text: string } {
  const value = emitExpression(expression);
  // An enumeration has no case of its own.
  const column = type.anyText === true ? value : sql`toString(${value})`;
  const text = searched.toLowerCase().replaceAll('ς', 'σ');
  if (/^[\0-\x7f]*$/.test(searched)) {
    return { column: sql`lower(${column})`, text };
  }
  const lowered = sql`lowerUTF8(${column})`;
  return {
    column: text.includes('σ') ? sql`replaceAll(${lowered}, 'ς', 'σ')` : lowered,
    text,
  };
}

/** LIKE with `%`, `_` and backslash of the caller taken literally. */
export function emitPattern(operand: Operand, parts: readonly string[]): Sql {
  const { column } = folded(operand, parts.join(''));
  const pattern = parts.map((part) =>
    folded(operand, part).text.replace(/[\\%_]/g, String.raw`\$&`),
  );
  return sql`${column} LIKE ${literal(pattern.join('%'))}`;
}

const nonToken = String.raw`[^0-9A-Za-z\x{80}-\x{10FFFF}]`;

/**
 * Tokens are runs of ASCII letters and digits and of anything beyond ASCII, as the engine's token
 * index has them. One plain token is one look-up; text with other characters is found by its tokens
 * first (index), then letter for letter.
 */
export function emitTokens({
  operand,
  text: searched,
  openStart,
  openEnd,
}: Extract<Condition, { kind: 'tokens' }>): Sql {
  const { column, text: lowered } = folded(operand, searched);
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
    return emitPattern(operand, ['', searched, '']);
  }
  const escaped = lowered.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
  const exact = sql`match(${column}, ${`(?s)${before}${escaped}${after}`})`;
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
