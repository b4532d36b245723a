import {
  Metadata,
  Server,
  ServerCredentials,
  ServerInterceptingCall,
  ServerListenerBuilder,
  status,
  type handleUnaryCall,
  type ServerInterceptor,
  type ServiceDefinition,
} from '@grpc/grpc-js';
import { Fault } from '../../contract/errors.ts';
import type { Ingest, Signal } from '../../core/otlp/ingest.ts';
import type { Log } from '../../ports/ambient.ts';
import { ingestionKey, type Authenticate, type IngestionTarget } from './ingestion-auth.ts';
import type { Receiver } from './otlp-http.ts';
import { encodeAcceptance, encodeRetryStatus, otlpStatus } from './otlp-status.ts';

export interface OtlpGrpcLimits {
  /** Of one message, compressed or not. */
  maxMessageBytes: number;
  /** Requests at a time on one connection. */
  maxStreams: number;
  /** How long a stop waits for requests that are under way. */
  stopTimeoutMs: number;
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
  maxStreams: 64,
  stopTimeoutMs: 8000,
};

const services: Record<Signal, string> = {
  logs: 'opentelemetry.proto.collector.logs.v1.LogsService',
  traces: 'opentelemetry.proto.collector.trace.v1.TraceService',
  metrics: 'opentelemetry.proto.collector.metrics.v1.MetricsService',
};

/** OTLP over gRPC: Export of the three services. Messages stay bytes until the core reads them. */
export function createOtlpGrpc(options: OtlpGrpcOptions): Receiver {
  const limits = { ...defaultLimits, ...options.limits };
  const server = new Server({
    'grpc.max_receive_message_length': limits.maxMessageBytes,
    'grpc.max_concurrent_streams': limits.maxStreams,
    'grpc.keepalive_time_ms': 60_000,
    'grpc.keepalive_timeout_ms': 20_000,
    interceptors: [refuseStrangers(options.authenticate)],
  });
  for (const signal of Object.keys(services) as Signal[]) {
    server.addService(definition(services[signal]), { Export: handler(signal, options) });
  }
  let address: Receiver['address'];
  return {
    async start() {
      address = { host: options.host, port: await bind(server, options.host, options.port) };
    },
    async stop() {
      address = undefined;
      const force = setTimeout(() => server.forceShutdown(), limits.stopTimeoutMs);
      await new Promise<void>((resolve) => server.tryShutdown(() => resolve()));
      clearTimeout(force);
    },
    get address() {
      return address;
    },
  };
}

function bind(server: Server, host: string, port: number): Promise<number> {
  const target = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  return new Promise((resolve, reject) => {
    server.bindAsync(target, ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
}

const asBytes = (bytes: Buffer): Buffer => bytes;

function definition(service: string): ServiceDefinition {
  return {
    Export: {
      path: `/${service}/Export`,
      requestStream: false,
      responseStream: false,
      requestSerialize: asBytes,
      requestDeserialize: asBytes,
      responseSerialize: asBytes,
      responseDeserialize: asBytes,
    },
  };
}

/** Before the message is read, so that only senders with a key can make us hold one. */
function refuseStrangers(authenticate: Authenticate): ServerInterceptor {
  return (_method, call) =>
    new ServerInterceptingCall(call, {
      start: (next) =>
        next(
          new ServerListenerBuilder()
            .withOnReceiveMetadata((metadata, pass) => {
              identify(metadata, authenticate).then(
                () => pass(metadata),
                (error: unknown) => call.sendStatus(statusOf(error)),
              );
            })
            .build(),
        ),
    });
}

function handler(
  signal: Signal,
  { ingest, authenticate, log }: OtlpGrpcOptions,
): handleUnaryCall<Buffer, Buffer> {
  const accept = async (body: Buffer, metadata: Metadata): Promise<Buffer> => {
    const { database } = await identify(metadata, authenticate);
    return Buffer.from(
      encodeAcceptance(signal, await ingest.accept(signal, 'protobuf', body, database), 'protobuf'),
    );
  };
  return (call, answer) => {
    accept(call.request, call.metadata).then(
      (response) => answer(null, response),
      (error: unknown) => {
        if (!(error instanceof Fault)) {
          log.error({ err: error, signal }, 'OTLP request failed');
        }
        answer(statusOf(error));
      },
    );
  };
}

async function identify(metadata: Metadata, authenticate: Authenticate): Promise<IngestionTarget> {
  const header = metadata.get('authorization')[0];
  const key = ingestionKey(typeof header === 'string' ? header : undefined);
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
function statusOf(error: unknown): { code: status; details: string; metadata: Metadata } {
  const status = otlpStatus(error);
  const metadata = new Metadata();
  if (status.retryAfterSeconds !== undefined) {
    metadata.set(
      'grpc-status-details-bin',
      Buffer.from(encodeRetryStatus(status, status.retryAfterSeconds)),
    );
  }
  return { code: status.grpc, details: status.message, metadata };
}
