/** How the elements of an array are written. */
export interface ArrayElements {
  encode(text: string): string;
  /** Stands for an element that is NULL. */
  nullText: string;
  delimiter: string;
  /** Declared dimensions, at least 1: so deep is the answer, whatever the value is. */
  dimensions: number;
}

const openBrace = 0x7b;
const closeBrace = 0x7d;
const quote = 0x22;
const backslash = 0x5c;

/**
 * PostgreSQL's array text as a JSON array. PostgreSQL does not hold a column to its declared dimensions: a value with fewer is wrapped,
 * of one with more the outer levels are run together, so that all elements are kept in order. Lower bounds are left out.
 */
export function arrayJson(
  text: string,
  { encode, nullText, delimiter, dimensions }: ArrayElements,
): string {
  if (text === '{}') {
    return '[]';
  }
  let at = text.charCodeAt(0) === openBrace ? 0 : text.indexOf('=') + 1;
  let depthOfValue = 0;
  while (text.charCodeAt(at + depthOfValue) === openBrace) {
    depthOfValue++;
  }
  const shown = shownLevels(depthOfValue, dimensions);
  const separator = delimiter.charCodeAt(0);
  let json = '['.repeat(Math.max(0, dimensions - depthOfValue));
  let depth = 0;
  let first = true;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
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
      const end = code === quote ? closingQuote(text, at) : bareEnd(text, at, separator);
      const element = code === quote ? unescaped(text.slice(at + 1, end)) : text.slice(at, end + 1);
      const value = code !== quote && element === 'NULL' ? nullText : encode(element);
      json += first ? value : `,${value}`;
      first = false;
      at = end;
    }
  }
  return json + ']'.repeat(Math.max(0, dimensions - depthOfValue));
}

/** Which levels of the value's braces are levels of the answer: the outermost, and the innermost ones that are declared. */
function shownLevels(valueDepth: number, dimensions: number): (depth: number) => boolean {
  const excess = valueDepth - dimensions;
  return excess <= 0 ? () => true : (depth) => depth === 1 || depth > excess + 1;
}

function closingQuote(text: string, at: number): number {
  let end = at + 1;
  for (; text.charCodeAt(end) !== quote; end++) {
    if (text.charCodeAt(end) === backslash) {
      end++;
    }
  }
  return end;
}

/** The last character of an element without quotes: it contains no brace, no separator and no backslash. */
function bareEnd(text: string, at: number, separator: number): number {
  let end = at;
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
