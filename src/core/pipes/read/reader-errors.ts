import { Fault } from '../../../contract/errors.ts';
import { ConnectionLost, SourceFailed } from '../../../ports/connector.ts';
import { ShardAway, TelemetryError } from '../../../ports/telemetry.ts';
import type { PipeEvent } from '../lifecycle.ts';
import { engineReason } from '../load/records/find-bad-rows.ts';

/** Whether storing can succeed later without a new reader. */
export function isTemporary(error: unknown): boolean {
  return (
    error instanceof TelemetryError ||
    (error instanceof Fault && (error.code === 'unavailable' || error.code === 'timeout'))
  );
}

/**
 * Fields for the log. Messages of the engine may quote records, and statements with secrets: only
 * the reason is logged.
 */
export function loggedReason(error: unknown): object {
  if (!(error instanceof TelemetryError)) {
    return { err: error };
  }
  const reason = engineReason(error.message)
    .replace(/ ?before: '[\s\S]*$/, '')
    .slice(0, 300);
  return { kind: error.kind, reason };
}

const unknownDatabase = /Code: 81\b|UNKNOWN_DATABASE/;

/** State message of a pipe that cannot store a range. */
export function troubleMessage(error: unknown): string {
  if (!(error instanceof TelemetryError)) {
    return 'the metadata store does not respond; the pipe continues when it does';
  }
  if (error instanceof ShardAway) {
    return `${error.message}; the pipe continues when it does`;
  }
  switch (error.kind) {
    case 'unavailable':
    case 'timeout':
    case 'aborted':
      return 'the destination does not respond; the pipe continues when it does';
    case 'unknown_table':
      return unknownDatabase.test(error.message)
        ? 'the database of the destination does not exist; create it again, or delete the pipe'
        : 'the destination table does not exist; create it again, or delete the pipe';
    case 'unknown_column':
      return 'the destination table lacks a column of the pipe; add it, or change destination.columns';
    case 'denied':
      return 'the engine denies the pipe a right that it needs; see the server log';
    case 'memory':
      return 'the destination has too little memory for an insert; the pipe retries';
    default:
      return 'the destination rejects the whole insert, not single records; see the server log';
  }
}

/** What a failed run means for the pipe. */
export function readerEvent(error: unknown): Extract<PipeEvent, { kind: 'trouble' | 'failed' }> {
  if (error instanceof SourceFailed) {
    return { kind: 'failed', message: error.message };
  }
  if (error instanceof ConnectionLost) {
    return { kind: 'trouble', message: `${error.message}; the pipe retries` };
  }
  const message = error instanceof Fault ? faultMessage(error) : engineMessage(error);
  return {
    kind: 'trouble',
    message: message ?? 'an unexpected error occurred; see the server log',
  };
}

function faultMessage(fault: Fault): string | undefined {
  switch (fault.code) {
    case 'conflict':
      return 'another process took over this reader';
    case 'bad_request':
      return `${fault.message}; the pipe retries`;
    case 'unavailable':
    case 'timeout':
      return troubleMessage(fault.cause instanceof TelemetryError ? fault.cause : fault);
    default:
      return undefined;
  }
}

/** Outside of inserts, an error that names no known kind says nothing about the rows. */
function engineMessage(error: unknown): string | undefined {
  const isKnown =
    error instanceof TelemetryError &&
    [
      'unavailable',
      'timeout',
      'aborted',
      'unknown_table',
      'unknown_column',
      'denied',
      'memory',
    ].includes(error.kind);
  return isKnown ? troubleMessage(error) : undefined;
}
