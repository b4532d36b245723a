import { Fault } from '../../contract/errors.ts';
import type { Log } from '../../ports/ambient.ts';
import { TelemetryError, type Telemetry } from '../../ports/telemetry.ts';
import { maxDays, type EncodedRows } from './encoded.ts';
import { misfit } from './table-shape.ts';

export interface BatchLimits {
  /** A batch is inserted when it has this many rows, … */
  maxRows: number;
  /** … this many bytes, … */
  maxBytes: number;
  /** … or when its first row has waited this long. */
  maxAgeMs: number;
  /**
   * Maximum number of bytes that wait or are being inserted, in all tables together. More is refused
   * as `rate_limited`.
   */
  maxPendingBytes: number;
  insertTimeoutMs: number;
}

interface Part {
  data: Buffer;
  rows: number;
  days: ReadonlySet<number>;
  resolve: () => void;
  reject: (fault: Fault) => void;
}

/** How long a sender should wait before it tries again. */
const retryAfterSeconds = 2;

/**
 * Combines many small requests into few large inserts. A part settles with its insert: it resolves
 * when it is stored, and rejects with a retryable Fault if the insert fails. Each table has one
 * insert at a time; parts that arrive meanwhile form the next one.
 */
export class Batcher {
  private readonly telemetry: Telemetry;
  private readonly log: Log;
  private readonly limits: BatchLimits;
  private readonly queues = new Map<string, Queue>();
  private readonly checkedTables = new Set<string>();
  private pendingBytes = 0;
  private stopping = false;

  constructor(options: { telemetry: Telemetry; log: Log; limits: BatchLimits }) {
    this.telemetry = options.telemetry;
    this.log = options.log;
    this.limits = options.limits;
  }

  /**
   * @throws Fault `rate_limited` if `bytes` more exceed the limit, `unavailable` while stopping
   */
  admit(bytes: number): void {
    if (this.stopping) {
      throw new Fault('unavailable', 'the server is shutting down', { retryAfterSeconds });
    }
    if (this.pendingBytes + bytes > this.limits.maxPendingBytes) {
      throw new Fault(
        'rate_limited',
        'too much telemetry is waiting to be stored. Send the request again later.',
        { retryAfterSeconds },
      );
    }
  }

  /** Resolves when the rows are stored. */
  add(database: string, { table, columns, data, rows, days }: EncodedRows): Promise<void> {
    const key = keyOf(database, table);
    let queue = this.queues.get(key);
    if (!queue) {
      this.queues.set(
        key,
        (queue = new Queue(this.limits, (parts) => this.insert(database, table, columns, parts))),
      );
    }
    this.pendingBytes += data.length;
    return queue.add(data, rows, days).finally(() => {
      this.pendingBytes -= data.length;
    });
  }

  /** Number of bytes that wait or are being inserted. */
  get pending(): number {
    return this.pendingBytes;
  }

  /** Accepts no more rows and stores the waiting ones. */
  async stop(): Promise<void> {
    this.stopping = true;
    await Promise.all([...this.queues.values()].map((queue) => queue.drain()));
  }

  private async insert(
    database: string,
    table: string,
    columns: readonly string[],
    parts: readonly Part[],
  ): Promise<void> {
    const rows = parts.reduce((sum, part) => sum + part.rows, 0);
    const [first = Buffer.alloc(0), ...rest] = parts.map((part) => part.data);
    const data = rest.length === 0 ? first : Buffer.concat([first, ...rest]);
    try {
      await this.checkTable(database, table, columns);
      await this.telemetry.insert(
        database,
        table,
        { format: 'RowBinary', columns, data, rows },
        { purpose: 'ingest', timeoutMs: this.limits.insertTimeoutMs },
      );
      for (const part of parts) {
        part.resolve();
      }
    } catch (error) {
      // The engine rejected rows of the batch. Insert each request alone, so that only those with
      // such rows fail.
      if (parts.length > 1 && isAboutTheRows(error)) {
        for (const part of parts) {
          await this.insert(database, table, columns, [part]);
        }
        return;
      }
      this.log.warn(
        { err: error, database, table, rows, requests: parts.length },
        'cannot store telemetry',
      );
      const fault = new Fault(
        'unavailable',
        'cannot store the telemetry. Send the request again.',
        {
          cause: error,
          retryAfterSeconds,
        },
      );
      for (const part of parts) {
        part.reject(fault);
      }
    }
  }

  /** Checks each table once, before its first rows. */
  private async checkTable(
    database: string,
    table: string,
    columns: readonly string[],
  ): Promise<void> {
    const key = keyOf(database, table);
    if (this.checkedTables.has(key)) {
      return;
    }
    const reason = misfit(await this.telemetry.columns(database, table), columns);
    if (reason !== undefined) {
      this.telemetry.forgetColumns(database, table);
      throw new TelemetryError(
        'unknown_table',
        `cannot store telemetry in ${database}.${table}: ${reason}`,
      );
    }
    this.checkedTables.add(key);
  }
}

function keyOf(database: string, table: string): string {
  return `${database}\0${table}`;
}

/** Whether an insert with fewer rows may succeed: not if the engine or the table is unavailable. */
function isAboutTheRows(error: unknown): boolean {
  return (
    error instanceof TelemetryError &&
    (error.kind === 'other' || error.kind === 'memory' || error.kind === 'type')
  );
}

/** Parts that wait for one table. */
class Queue {
  private parts: Part[] = [];
  private rows = 0;
  private bytes = 0;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private readonly limits: BatchLimits;
  private readonly insert: (parts: readonly Part[]) => Promise<void>;

  constructor(limits: BatchLimits, insert: (parts: readonly Part[]) => Promise<void>) {
    this.limits = limits;
    this.insert = insert;
  }

  add(data: Buffer, rows: number, days: ReadonlySet<number>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.parts.push({ data, rows, days, resolve, reject });
      this.rows += rows;
      this.bytes += data.length;
      if (this.running) {
        return;
      }
      if (this.isFull()) {
        this.flush();
      } else {
        this.timer ??= setTimeout(() => this.flush(), this.limits.maxAgeMs);
      }
    });
  }

  async drain(): Promise<void> {
    while (this.running || this.parts.length > 0) {
      if (!this.running) {
        this.flush();
      }
      await this.running;
    }
  }

  private isFull(): boolean {
    return this.rows >= this.limits.maxRows || this.bytes >= this.limits.maxBytes;
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.running = this.run();
  }

  private async run(): Promise<void> {
    await this.insert(this.next());
    this.running = undefined;
    // Parts that waited for this insert do not wait again.
    if (this.parts.length > 0) {
      this.flush();
    }
  }

  /**
   * Takes at least one part, and no more than the limits allow: a backlog takes several inserts.
   */
  private next(): Part[] {
    let rows = 0;
    let bytes = 0;
    let count = 0;
    const days = new Set<number>();
    for (const part of this.parts) {
      if (count > 0 && (rows >= this.limits.maxRows || bytes >= this.limits.maxBytes)) {
        break;
      }
      for (const day of part.days) {
        days.add(day);
      }
      if (days.size > maxDays) {
        break;
      }
      count++;
      rows += part.rows;
      bytes += part.data.length;
    }
    this.rows -= rows;
    this.bytes -= bytes;
    return this.parts.splice(0, count);
  }
}
