import { TelemetryError, type TelemetryErrorKind } from '../../ports/telemetry.ts';
import { EngineFailure } from './engine-failure.ts';

/** ClickHouse's exception codes, by what they mean to us. A code that is not listed is `other`. */
const codes: Record<Exclude<TelemetryErrorKind, 'other'>, readonly number[]> = {
  // Besides the grammar: unknown functions and wrong argument counts, which are equally a text that
  // cannot be run.
  syntax: [36, 34, 35, 42, 46, 62, 63, 80, 133, 179, 183, 184, 215, 352, 403],
  unknown_column: [8, 10, 16, 47, 207],
  type: [
    6, 26, 27, 32, 38, 41, 43, 44, 53, 69, 70, 72, 117, 130, 131, 258, 321, 349, 376, 386, 407, 441,
    675, 676,
  ],
  timeout: [159, 160],
  too_many_rows: [158, 307, 396],
  memory: [173, 241],
  aborted: [394],
  unavailable: [32_000, 198, 202, 203, 209, 210, 236, 242, 243, 252, 279, 319, 425, 516, 745, 999],
  unknown_table: [60, 81],
  table_exists: [57],
  denied: [497],
};

const kindOfCode = new Map(
  Object.entries(codes).flatMap(([kind, list]) =>
    list.map((code) => [code, kind as TelemetryErrorKind] as const),
  ),
);

/** What the engine threw, as the port's one error. */
export function engineError(cause: unknown): TelemetryError {
  if (cause instanceof TelemetryError) {
    return cause;
  }
  const message = messageOf(cause);
  const code = cause instanceof EngineFailure ? cause.code : /Code: (\d+)[.,]/.exec(message)?.[1];
  // Without a code it never was the engine that spoke: a refused or broken connection, a closed
  // session.
  const kind = code === undefined ? 'unavailable' : (kindOfCode.get(Number(code)) ?? 'other');
  return new TelemetryError(kind, message, { cause });
}

/** A host with several addresses that all refuse gives an error with a code and no text. */
function messageOf(cause: unknown): string {
  if (!(cause instanceof Error)) {
    return String(cause);
  }
  return cause.message === '' && 'code' in cause ? String(cause.code) : cause.message;
}

/** Whether the engine could not be reached, or went away before it had answered. */
export function connectionBroke(error: unknown): boolean {
  const cause = error instanceof TelemetryError ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return /^(ECONNRESET|ECONNREFUSED|EPIPE|UND_ERR_SOCKET)$/.test(code);
}
