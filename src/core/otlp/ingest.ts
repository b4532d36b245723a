import type { Clock, Log } from '../../ports/ambient.ts';
import type { Telemetry } from '../../ports/telemetry.ts';
import type { IngestReport } from '../../ports/store/node-store.ts';
import { Batcher } from './batcher.ts';
import type { Encoded, EncodedRows } from './encoded.ts';
import { IngestTally } from './ingest-tally.ts';
import type { BatchLimits } from './queue.ts';
import type { ReceivedRequest } from './received-request.ts';

/** The outcome of a request that was stored. */
export interface Acceptance {
  /** Log records, spans or data points that were refused for good; the rest is stored. */
  rejected: number;
  /** The reasons; empty if nothing was refused. */
  message: string;
}

export interface IngestRequest extends Omit<ReceivedRequest, 'receivedMs'> {
  database: string;
  /** Aborts when the sender has left or its deadline has passed. */
  abort?: AbortSignal;
}

export interface Ingest {
  /**
   * Stores a whole OTLP request in a workspace's database; resolves when it is durable.
   * @throws Fault `bad_request` (never worth a retry), `rate_limited` or `unavailable` (both worth
   * one).
   */
  accept(request: IngestRequest): Promise<Acceptance>;
  /**
   * @throws Fault what `accept` would throw for a body of this size now: asked before the body is
   * read.
   */
  requireRoom(bytes: number, database: string): void;
  /** Encoded rows that wait or are being inserted: for metrics. */
  pendingBytes(): number;
  /** Requests that were answered from memory, because their rows were already stored: for metrics. */
  repeatedRequests(): number;
  /** A receiver answered a request with an error, whose text is `reason`. */
  refused(database: string, reason: string): void;
  /** What was received in the last minutes, by database. */
  reports(): Record<string, IngestReport>;
  /** Accepts no more requests, and stores the accepted ones. */
  stop(): Promise<void>;
}

/** Turns requests into rows without holding the event loop. */
export interface Encoder {
  /** @throws Fault. */
  encode(request: ReceivedRequest, abort?: AbortSignal): Promise<Encoded>;
  stop(): Promise<void>;
}

export interface IngestOptions {
  telemetry: Telemetry;
  encoder: Encoder;
  clock: Clock;
  log: Log;
  limits?: Partial<BatchLimits>;
  /**
   * Called after each insert with the time of its oldest row: cached results for later times may be
   * outdated.
   */
  stored?: (database: string, oldestMs: number) => void;
}

/** An insert costs about as much as 6,000 of its rows. */
const defaultLimits: BatchLimits = {
  worthwhileRows: 4000,
  enoughRows: 20_000,
  maxAgeMs: 200,
  returnMs: 30,
  maxRows: 100_000,
  maxBytes: 16 * 1024 * 1024,
  maxWaitMs: 3000,
  maxPendingBytes: 128 * 1024 * 1024,
  insertTimeoutMs: 30_000,
};

/** Turns OTLP requests into rows and inserts them in batches. */
export function createIngest(options: IngestOptions): Ingest {
  const { telemetry, encoder, clock, log, limits, stored } = options;
  const tally = new IngestTally(clock);
  const batcher = new Batcher({
    telemetry,
    log,
    limits: { ...defaultLimits, ...limits },
    onStored: (database, rows) => tally.stored(database, rows),
  });
  const encoding = new Set<Promise<Encoded>>();
  const encode = async (request: IngestRequest): Promise<Encoded> => {
    const encoded = encoder.encode({ ...request, receivedMs: clock.now() }, request.abort);
    encoding.add(encoded);
    return encoded.finally(() => encoding.delete(encoded));
  };
  const insert = async ({ database, abort }: IngestRequest, rows: EncodedRows): Promise<void> => {
    await batcher.add(database, rows, abort);
    stored?.(database, rows.oldestMs);
  };
  const addRows = async (request: IngestRequest) => {
    const added = batcher.expect(request.database);
    try {
      const { tables, rejected, message } = await encode(request);
      return { inserts: tables.map((rows) => insert(request, rows)), rejected, message };
    } finally {
      added();
    }
  };
  return {
    async accept(request) {
      const { database, bytes } = request;
      batcher.requireRoom(bytes.length, database);
      const { inserts, rejected, message } = await addRows(request);
      await Promise.all(inserts);
      tally.rejected(database, rejected, message);
      return { rejected, message };
    },
    requireRoom: (bytes, database) => batcher.requireRoom(bytes, database),
    refused: (database, reason) => tally.refused(database, reason),
    reports: () => tally.reports(),
    pendingBytes: () => batcher.pending,
    repeatedRequests: () => batcher.repeated,
    async stop() {
      batcher.refuse();
      await Promise.allSettled(encoding);
      await batcher.drain();
      await encoder.stop();
    },
  };
}
