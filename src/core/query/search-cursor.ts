import { ExpressionError } from './expression-error.ts';

/**
 * Where a page ends. Newest first: the time of the last row in nanoseconds and how many rows of that very time have been
 * shown, so that rows arriving meanwhile move nothing. In any other order: how many rows have been shown.
 */
export type Cursor =
  | { kind: 'time'; nanos: string; skip: number }
  | { kind: 'offset'; skip: number };

const skipMax = 100_000;

export function writeCursor(cursor: Cursor): string {
  return Buffer.from(
    cursor.kind === 'time' ? `t.${cursor.nanos}.${cursor.skip}` : `o.${cursor.skip}`,
  ).toString('base64url');
}

/** @throws ExpressionError for a cursor that is not of such a search. */
export function readCursor(text: string | undefined, newestFirst: boolean): Cursor | undefined {
  if (text === undefined || text === '') {
    return undefined;
  }
  const plain = Buffer.from(text, 'base64url').toString();
  const match = newestFirst
    ? /^t\.(\d{1,19})\.(\d{1,6})$/.exec(plain)
    : /^o\.(\d{1,6})$/.exec(plain);
  if (!match) {
    throw new ExpressionError('is not the cursor of a page of this search');
  }
  const skip = Number(match.at(-1));
  if (skip > skipMax) {
    throw new ExpressionError(`a search goes at most ${skipMax} rows deep: narrow the time range`);
  }
  return newestFirst ? { kind: 'time', nanos: match[1]!, skip } : { kind: 'offset', skip };
}
