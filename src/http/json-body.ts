import { isUtf8 } from 'node:buffer';
import { Fault, invalid, type Issue } from '../contract/errors.ts';

const maxDepth = 64;

/** A JSON body as a value; undefined for an empty one. @throws Fault `bad_request`. */
export function jsonBody(bytes: Buffer): unknown {
  if (bytes.length === 0) {
    return undefined;
  }
  if (!isUtf8(bytes)) {
    throw new Fault('bad_request', 'the body is not UTF-8');
  }
  const text = bytes.toString('utf8');
  if (deeperThan(text, maxDepth)) {
    throw new Fault('bad_request', `the body is nested deeper than ${maxDepth} levels`);
  }
  const value = parsed(text);
  if (text.includes('\\u')) {
    refuseUnstorableText(value);
  }
  return value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const position = /position (\d+)/.exec((error as Error).message)?.[1];
    throw new Fault(
      'bad_request',
      `the body is not valid JSON${position === undefined ? '' : ` (at character ${position})`}`,
    );
  }
}

/** Counts brackets outside strings, before any parser recurses. */
function deeperThan(text: string, limit: number): boolean {
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    switch (text.charCodeAt(index)) {
      case 0x22:
        index = endOfString(text, index);
        break;
      case 0x5b:
      case 0x7b:
        if (++depth > limit) {
          return true;
        }
        break;
      case 0x5d:
      case 0x7d:
        depth--;
        break;
    }
  }
  return false;
}

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === 0x5c) {
      backslashes++;
    }
    if (backslashes % 2 === 0) {
      return end;
    }
  }
  return text.length;
}

/**
 * NUL and lone surrogates can be written in JSON but not be stored by every store: refused at the
 * border, all of them at once.
 */
function refuseUnstorableText(value: unknown): void {
  const issues: Issue[] = [];
  const visit = (item: unknown, path: string): void => {
    if (typeof item === 'string') {
      if (item.includes('\0') || !item.isWellFormed()) {
        issues.push({ path, message: 'must not contain NUL or half a surrogate pair' });
      }
    } else if (typeof item === 'object' && item !== null) {
      for (const [key, inner] of Object.entries(item)) {
        visit(key, path);
        visit(inner, path === '' ? key : `${path}.${key}`);
      }
    }
  };
  visit(value, '');
  if (issues.length > 0) {
    throw invalid(issues);
  }
}
