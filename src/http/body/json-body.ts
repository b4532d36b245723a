import { isUtf8 } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Fault, invalid, type Issue } from '../../contract/errors.ts';
import { JsonStructure } from './json-structure.ts';

/** What is read in one go: a millisecond or two. */
const sliceBytes = 256 * 1024;

/**
 * A JSON body as a value; undefined for an empty one. Large bodies are checked in slices, so that
 * they do not hold the event loop. @throws Fault `bad_request` or `payload_too_large`.
 */
export async function jsonBody(bytes: Buffer): Promise<unknown> {
  if (bytes.length === 0) {
    return undefined;
  }
  const structure = new JsonStructure(bytes);
  while (!structure.read(sliceBytes)) {
    await nextTurn();
  }
  if (bytes.length > sliceBytes) {
    await nextTurn();
  }
  return checkedBody(bytes);
}

function checkedBody(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) {
    throw new Fault('bad_request', 'the body is not UTF-8');
  }
  const value = parsed(bytes.toString('utf8'));
  if (bytes.includes('\\u')) {
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
