import { Fault, faultCodes } from '../contract/errors.ts';
import { TelemetryError } from '../ports/telemetry.ts';

const fixedText = 'an unexpected error occurred; quote the request id when you report it';

/** What the HTTP framework itself refuses, in our words. */
const frameworkFaults: Record<string, () => Fault> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: unsupportedMediaType,
  FST_ERR_CTP_BODY_TOO_LARGE: () =>
    new Fault('payload_too_large', 'the body is larger than 10 MiB'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new Fault('bad_request', 'the body is not as long as Content-Length says'),
  FST_ERR_BAD_URL: () => new Fault('bad_request', 'the path is not a valid URL'),
  FST_UNDER_PRESSURE: () =>
    new Fault('unavailable', 'the server is overloaded; try again', { retryAfterSeconds: 5 }),
};

export function unsupportedMediaType(): Fault {
  return new Fault('unsupported_media_type', 'the body must be application/json, not compressed');
}

/** Any failure as a Fault. What nobody expected becomes a 500 that says nothing of its cause; the cause is for the log. */
export function requestFault(error: unknown): Fault {
  if (error instanceof Fault) {
    return error;
  }
  if (error instanceof TelemetryError) {
    return telemetryFault(error);
  }
  const { code, statusCode } = (typeof error === 'object' && error !== null ? error : {}) as {
    code?: unknown;
    statusCode?: unknown;
  };
  const known = typeof code === 'string' ? frameworkFaults[code] : undefined;
  if (known) {
    return known();
  }
  if (statusCode === 400) {
    return new Fault('bad_request', 'the request could not be read', { cause: error });
  }
  return new Fault('internal', fixedText, { cause: error });
}

/** Verbs turn what they understand of the engine's errors into Faults; these are the ones that are nobody's mistake. */
function telemetryFault(error: TelemetryError): Fault {
  if (error.kind === 'unavailable' || error.kind === 'aborted') {
    return new Fault('unavailable', 'the telemetry engine cannot be reached; try again', {
      cause: error,
    });
  }
  if (error.kind === 'timeout') {
    return new Fault('timeout', 'the query took too long', { cause: error });
  }
  return new Fault('internal', fixedText, { cause: error });
}

export const statusOf = (fault: Fault): number => faultCodes[fault.code].status;
