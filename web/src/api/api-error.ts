/** One invalid field of a request. */
interface FieldIssue {
  path: string;
  message: string;
}

/** A response that is no success, or none at all. The message is safe to show. */
export class ApiError extends Error {
  /** HTTP status; 0 if the server did not answer. */
  readonly status: number;
  readonly code: string;
  readonly requestId: string | undefined;
  readonly issues: readonly FieldIssue[];

  constructor(status: number, body: unknown) {
    const known = bodyOf(body);
    super(known.message ?? withoutCode(known.error) ?? fallback(status));
    this.name = 'ApiError';
    this.status = status;
    this.code = known.code ?? 'unavailable';
    this.requestId = known.requestId;
    this.issues = known.errors ?? [];
  }

  /** Message for one field of a form, by dotted path. */
  issueAt(path: string): string | undefined {
    return this.issues.find((issue) => issue.path === path)?.message;
  }
}

interface ErrorBody {
  message?: string;
  /** On the managed surface: a code word, a colon and the message. */
  error?: string;
  code?: string;
  requestId?: string;
  errors?: FieldIssue[];
}

function bodyOf(body: unknown): ErrorBody {
  return typeof body === 'object' && body !== null ? body : {};
}

const withoutCode = (error: string | undefined): string | undefined =>
  error?.replace(/^[A-Z_]+: /, '');

function fallback(status: number): string {
  return status === 0
    ? 'The server does not answer. Check the connection, then try again.'
    : `The server answered with status ${status}. Try again.`;
}
