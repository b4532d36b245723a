import { ExpressionError } from '../fields/expression-error.ts';

/**
 * Where a page ends. Newest first: the time of the last row in nanoseconds and the number of rows
 * already returned with exactly that time, so that new rows do not shift pages. In any other order:
 * the number of rows already returned.
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

/** @throws ExpressionError if the cursor does not belong to such a search */
export function readCursor(text: string | undefined, newestFirst: boolean): Cursor | undefined {
  if (text === undefined || text === '') {
    return undefined;
  }
  const plain = Buffer.from(text, 'base64url').toString();
  const match = newestFirst
    ? /^t\.(\d{1,19})\.(\d{1,6})$/.exec(plain)
    : /^o\.(\d{1,6})$/.exec(plain);
  if (!match) {
    throw new ExpressionError(
      'is not a cursor of this search; use the cursor from the previous page',
    );
  }
  const skip = Number(match.at(-1));
  if (skip > skipMax) {
    throw new ExpressionError(`a search returns at most ${skipMax} rows; use a shorter time range`);
  }
  return newestFirst ? { kind: 'time', nanos: match[1] ?? '', skip } : { kind: 'offset', skip };
}
