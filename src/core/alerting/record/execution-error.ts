import { Fault } from '../../../contract/errors.ts';
import type { StoredExecutionError } from '../../../ports/store/alert-store.ts';
import { publicFault } from '../../query/run/public-fault.ts';
import { InvalidAlert } from '../ask/question.ts';
import { tooManyGroupsMessage } from '../decide/readings.ts';

export class TooManyGroups extends Error {
  constructor() {
    super(tooManyGroupsMessage);
    this.name = 'TooManyGroups';
  }
}

/** A failed evaluation as callers see it: no SQL and no text of the engine. */
export function executionError(error: unknown, sinceMs: number): StoredExecutionError {
  if (error instanceof TooManyGroups) {
    return { type: 'TOO_MANY_GROUPS', message: error.message, sinceMs };
  }
  if (error instanceof InvalidAlert) {
    return { type: 'INVALID_ALERT', message: error.message, sinceMs };
  }
  const fault = publicFault(error);
  if (!(fault instanceof Fault)) {
    return { type: 'QUERY_ERROR', message: 'the query failed', sinceMs };
  }
  return {
    type: fault.code === 'timeout' ? 'QUERY_TIMEOUT' : 'QUERY_ERROR',
    message: fault.message,
    sinceMs,
  };
}

/** An error that persists keeps the time at which it began. */
export function withFirstTime(
  before: readonly StoredExecutionError[],
  now: StoredExecutionError,
): StoredExecutionError {
  return before.find(({ type, message }) => type === now.type && message === now.message) ?? now;
}
