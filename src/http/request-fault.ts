import { Fault, faultCodes } from '../contract/errors.ts';
import { TelemetryError } from '../ports/telemetry.ts';

const fixedText = 'an unexpected error occurred; quote the request id when you report it';

/** Errors of the HTTP framework as faults. */
const frameworkFaults: Record<string, () => Fault> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: unsupportedMediaType,
  FST_ERR_CTP_BODY_TOO_LARGE: () =>
    new Fault('payload_too_large', 'the body is larger than 10 MiB'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new Fault('bad_request', 'the length of the body differs from Content-Length'),
  FST_ERR_BAD_URL: () => new Fault('bad_request', 'the path is not a valid URL'),
  FST_UNDER_PRESSURE: () =>
    new Fault('unavailable', 'the server is overloaded; try again', { retryAfterSeconds: 5 }),
};

export function unsupportedMediaType(): Fault {
  return new Fault('unsupported_media_type', 'the body must be application/json, not compressed');
}

/** Any error as a Fault. An unexpected error is a 500 that hides its cause; the log shows it. */
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
    return new Fault('bad_request', 'the request cannot be parsed', { cause: error });
  }
  return new Fault('internal', fixedText, { cause: error });
}

/** Errors of the engine that no verb has turned into a Fault: the caller did not cause them. */
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
