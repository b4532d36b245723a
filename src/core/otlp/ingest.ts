import type { Clock, Log } from '../../ports/ambient.ts';
import type { Telemetry } from '../../ports/telemetry.ts';
import { Batcher, type BatchLimits } from './batcher.ts';
import type { Encoded } from './encoded.ts';
import { encodeLogs } from './encode/logs.ts';
import type { MessageName } from './wire/messages.ts';
import { encodeMetrics } from './encode/metrics.ts';
import { protobufFromJson } from './wire/protobuf-from-json.ts';
import { encodeTraces } from './encode/traces.ts';

export type Signal = 'logs' | 'traces' | 'metrics';

/** The outcome of a request that was stored. */
export interface Acceptance {
  /** Log records, spans or data points that were refused for good; the rest is stored. */
  rejected: number;
  /** The reasons; empty if nothing was refused. */
  message: string;
}

export interface Ingest {
  /**
   * Stores a whole OTLP request in a workspace's database; resolves when it is durable.
   * @throws Fault `bad_request` (never worth a retry), `rate_limited` or `unavailable` (both worth
   * one).
   */
  accept(
    signal: Signal,
    encoding: 'protobuf' | 'json',
    body: Uint8Array,
    database: string,
  ): Promise<Acceptance>;
  /**
   * @throws Fault what `accept` would throw for a body of this size now: asked before the body is
   * read.
   */
  admit(bytes: number): void;
  /** Encoded rows that wait or are being inserted: for metrics. */
  pendingBytes(): number;
  /** Accepts no more requests, and stores the accepted ones. */
  stop(): Promise<void>;
}

export interface IngestOptions {
  telemetry: Telemetry;
  clock: Clock;
  log: Log;
  limits?: Partial<BatchLimits>;
  /**
   * Called after each insert with the time of its oldest row: cached results for later times may be
   * outdated.
   */
  stored?: (database: string, oldestMs: number) => void;
}

const defaultLimits: BatchLimits = {
  maxRows: 100_000,
  maxBytes: 16 * 1024 * 1024,
  maxAgeMs: 200,
  maxPendingBytes: 128 * 1024 * 1024,
  insertTimeoutMs: 30_000,
};

const signals: Record<
  Signal,
  { request: MessageName; encode: (request: Uint8Array, receivedMs: number) => Encoded }
> = {
  logs: { request: 'ExportLogsRequest', encode: encodeLogs },
  traces: { request: 'ExportTraceRequest', encode: encodeTraces },
  metrics: { request: 'ExportMetricsRequest', encode: encodeMetrics },
};

/** Turns OTLP requests into rows and inserts them in batches. */
export function createIngest({ telemetry, clock, log, limits, stored }: IngestOptions): Ingest {
  const batcher = new Batcher({ telemetry, log, limits: { ...defaultLimits, ...limits } });
  return {
    async accept(signal, encoding, body, database) {
      batcher.admit(body.length);
      const { request, encode } = signals[signal];
      const { tables, rejected, message } = encode(
        encoding === 'protobuf' ? body : protobufFromJson(request, body),
        clock.now(),
      );
      await Promise.all(
        tables.map(async (rows) => {
          await batcher.add(database, rows);
          stored?.(database, rows.oldestMs);
        }),
      );
      return { rejected, message };
    },
    admit: (bytes) => batcher.admit(bytes),
    pendingBytes: () => batcher.pending,
    stop: () => batcher.stop(),
  };
}
