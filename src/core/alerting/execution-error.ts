import { Fault } from '../../contract/errors.ts';
import type { ExecutionError } from '../../ports/alert-store.ts';
import { TelemetryError } from '../../ports/telemetry.ts';
import { publicFault } from '../query/public-fault.ts';
import { InvalidAlert } from './question.ts';

/** A failure of evaluation as callers see it: never SQL, never the engine's own words. */
export function executionError(error: unknown, sinceMs: number): ExecutionError {
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

/** Whether asking for fewer alerts at once may help: one bad expression spoils a scan for all, an engine that is away does not. */
export function mayHelpToSplit(error: unknown, kind: 'shaped' | 'beside' | 'alone'): boolean {
  if (error instanceof TelemetryError) {
    if (error.kind === 'unavailable' || error.kind === 'aborted') {
      return false;
    }
    // A shaped scan costs the same for half of its alerts.
    return error.kind !== 'timeout' || kind === 'beside';
  }
  return !(error instanceof Fault) || error.code === 'bad_request';
}

/** The same error stays since when it began. */
export function merged(before: readonly ExecutionError[], now: ExecutionError): ExecutionError[] {
  const same = before.find(({ type, message }) => type === now.type && message === now.message);
  return [same ?? now];
}
