import { ExpressionError, textMax } from '../fields/expression-error.ts';

/** A piece of an expression's text. `position` is where it starts, from 0. */
export type Token =
  | { kind: 'word'; text: string; position: number }
  | { kind: 'quoted_name'; text: string; position: number }
  | { kind: 'string'; text: string; position: number }
  | { kind: 'number'; text: string; position: number }
  | { kind: 'sign'; text: string; position: number }
  | { kind: 'end'; text: ''; position: number };

const signs = [
  '->',
  '::',
  '||',
  '!=',
  '<>',
  '<=',
  '>=',
  '==',
  '(',
  ')',
  '[',
  ']',
  ',',
  '.',
  '=',
  '<',
  '>',
  '+',
  '-',
  '*',
  '/',
  '%',
  '?',
  ':',
];
const blank = /[ \t\r\n\f\v\u00a0]+/y;
const word = /[A-Za-z_][A-Za-z0-9_]*/y;
const number =
  /(?:0[xX][0-9a-fA-F]{1,32}|(?:\d{1,80}(?:\.\d{0,80})?|\.\d{1,80})(?:[eE][+-]?\d{1,4})?)/y;

/**
 * Splits a text into tokens in one pass. Comments, `;`, parameters in braces, `@@` variables and
 * heredocs are errors.
 * @throws ExpressionError at the first character that is not allowed.
 */
export function tokenize(text: string): Token[] {
  if (text.length > textMax) {
    throw new ExpressionError(`an expression may have at most ${textMax} characters`);
  }
  const tokens: Token[] = [];
  let position = 0;
  while (position < text.length) {
    const space = take(blank, text, position);
    if (space !== '') {
      position += space.length;
      continue;
    }
    const [token, next] = read(text, position, tokens.at(-1));
    tokens.push(token);
    position = next;
  }
  return [...tokens, { kind: 'end', text: '', position: text.length }];
}

function read(text: string, position: number, before: Token | undefined): [Token, number] {
  const char = text.charAt(position);
  if (char === "'") {
    return quoted(text, position, 'string');
  }
  if (char === '`' || char === '"') {
    return quoted(text, position, 'quoted_name');
  }
  const name = take(word, text, position);
  if (name !== '') {
    return [{ kind: 'word', text: name, position }, position + name.length];
  }
  // After a dot, digits are the place in a tuple (`pair.1`), never a fraction.
  const digits =
    before?.text === '.' && before.kind === 'sign'
      ? take(/\d{1,4}/y, text, position)
      : take(number, text, position);
  if (digits !== '') {
    return [numberToken(text, position, digits), position + digits.length];
  }
  if (text.startsWith('--', position) || text.startsWith('/*', position) || char === '#') {
    throw new ExpressionError('comments are not allowed in an expression', position);
  }
  const sign = signs.find((candidate) => text.startsWith(candidate, position));
  if (sign === undefined) {
    throw new ExpressionError(refusal(char), position);
  }
  return [{ kind: 'sign', text: sign, position }, position + sign.length];
}

function numberToken(text: string, position: number, digits: string): Token {
  if (/[A-Za-z0-9_]/.test(text[position + digits.length] ?? '')) {
    throw new ExpressionError('not a number', position);
  }
  return { kind: 'number', text: digits, position };
}

function refusal(char: string): string {
  if (char === ';') {
    return 'only one expression is allowed; ";" is not part of it';
  }
  if (char === '{' || char === '}') {
    return 'parameters in braces are not allowed; write the value';
  }
  if (char === '@') {
    return 'system variables are not allowed';
  }
  return `the character ${JSON.stringify(char)} is not allowed here. Put text in single quotes`;
}

const escapes: Record<string, string> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  a: '\x07',
  e: '\x1b',
  0: '\0',
};

/**
 * Reads a quoted text up to the same quote. A doubled quote means one quote, and backslashes work
 * as in the engine.
 */
function quoted(text: string, open: number, kind: 'string' | 'quoted_name'): [Token, number] {
  const quote = text.charAt(open);
  let value = '';
  for (let position = open + 1; position < text.length; position++) {
    const char = text.charAt(position);
    if (char === '\\') {
      const [decoded, length] = unescape(text, position);
      value += decoded;
      position += length - 1;
    } else if (char !== quote) {
      value += char;
    } else if (text[position + 1] === quote) {
      value += quote;
      position++;
    } else {
      return [named({ kind, text: value, position: open }), position + 1];
    }
  }
  throw new ExpressionError('this quote is not closed', open);
}

function named(token: Token): Token {
  if (token.kind === 'quoted_name' && token.text === '') {
    throw new ExpressionError('a name cannot be empty', token.position);
  }
  return token;
}

function unescape(text: string, position: number): [string, number] {
  const next = text[position + 1];
  if (next === undefined) {
    throw new ExpressionError('a backslash needs a character after it', position);
  }
  const hex =
    next === 'x' ? /^[0-7][0-9a-fA-F]/.exec(text.slice(position + 2, position + 4)) : null;
  if (hex) {
    return [String.fromCharCode(Number.parseInt(hex[0], 16)), 4];
  }
  if (next === 'x') {
    throw new ExpressionError(
      '\\x takes two hexadecimal digits up to 7f; write other characters as they are',
      position,
    );
  }
  if (next === 'N') {
    throw new ExpressionError('\\N is not allowed; write NULL', position);
  }
  const plain = escapes[next];
  if (plain !== undefined) {
    return [plain, 2];
  }
  // The engine keeps the backslash before any other character ('\d' is two characters), except
  // quotes, backslash, slash and equals.
  return ["'", '"', '`', '\\', '/', '='].includes(next) ? [next, 2] : [`\\${next}`, 2];
}

function take(pattern: RegExp, text: string, position: number): string {
  pattern.lastIndex = position;
  return pattern.exec(text)?.[0] ?? '';
}
