import { PbfWriter } from 'pbf';
import { Fault, type FaultCode } from '../../contract/errors.ts';
import type { Acceptance } from '../../core/otlp/ingest.ts';
import type { Encoding, Signal } from '../../core/otlp/received-request.ts';

/** What a failed request is answered with, whatever the transport. */
export interface OtlpStatus {
  /** Status of HTTP. Only 429 and 503 (of those given here) tell a sender to try again. */
  http: number;
  /** Code of google.rpc.Status and of gRPC. */
  grpc: number;
  message: string;
  /** Set where the sender should try again. */
  retryAfterSeconds: number | undefined;
}

/** gRPC's codes for our faults; what is not listed is INTERNAL (13). */
const grpcCodes: Partial<Record<FaultCode, number>> = {
  bad_request: 3,
  not_found: 12,
  method_not_allowed: 12,
  forbidden: 7,
  unauthorized: 16,
  payload_too_large: 8,
  unsupported_media_type: 3,
  rate_limited: 8,
  unavailable: 14,
  timeout: 14,
};
const httpCodes: Partial<Record<FaultCode, number>> = {
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  payload_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  unavailable: 503,
  timeout: 503,
};

/**
 * A failure as its sender sees it. What is not a fault is our own failure, and says no more than
 * that.
 */
export function otlpStatus(error: unknown): OtlpStatus {
  if (!(error instanceof Fault)) {
    return { http: 500, grpc: 13, message: 'internal error', retryAfterSeconds: undefined };
  }
  const { code, message } = error;
  const retryAfterSeconds =
    code === 'rate_limited' || code === 'unavailable' || code === 'timeout'
      ? (error.retryAfterSeconds ?? 1)
      : undefined;
  return { http: httpCodes[code] ?? 500, grpc: grpcCodes[code] ?? 13, message, retryAfterSeconds };
}

/** google.rpc.Status, the body of every failure over HTTP. */
export function encodeStatus(status: OtlpStatus, encoding: Encoding): Uint8Array {
  if (encoding === 'json') {
    return Buffer.from(JSON.stringify({ code: status.grpc, message: status.message }));
  }
  const writer = new PbfWriter();
  writer.writeVarintField(1, status.grpc);
  writer.writeStringField(2, status.message);
  return writer.finish();
}

/** google.rpc.Status with a RetryInfo in its details: how gRPC tells a sender when to try again. */
export function encodeRetryStatus(status: OtlpStatus, retryAfterSeconds: number): Uint8Array {
  const writer = new PbfWriter();
  writer.writeVarintField(1, status.grpc);
  writer.writeStringField(2, status.message);
  writer.writeMessage(
    3,
    (_: undefined, any) => {
      any.writeStringField(1, 'type.googleapis.com/google.rpc.RetryInfo');
      any.writeMessage(
        2,
        (_: undefined, retryInfo) => {
          retryInfo.writeMessage(
            1,
            (_: undefined, duration) => duration.writeVarintField(1, retryAfterSeconds),
            undefined,
          );
        },
        undefined,
      );
    },
    undefined,
  );
  return writer.finish();
}

const rejectedNames: Record<Signal, string> = {
  logs: 'rejectedLogRecords',
  traces: 'rejectedSpans',
  metrics: 'rejectedDataPoints',
};

/**
 * The Export…ServiceResponse of a request that was stored; it is empty unless records were refused.
 */
export function encodeAcceptance(
  signal: Signal,
  { rejected, message }: Acceptance,
  encoding: Encoding,
): Uint8Array {
  if (encoding === 'json') {
    return Buffer.from(
      JSON.stringify(
        rejected === 0
          ? {}
          : {
              partialSuccess: { [rejectedNames[signal]]: String(rejected), errorMessage: message },
            },
      ),
    );
  }
  const writer = new PbfWriter();
  if (rejected > 0) {
    writer.writeMessage(
      1,
      (_: undefined, partial) => {
        partial.writeVarintField(1, rejected);
        partial.writeStringField(2, message);
      },
      undefined,
    );
  }
  return writer.finish();
}
