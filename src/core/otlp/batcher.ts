import { Fault } from '../../contract/errors.ts';
import type { Log } from '../../ports/ambient.ts';
import { TelemetryError, UnansweredInsert, type Telemetry } from '../../ports/telemetry.ts';
import type { ColumnType } from './block/block.ts';
import type { EncodedRows } from './encoded.ts';
import { Part } from './part.ts';
import { Queue, type BatchLimits } from './queue.ts';
import { StoredDigests } from './stored-digests.ts';
import { misfit } from './table-shape.ts';

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
  private readonly onStored: ((database: string, rows: number) => void) | undefined;
  /** By database, then by table. */
  private readonly queues = new Map<string, Map<string, Queue>>();
  private readonly checkedTables = new Set<string>();
  private readonly waitingParts = new Map<string, Part>();
  private readonly stored = new StoredDigests();
  /** Number of requests that are being encoded, by database. */
  private readonly expected = new Map<string, number>();
  private pendingBytes = 0;
  private repeatedRequests = 0;
  private stopping = false;

  constructor(options: {
    telemetry: Telemetry;
    log: Log;
    limits: BatchLimits;
    /** Called for each part that is stored. */
    onStored?: (database: string, rows: number) => void;
  }) {
    this.telemetry = options.telemetry;
    this.log = options.log;
    this.limits = options.limits;
    this.onStored = options.onStored;
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
   * Announces a request of a database that is being encoded: small batches wait for its rows. Call
   * the answered function once, when the rows were added or the request failed.
   */
  expect(database: string): () => void {
    const { expected } = this;
    expected.set(database, (expected.get(database) ?? 0) + 1);
    return () => {
      const others = expected.get(database)! - 1;
      if (others > 0) {
        expected.set(database, others);
        return;
      }
      expected.delete(database);
      for (const queue of this.queues.get(database)?.values() ?? []) {
        queue.flushIfDue();
      }
    };
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
    return this.addPart(database, encoded, key, abort);
  }

  private addPart(
    database: string,
    encoded: EncodedRows,
    key: string | undefined,
    abort: AbortSignal | undefined,
  ): Promise<void> {
    const queue = this.queueOf(database, encoded);
    const bytes = encoded.data.length;
    if (this.pendingBytes > 0) {
      this.admitBytes(bytes);
    }
    this.pendingBytes += bytes;
    const part = new Part(encoded, (isStored) => {
      this.pendingBytes -= bytes;
      queue.remove(part);
      if (isStored) {
        this.onStored?.(database, encoded.rows);
      }
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
      new Queue({
        limits: this.limits,
        isAlone: () => !this.expected.has(database),
        insert: (parts) => this.insert(database, table, columns, parts),
      });
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
        {
          purpose: 'ingest',
          timeoutMs: this.limits.insertTimeoutMs,
          days: [...new Set(parts.flatMap((part) => [...part.days]))],
          givesMemory: true,
        },
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
      if (error instanceof UnansweredInsert) {
        this.log.warn(
          { err: error, database, table, rows, requests: parts.length },
          'insert of telemetry was not answered; repeating it',
        );
        this.awaitAnswer(parts, error.outcome);
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

  /**
   * Refuses the requests for now. If they are sent again they are not inserted a second time, as their
   * rows may be stored; once that is known they are answered from memory.
   */
  private awaitAnswer(parts: readonly Part[], outcome: Promise<void>): void {
    const fault = new Fault(
      'unavailable',
      'the telemetry was sent to a shard that has not answered yet. Send the request again later.',
      { retryAfterSeconds },
    );
    for (const part of parts) {
      part.refuse(fault);
    }
    outcome.then(
      () => parts.forEach((part) => part.settle()),
      () => parts.forEach((part) => part.settle(fault)),
    );
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

const joinedBytes = 256 * 1024;

/** Few pieces: small ones are copied together, large ones stay where they are. */
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
