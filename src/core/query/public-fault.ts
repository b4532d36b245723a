import { Fault, invalid, type Issue } from '../../contract/errors.ts';
import { TelemetryError, type TelemetryErrorKind } from '../../ports/telemetry.ts';

/**
 * What a caller is told when the engine refused or gave up. The engine's own text stays in the cause: it can hold SQL and
 * paths.
 */
const answers: Record<TelemetryErrorKind, (cause: TelemetryError) => Fault> = {
  syntax: (cause) =>
    refused(
      'the engine does not accept an expression of this request: check how functions and operators are used',
      cause,
    ),
  unknown_column: (cause) =>
    refused('a column is no longer there; its name is not known to the table', cause),
  type: (cause) =>
    refused(
      'types do not fit: an expression of this request uses a value as something it is not',
      cause,
    ),
  unknown_table: (cause) => refused('the table of a source does not exist', cause),
  too_many_rows: (cause) => refused(tooManyPoints, cause),
  memory: (cause) =>
    refused(
      'the query needs more memory than it may use: ask for a shorter range, fewer groups or a narrower condition',
      cause,
    ),
  timeout: (cause) =>
    new Fault(
      'timeout',
      'the query took too long and was stopped: ask for a shorter range or a narrower condition',
      { cause },
    ),
  aborted: (cause) => new Fault('unavailable', 'the query was stopped', { cause }),
  unavailable: (cause) =>
    new Fault('unavailable', 'the telemetry engine cannot be reached now', {
      cause,
      retryAfterSeconds: 5,
    }),
  other: (cause) => refused('the engine could not run this request', cause),
};

export const pointsMax = 100_000;
export const tooManyPoints = `more than ${pointsMax.toLocaleString('en')} points: choose a coarser granularity or fewer groups`;

export function publicFault(error: unknown): unknown {
  return error instanceof TelemetryError ? answers[error.kind](error) : error;
}

function refused(message: string, cause: unknown): Fault {
  return new Fault('bad_request', message, { cause, issues: [{ path: '', message }] });
}

/** @throws Fault naming every issue, where there are any. */
export function refuse(issues: Issue[]): void {
  if (issues.length > 0) {
    throw invalid(issues);
  }
}
