import { Fault } from '../../../contract/errors.ts';
import { moveRevision } from './identity-statements.ts';
import type { Session } from '../statements/session.ts';

/** A change and the new revision together, or neither. */
export function changing<T>(session: Session, work: (inside: Session) => Promise<T>): Promise<T> {
  return session.atomically(async (inside) => {
    const result = await work(inside);
    await inside.run(moveRevision, {});
    return result;
  });
}

/** The row of an INSERT … ON CONFLICT DO NOTHING. */
export function inserted<R>(row: R | undefined, what: string): R {
  if (!row) {
    throw new Fault('conflict', `${what} already exists`);
  }
  return row;
}

export function optional<R, T>(row: R | undefined, read: (row: R) => T): T | undefined {
  return row === undefined ? undefined : read(row);
}
