import { Fault } from '../../contract/errors.ts';
import type { Log } from '../../ports/ambient.ts';
import { TelemetryError, type Telemetry } from '../../ports/telemetry.ts';
import type { ColumnType } from './block/block.ts';
import { maxDays, type EncodedRows } from './encoded.ts';
import { Part } from './part.ts';
import { StoredDigests } from './stored-digests.ts';
import { misfit } from './table-shape.ts';

export interface BatchLimits {
  /** A batch is inserted when it has this many rows, … */
  maxRows: number;
  /** … this many bytes, … */
  maxBytes: number;
  /** … or when its first row has waited this long. */
  maxAgeMs: number;
  /**
   * If rows of a database have waited for a running insert this long, new requests for it are
   * refused as `unavailable`.
   */
  maxWaitMs: number;
  /**
   * Maximum number of bytes that wait or are being inserted, in all tables together. More is refused
   * as `rate_limited`.
   */
  maxPendingBytes: number;
  insertTimeoutMs: number;
}

/** How long a sender should wait before it tries again. */
const retryAfterSeconds = 2;

/**
 * Combines many small requests into few large inserts. A part settles with its insert: it resolves
 * when it is stored, and rejects with a retryable Fault if the insert fails. Each table has one
 * insert at a time; parts that arrive meanwhile form the next one. A part whose digest is known is
 * not inserted again: it settles with the part that waits, or at once if that was stored.
 */
export class Batcher {
  private readonly telemetry: Telemetry;
  private readonly log: Log;
  private readonly limits: BatchLimits;
  /** By database, then by table. */
  private readonly queues = new Map<string, Map<string, Queue>>();
  private readonly checkedTables = new Set<string>();
  private readonly waitingParts = new Map<string, Part>();
  private readonly stored = new StoredDigests();
  private pendingBytes = 0;
  private repeatedRequests = 0;
  private stopping = false;

  constructor(options: { telemetry: Telemetry; log: Log; limits: BatchLimits }) {
    this.telemetry = options.telemetry;
    this.log = options.log;
    this.limits = options.limits;
  }

  /**
   * @throws Fault `rate_limited` if `bytes` more exceed the limit, `unavailable` while stopping and
   * if rows of the database have waited too long.
   */
  requireRoom(bytes: number, database: string): void {
    if (this.stopping) {
      throw new Fault('unavailable', 'the server is shutting down', { retryAfterSeconds });
    }
    const oldestMs = performance.now() - this.limits.maxWaitMs;
    for (const queue of this.queues.get(database)?.values() ?? []) {
      if (queue.isWaitingSince(oldestMs)) {
        throw new Fault(
          'unavailable',
          'telemetry waits too long to be stored. Send the request again later.',
          { retryAfterSeconds },
        );
      }
    }
    this.admitBytes(bytes);
  }

  private admitBytes(bytes: number): void {
    if (this.pendingBytes + bytes > this.limits.maxPendingBytes) {
      throw new Fault(
        'rate_limited',
        'too much telemetry is waiting to be stored. Send the request again later.',
        { retryAfterSeconds },
      );
    }
  }

  /**
   * Resolves when the rows are stored. If `abort` aborts before their insert begins, they are not
   * stored, unless another call waits for the same rows.
   */
  add(database: string, encoded: EncodedRows, abort?: AbortSignal): Promise<void> {
    const { table, digest } = encoded;
    const key = digest === undefined ? undefined : `${keyOf(database, table)}\0${digest}`;
    if (key !== undefined && this.stored.has(key)) {
      this.repeatedRequests++;
      return Promise.resolve();
    }
    const waiting = key === undefined ? undefined : this.waitingParts.get(key);
    if (waiting) {
      this.repeatedRequests++;
      return waiting.wait(abort);
    }
    return this.addPart(this.queueOf(database, encoded), encoded, key, abort);
  }

  private addPart(
    queue: Queue,
    encoded: EncodedRows,
    key: string | undefined,
    abort: AbortSignal | undefined,
  ): Promise<void> {
    const bytes = encoded.data.length;
    if (this.pendingBytes > 0) {
      this.admitBytes(bytes);
    }
    this.pendingBytes += bytes;
    const part = new Part(encoded, (isStored) => {
      this.pendingBytes -= bytes;
      queue.remove(part);
      if (key !== undefined) {
        this.waitingParts.delete(key);
        if (isStored) {
          this.stored.add(key);
        }
      }
    });
    if (key !== undefined) {
      this.waitingParts.set(key, part);
    }
    queue.add(part);
    return part.wait(abort);
  }

  private queueOf(database: string, { table, columns }: EncodedRows): Queue {
    const queues = this.queues.get(database) ?? new Map<string, Queue>();
    this.queues.set(database, queues);
    const queue =
      queues.get(table) ??
      new Queue(this.limits, (parts) => this.insert(database, table, columns, parts));
    queues.set(table, queue);
    return queue;
  }

  /** Number of bytes that wait or are being inserted. */
  get pending(): number {
    return this.pendingBytes;
  }

  /** Number of requests whose rows were known. */
  get repeated(): number {
    return this.repeatedRequests;
  }

  /** Admits no more requests. */
  refuse(): void {
    this.stopping = true;
  }

  /** Stores the waiting rows. */
  async drain(): Promise<void> {
    const queues = [...this.queues.values()].flatMap((tables) => [...tables.values()]);
    await Promise.all(queues.map((queue) => queue.drain()));
  }

  private async insert(
    database: string,
    table: string,
    columns: readonly ColumnType[],
    parts: readonly Part[],
  ): Promise<void> {
    const rows = parts.reduce((sum, part) => sum + part.rows, 0);
    const data = joined(parts);
    try {
      await this.checkTable(database, table, columns);
      await this.telemetry.insert(
        database,
        table,
        { format: 'Native', columns: columns.map(({ name }) => name), data, rows },
        { purpose: 'ingest', timeoutMs: this.limits.insertTimeoutMs },
      );
      for (const part of parts) {
        part.settle();
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
        isDiskFull(error)
          ? 'cannot store the telemetry: the disk is full. Free some space, then send the request again.'
          : 'cannot store the telemetry. Send the request again.',
        {
          cause: error,
          retryAfterSeconds,
        },
      );
      for (const part of parts) {
        part.settle(fault);
      }
    }
  }

  /** Checks each table once, before its first rows. */
  private async checkTable(
    database: string,
    table: string,
    columns: readonly ColumnType[],
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

function isDiskFull(error: unknown): boolean {
  return error instanceof Error && /NOT_ENOUGH_SPACE|No space left on device/.test(error.message);
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

  add(part: Part): void {
    this.parts.push(part);
    this.rows += part.rows;
    this.bytes += part.data.length;
    if (this.running) {
      return;
    }
    if (this.isFull()) {
      this.flush();
    } else {
      this.timer ??= setTimeout(() => this.flush(), this.limits.maxAgeMs);
    }
  }

  remove(part: Part): void {
    const index = this.parts.indexOf(part);
    if (index !== -1) {
      this.parts.splice(index, 1);
      this.rows -= part.rows;
      this.bytes -= part.data.length;
    }
  }

  /** Whether rows have waited for a running insert since before that time. */
  isWaitingSince(timeMs: number): boolean {
    const [first] = this.parts;
    return this.running !== undefined && first !== undefined && first.addedMs < timeMs;
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
    const parts = this.next();
    if (parts.length > 0) {
      await this.insert(parts);
    }
    this.running = undefined;
    // Parts that waited for this insert do not wait again.
    if (this.parts.length > 0) {
      this.flush();
    }
  }

  /**
   * Takes at least one part if any waits, and no more than the limits allow: a backlog takes several
   * inserts.
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
    const parts = this.parts.splice(0, count);
    for (const part of parts) {
      part.isBeingInserted = true;
    }
    return parts;
  }
}

const joinedBytes = 1024 * 1024;

/** Few pieces without one large copy, which would hold the event loop. */
function joined(parts: readonly Part[]): Buffer[] {
  const pieces: Buffer[] = [];
  let group: Buffer[] = [];
  let bytes = 0;
  const close = (): void => {
    const [only, ...others] = group;
    if (only) {
      pieces.push(others.length === 0 ? only : Buffer.concat(group));
    }
    group = [];
    bytes = 0;
  };
  for (const { data } of parts) {
    if (bytes + data.length > joinedBytes) {
      close();
    }
    group.push(data);
    bytes += data.length;
  }
  close();
  return pieces;
}
