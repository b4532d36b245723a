/** How to write the elements of an array. */
export interface ArrayElements {
  encode(text: string): string;
  /** JSON for an element that is NULL. */
  nullText: string;
  delimiter: string;
  /** Declared dimensions, at least 1. The result has this depth, whatever depth the value has. */
  dimensions: number;
}

const openBrace = 0x7b;
const closeBrace = 0x7d;
const quote = 0x22;
const backslash = 0x5c;

/**
 * Converts PostgreSQL's array text to a JSON array. PostgreSQL does not enforce a column's declared
 * dimensions: a value with fewer is wrapped, and of a value with more the outer levels are
 * flattened, so that all elements stay in order. Lower bounds are dropped.
 */
export function arrayJson(
  text: string,
  { encode, nullText, delimiter, dimensions }: ArrayElements,
): string {
  if (text === '{}') {
    return '[]';
  }
  let index = text.charCodeAt(0) === openBrace ? 0 : text.indexOf('=') + 1;
  let depthOfValue = 0;
  while (text.charCodeAt(index + depthOfValue) === openBrace) {
    depthOfValue++;
  }
  const shown = shownLevels(depthOfValue, dimensions);
  const separator = delimiter.charCodeAt(0);
  let json = '['.repeat(Math.max(0, dimensions - depthOfValue));
  let depth = 0;
  let first = true;
  for (; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === separator) {
      continue;
    }
    if (code === openBrace) {
      if (!shown(++depth)) {
        continue;
      }
      json += first ? '[' : ',[';
      first = true;
    } else if (code === closeBrace) {
      if (!shown(depth--)) {
        continue;
      }
      json += ']';
      first = false;
    } else {
      const isQuoted = code === quote;
      const end = isQuoted ? closingQuote(text, index) : bareEnd(text, index, separator);
      const element = isQuoted ? unescaped(text.slice(index + 1, end)) : text.slice(index, end + 1);
      const value = !isQuoted && element === 'NULL' ? nullText : encode(element);
      json += first ? value : `,${value}`;
      first = false;
      index = end;
    }
  }
  return json + ']'.repeat(Math.max(0, dimensions - depthOfValue));
}

/**
 * Tells which levels of the value's braces are levels of the result: the outermost, and the
 * innermost ones that are declared.
 */
function shownLevels(valueDepth: number, dimensions: number): (depth: number) => boolean {
  const excess = valueDepth - dimensions;
  return excess <= 0 ? () => true : (depth) => depth === 1 || depth > excess + 1;
}

function closingQuote(text: string, start: number): number {
  let end = start + 1;
  for (; text.charCodeAt(end) !== quote; end++) {
    if (text.charCodeAt(end) === backslash) {
      end++;
    }
  }
  return end;
}

/**
 * Index of the last character of an element without quotes. Such an element contains no brace, no
 * separator and no backslash.
 */
function bareEnd(text: string, start: number, separator: number): number {
  let end = start;
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (code === separator || code === closeBrace) {
      break;
    }
  }
  return end - 1;
}

function unescaped(text: string): string {
  return text.includes('\\') ? text.replaceAll(/\\([\s\S])/g, '$1') : text;
}
