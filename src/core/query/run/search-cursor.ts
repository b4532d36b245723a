import { ExpressionError } from '../fields/expression-error.ts';

/**
 * The identity of a row: its event time in nanoseconds and the hash of all its columns. Rows that
 * are equal in every column share it.
 */
export interface RowContent {
  nanos: string;
  /** 32 lower-case hex digits. */
  hash: string;
}

/** The position of a row among equal rows, from 0, makes its identity unique. */
export interface RowIdentity extends RowContent {
  occurrence: number;
}

/** The last row of a page. Storage may move rows and new rows may arrive without changing it. */
export interface Cursor extends RowContent {
  /**
   * Rows with the same place in the order follow on the next page: those with a greater hash, and
   * `equalRows` onwards of the rows that are equal to this one (0: none of them). Undefined: no such
   * row follows.
   */
  ties: { equalRows: number } | undefined;
}

export function writeIdentity({ nanos, hash, occurrence }: RowIdentity): string {
  return occurrence === 0 ? `${nanos}-${hash}` : `${nanos}-${hash}-${occurrence}`;
}

const identityForm = /^(-?\d{1,19})-([0-9a-f]{32})(?:-([1-9]\d{0,8}))?$/;

/** @throws ExpressionError if the text is not the `_id` of a row */
export function readIdentity(text: string): RowIdentity {
  const [, nanos, hash, occurrence = '0'] = identityForm.exec(text) ?? [];
  if (nanos === undefined || hash === undefined) {
    throw new ExpressionError('is not the `_id` of a row; use the `_id` that a search returned');
  }
  return { nanos, hash, occurrence: Number(occurrence) };
}

export function writeCursor({ nanos, hash, ties }: Cursor): string {
  const text = ties ? `${nanos}.${hash}.${ties.equalRows}` : `${nanos}.${hash}`;
  return Buffer.from(text).toString('base64url');
}

const cursorForm = /^(-?\d{1,19})\.([0-9a-f]{32})(?:\.(\d{1,9}))?$/;

/** @throws ExpressionError if the text is not a cursor */
export function readCursor(text: string | undefined): Cursor | undefined {
  if (text === undefined || text === '') {
    return undefined;
  }
  const plain = Buffer.from(text, 'base64url').toString();
  const [, nanos, hash, equalRows] = cursorForm.exec(plain) ?? [];
  if (nanos === undefined || hash === undefined) {
    throw new ExpressionError(
      'is not a cursor of this search; use the cursor from the previous page',
    );
  }
  return {
    nanos,
    hash,
    ties: equalRows === undefined ? undefined : { equalRows: Number(equalRows) },
  };
}
