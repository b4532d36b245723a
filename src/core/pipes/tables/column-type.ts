import { identifier, literal, sql, trusted, type Sql } from '../../../sql/sql.ts';

/** Its message is safe to show. */
export class ColumnTypeError extends Error {}

const tokenPattern =
  /\s*(?:([A-Za-z_][A-Za-z0-9_]*)|(`(?:[^`\\]|\\.)+`|"(?:[^"\\]|\\.)+")|('(?:[^'\\]|\\.|'')*')|(-?\d+(?:\.\d+)?)|([(),=]))/y;
const depthMax = 16;

type Token = { kind: 'word' | 'name' | 'string' | 'number' | 'sign' | 'end'; text: string };

/**
 * Reads the text of a type token by token and prints it again: `Array(Nullable(String))`,
 * `Tuple(a UInt8, b String)`, `Enum8('x' = 1)`, `DateTime64(3, 'UTC')`. Only the engine knows whether
 * such a type exists.
 * @throws ColumnTypeError
 */
export function columnType(text: string): Sql {
  return typeOf(text, false);
}

/**
 * The same for a column that a caller defines. States of aggregate functions are refused: the engine
 * would read them unchecked from records of the source.
 * @throws ColumnTypeError
 */
export function recordColumnType(text: string): Sql {
  return typeOf(text, true);
}

function typeOf(text: string, refusesStates: boolean): Sql {
  const tokens = tokensOf(text);
  const cursor = { tokens, position: 0, refusesStates };
  const type = readType(cursor, 0);
  if (peek(cursor).kind !== 'end') {
    throw unexpected(cursor);
  }
  return type;
}

interface Cursor {
  tokens: Token[];
  position: number;
  refusesStates: boolean;
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  tokenPattern.lastIndex = 0;
  const kinds = ['word', 'name', 'string', 'number', 'sign'] as const;
  while (text.slice(tokenPattern.lastIndex).trim() !== '') {
    const from = tokenPattern.lastIndex;
    const match = tokenPattern.exec(text);
    if (!match) {
      throw new ColumnTypeError(
        `is not a column type: "${text.slice(from, from + 20).trim()}" is unexpected`,
      );
    }
    for (const [index, kind] of kinds.entries()) {
      const part = match[index + 1];
      if (part !== undefined) {
        tokens.push({ kind, text: part });
      }
    }
  }
  return tokens;
}

function readType(cursor: Cursor, depth: number): Sql {
  if (depth > depthMax) {
    throw new ColumnTypeError('is nested too deeply');
  }
  const name = next(cursor);
  if (name.kind !== 'word') {
    throw unexpected(cursor, name);
  }
  if (cursor.refusesStates && name.text.toLowerCase() === 'aggregatefunction') {
    throw new ColumnTypeError(
      'holds states of aggregate functions, which a pipe cannot load. ' +
        'Load the values, and aggregate them in a materialized view.',
    );
  }
  // A word of letters, digits and underscores: it can be nothing but a name.
  const type = trusted(name.text);
  if (peek(cursor).text !== '(') {
    return type;
  }
  next(cursor);
  let inner = sql``;
  for (let first = true; peek(cursor).text !== ')'; first = false) {
    if (!first) {
      expect(cursor, ',');
    }
    inner = first ? readArgument(cursor, depth) : sql`${inner}, ${readArgument(cursor, depth)}`;
  }
  expect(cursor, ')');
  return sql`${type}(${inner})`;
}

/** A type, a named type, a number, a text, or an enum's `'text' = number`. */
function readArgument(cursor: Cursor, depth: number): Sql {
  const first = peek(cursor);
  if (first.kind === 'number') {
    return sql`${trusted(next(cursor).text)}`;
  }
  if (first.kind === 'string') {
    return readEnumMember(cursor);
  }
  const following = cursor.tokens[cursor.position + 1];
  const named = first.kind === 'name' || (first.kind === 'word' && following?.kind === 'word');
  if (!named) {
    return readType(cursor, depth + 1);
  }
  const name = identifier(unquoted(next(cursor).text));
  return sql`${name} ${readType(cursor, depth + 1)}`;
}

function readEnumMember(cursor: Cursor): Sql {
  const text = literal(unquoted(next(cursor).text));
  if (peek(cursor).text !== '=') {
    return text;
  }
  next(cursor);
  const value = next(cursor);
  if (value.kind !== 'number') {
    throw unexpected(cursor, value);
  }
  return sql`${text} = ${trusted(value.text)}`;
}

function unquoted(text: string): string {
  const mark = text.charAt(0);
  if (mark !== "'" && mark !== '"' && mark !== '`') {
    return text;
  }
  return text
    .slice(1, -1)
    .replaceAll("''", mark === "'" ? "'" : "''")
    .replaceAll(/\\(.)/gs, '$1');
}

const peek = (cursor: Cursor): Token => cursor.tokens[cursor.position] ?? { kind: 'end', text: '' };

function next(cursor: Cursor): Token {
  const token = peek(cursor);
  cursor.position++;
  return token;
}

function expect(cursor: Cursor, sign: string): void {
  const token = next(cursor);
  if (token.text !== sign) {
    throw unexpected(cursor, token);
  }
}

function unexpected(cursor: Cursor, token = peek(cursor)): ColumnTypeError {
  return new ColumnTypeError(
    token.kind === 'end'
      ? 'is not a column type: it ends too early'
      : `is not a column type: "${token.text.slice(0, 20)}" is unexpected`,
  );
}
