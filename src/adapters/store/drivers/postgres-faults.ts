import { Fault } from '../../../contract/errors.ts';

/** The database undid the transaction for a reason that another try may not meet. */
export function mayRunAgain(error: unknown): boolean {
  return (
    ['40001', '40P01'].includes(codeOf(error)) ||
    isStale(error) ||
    (error instanceof Fault && mayRunAgain(error.cause))
  );
}

/**
 * A statement was prepared before its table got another shape: it works on another connection. A
 * newer version may add columns meanwhile.
 */
export function isStale(error: unknown): boolean {
  if (error instanceof Fault) {
    return isStale(error.cause);
  }
  return (
    codeOf(error) === '0A000' &&
    (error as { routine?: unknown }).routine === 'RevalidateCachedQuery'
  );
}

/** The connection is gone, or could not be made. */
export function isLost(error: unknown): boolean {
  const code = codeOf(error);
  if (/^(?:08...|57P0[1-3]|E[A-Z]{3,}|E[A-Z]+_[A-Z]+)$/.test(code)) {
    return true;
  }
  return (
    error instanceof Error &&
    code === '' &&
    /Connection terminated|connection timeout|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable/i.test(
      error.message,
    )
  );
}

/** What a caller may be told: nothing of the database's own text, which may carry values. */
export function postgresFault(error: unknown): unknown {
  if (error instanceof Fault) {
    return error;
  }
  const code = codeOf(error);
  if (code === '23505') {
    return new Fault('conflict', 'Another record already has this ID or name.', {
      cause: error,
    });
  }
  if (isLost(error) || mayRunAgain(error) || unavailableCode.test(code)) {
    return new Fault('unavailable', 'the metadata store is not available; try again', {
      cause: error,
      retryAfterSeconds: 5,
    });
  }
  return error;
}

/**
 * Out of resources, read-only (a standby after a failover), too slow, waited too long for a lock.
 */
const unavailableCode = /^(?:53...|25006|57014|55P03|25P03)$/;

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : '';
}
