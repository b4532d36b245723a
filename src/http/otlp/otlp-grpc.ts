import type { IncomingHttpHeaders } from 'node:http2';
import { Fault } from '../../contract/errors.ts';
import type { Ingest } from '../../core/otlp/ingest.ts';
import type { Signal } from '../../core/otlp/received-request.ts';
import type { Log } from '../../ports/ambient.ts';
import { GrpcStatus } from './grpc-message.ts';
import { GrpcServer, type GrpcServerLimits, type UnaryHandler } from './grpc-server.ts';
import { ingestionKey, type Authenticate, type IngestionTarget } from './ingestion-auth.ts';
import type { Receiver } from './otlp-http.ts';
import { encodeAcceptance, encodeRetryStatus, otlpStatus } from './otlp-status.ts';

export interface OtlpGrpcLimits extends GrpcServerLimits {
  /** Bytes of one message after decompression. */
  maxInflatedBytes: number;
}

export interface OtlpGrpcOptions {
  ingest: Ingest;
  authenticate: Authenticate;
  host: string;
  /** 0: any free one; see `address` after the start. */
  port: number;
  log: Log;
  limits?: Partial<OtlpGrpcLimits>;
}

const defaultLimits: OtlpGrpcLimits = {
  maxMessageBytes: 16 * 1024 * 1024,
  maxInflatedBytes: 64 * 1024 * 1024,
  maxReceivingBytes: 256 * 1024 * 1024,
  maxStreams: 64,
  requestTimeoutMs: 30_000,
  stopTimeoutMs: 8000,
};

const signals: Record<string, Signal> = {
  '/opentelemetry.proto.collector.logs.v1.LogsService/Export': 'logs',
  '/opentelemetry.proto.collector.trace.v1.TraceService/Export': 'traces',
  '/opentelemetry.proto.collector.metrics.v1.MetricsService/Export': 'metrics',
};

/** OTLP over gRPC: Export of the three services. Messages stay bytes until the core reads them. */
export function createOtlpGrpc(options: OtlpGrpcOptions): Receiver {
  const limits = { ...defaultLimits, ...options.limits };
  const server = new GrpcServer(handler(options, limits), limits);
  let address: Receiver['address'];
  return {
    async start() {
      const { host } = options;
      address = { host, port: await server.listen(host, options.port) };
    },
    async stop(withinMs = limits.stopTimeoutMs) {
      address = undefined;
      await server.stop(withinMs);
    },
    get address() {
      return address;
    },
  };
}

function handler(
  { ingest, authenticate, log }: OtlpGrpcOptions,
  { maxInflatedBytes }: OtlpGrpcLimits,
): UnaryHandler {
  return async ({ path, headers, abort, message }) => {
    const signal = Object.hasOwn(signals, path) ? signals[path] : undefined;
    if (!signal) {
      throw new GrpcStatus(12, 'only Export of the logs, trace and metrics services exists');
    }
    let database: string | undefined;
    try {
      // Before the message is read, so that only senders with a key can make us hold one.
      ({ database } = await identify(headers, authenticate));
      ingest.requireRoom(0, database);
      const acceptance = await ingest.accept({
        signal,
        encoding: 'protobuf',
        database,
        abort,
        maxInflatedBytes,
        ...(await message()),
      });
      return encodeAcceptance(signal, acceptance, 'protobuf');
    } catch (error) {
      if (!(error instanceof Fault) && !(error instanceof GrpcStatus) && !abort.aborted) {
        log.error({ err: error, signal }, 'OTLP request failed');
      }
      const status = error instanceof GrpcStatus ? error : grpcStatus(error);
      // A sender that has left gets no answer.
      if (database !== undefined && !abort.aborted) {
        ingest.refused(database, status.message);
      }
      throw status;
    }
  };
}

async function identify(
  { authorization }: IncomingHttpHeaders,
  authenticate: Authenticate,
): Promise<IngestionTarget> {
  const key = ingestionKey(authorization);
  const target = key === undefined ? undefined : await authenticate(key);
  if (!target) {
    throw new Fault('unauthorized', 'send the ingestion key as authorization metadata');
  }
  return target;
}

/**
 * A refusal that is worth a retry carries RetryInfo: without it senders take RESOURCE_EXHAUSTED for
 * final.
 */
function grpcStatus(error: unknown): GrpcStatus {
  const status = otlpStatus(error);
  const { retryAfterSeconds } = status;
  return new GrpcStatus(
    status.grpc,
    status.message,
    retryAfterSeconds === undefined
      ? {}
      : {
          'grpc-status-details-bin': Buffer.from(
            encodeRetryStatus(status, retryAfterSeconds),
          ).toString('base64'),
        },
  );
}
