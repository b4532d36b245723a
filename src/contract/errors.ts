/**
 * An error at one path of the caller's input. `path` is dotted (`series.0.sourceId`); '' is the
 * whole body.
 */
export interface Issue {
  path: string;
  message: string;
}

/**
 * Every error that a caller can see. The surface turns a code into a status; `word` is the code
 * word of the managed surface.
 */
export const faultCodes = {
  bad_request: { status: 400, word: 'BAD_REQUEST' },
  unauthorized: { status: 401, word: 'UNAUTHORIZED' },
  forbidden: { status: 403, word: 'FORBIDDEN' },
  not_found: { status: 404, word: 'NOT_FOUND' },
  method_not_allowed: { status: 405, word: 'BAD_REQUEST' },
  conflict: { status: 409, word: 'CONFLICT' },
  precondition_failed: { status: 412, word: 'CONFLICT' },
  payload_too_large: { status: 413, word: 'BAD_REQUEST' },
  unsupported_media_type: { status: 415, word: 'BAD_REQUEST' },
  rate_limited: { status: 429, word: 'RATE_LIMITED' },
  internal: { status: 500, word: 'INTERNAL' },
  unavailable: { status: 503, word: 'INTERNAL' },
  timeout: { status: 504, word: 'INTERNAL' },
} as const satisfies Record<string, { status: number; word: string }>;

export type FaultCode = keyof typeof faultCodes;

export interface FaultOptions {
  /** Only for the log; never returned to a caller. */
  cause?: unknown;
  issues?: Issue[];
  /** Seconds to wait before a retry. */
  retryAfterSeconds?: number;
}

/** A failure with a message that is safe to show. The cause is for the log. */
export class Fault extends Error {
  readonly code: FaultCode;
  readonly issues: Issue[] | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: FaultCode, publicMessage: string, options: FaultOptions = {}) {
    super(publicMessage, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'Fault';
    this.code = code;
    this.issues = options.issues;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

const issuesShown = 100;

/** A 400 that lists every invalid path, at most the first hundred. */
export function invalid(all: Issue[]): Fault {
  const issues = all.slice(0, issuesShown);
  const text = issues
    .map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
    .join('; ');
  const more = all.length - issues.length;
  return new Fault('bad_request', more > 0 ? `${text}; and ${more} more` : text, { issues });
}

/** A 404, identical for an object that does not exist and for one of another owner. */
export function notFound(noun: string): Fault {
  return new Fault('not_found', `${noun} not found`);
}
