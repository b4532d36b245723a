import { Fault, invalid, type Issue } from '../../../contract/errors.ts';
import { TelemetryError, type TelemetryErrorKind } from '../../../ports/telemetry.ts';

/**
 * Faults for callers when a query fails at the engine. The engine's own text stays in the cause,
 * because it may contain SQL and paths.
 */
const faults: Record<TelemetryErrorKind, (cause: TelemetryError) => Fault> = {
  syntax: (cause) =>
    refused(
      'the engine rejected an expression of this request. Check the use of functions and operators.',
      cause,
    ),
  unknown_column: (cause) =>
    refused('a column of this request no longer exists in the table', cause),
  type: (cause) =>
    refused(
      'an expression of this request uses a value with the wrong type. Check its operands and arguments.',
      cause,
    ),
  unknown_table: (cause) => refused('the table of a source does not exist', cause),
  table_exists: (cause) => refused('the table exists already', cause),
  denied: (cause) =>
    refused(
      'the engine refused to read a table of this request. A team can read only its own telemetry database.',
      cause,
    ),
  too_many_rows: (cause) => refused(tooManyPoints, cause),
  memory: (cause) =>
    refused(
      'the query exceeded its memory limit. Use a shorter range, fewer groups or a narrower condition.',
      cause,
    ),
  timeout: (cause) =>
    new Fault(
      'timeout',
      'the query took too long and was stopped: ask for a shorter range or a narrower condition',
      { cause },
    ),
  aborted: (cause) => new Fault('unavailable', 'the query was canceled', { cause }),
  unavailable: (cause) =>
    new Fault('unavailable', 'the telemetry engine is unavailable', {
      cause,
      retryAfterSeconds: 5,
    }),
  other: (cause) => refused('the engine could not run this request', cause),
};

export const pointsMax = 100_000;
export const tooManyPoints =
  `the result has more than ${pointsMax.toLocaleString('en')} points. ` +
  'Use a coarser granularity or fewer groups.';

export function publicFault(error: unknown): unknown {
  return error instanceof TelemetryError ? faults[error.kind](error) : error;
}

function refused(message: string, cause: unknown): Fault {
  return new Fault('bad_request', message, { cause, issues: [{ path: '', message }] });
}

/** @throws Fault with every issue, if there are any */
export function refuse(issues: Issue[]): void {
  if (issues.length > 0) {
    throw invalid(issues);
  }
}

/**
 * What was not found may be on a shard that does not respond.
 * @throws Fault unavailable in that case
 */
export function requireWhole(
  { missingShards }: { missingShards: ReadonlySet<number> },
  isFound: boolean,
): void {
  if (!isFound && missingShards.size > 0) {
    throw new Fault(
      'unavailable',
      `shard ${[...missingShards].join(', ')} of the ClickHouse cluster does not respond, ` +
        'and the other shards do not have this. Send the request again later.',
      { retryAfterSeconds: 5 },
    );
  }
}
