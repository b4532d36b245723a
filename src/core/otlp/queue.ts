import { maxDays } from './encoded.ts';
import type { Part } from './part.ts';

export interface BatchLimits {
  /**
   * A batch is inserted when it has this many rows and no other request of its database is being
   * encoded, …
   */
  worthwhileRows: number;
  /** … when it has this many rows, … */
  enoughRows: number;
  /** … or when its first row has waited this long. */
  maxAgeMs: number;
  /**
   * Senders that wait for their responses send again within this time after an insert. A batch with
   * as many requests as that insert had is inserted without waiting longer.
   */
  returnMs: number;
  /** One insert has at most one request more than this many rows, … */
  maxRows: number;
  /** … or this many bytes. */
  maxBytes: number;
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

interface QueueOptions {
  limits: BatchLimits;
  /** Whether no request is on its way that may add rows soon. */
  isAlone(): boolean;
  insert(parts: readonly Part[]): Promise<void>;
}

/** Parts that wait for one table, which has one insert at a time. */
export class Queue {
  private parts: Part[] = [];
  private rows = 0;
  private bytes = 0;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  /** The number of requests of the last insert, and of those that waited for its end. */
  private awaited = Infinity;
  private insertEndMs = -Infinity;
  private readonly options: QueueOptions;
  private readonly limits: BatchLimits;

  constructor(options: QueueOptions) {
    this.options = options;
    this.limits = options.limits;
  }

  add(part: Part): void {
    this.parts.push(part);
    this.rows += part.rows;
    this.bytes += part.data.length;
    if (!this.running) {
      this.wait();
    }
  }

  /** Begins an insert if none runs and the parts that wait are worth one. */
  flushIfDue(): void {
    if (!this.running && this.parts.length > 0 && this.isDue()) {
      this.flush();
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

  private isDue(): boolean {
    const { worthwhileRows, enoughRows, maxRows, maxBytes } = this.limits;
    if (this.rows >= Math.min(enoughRows, maxRows) || this.bytes >= maxBytes) {
      return true;
    }
    return (this.rows >= worthwhileRows || this.haveReturned()) && this.options.isAlone();
  }

  /** Whether every sender of the last insert has sent again, soon enough to be one that waits. */
  private haveReturned(): boolean {
    return this.parts.length >= this.awaited && this.returnMs() > 0;
  }

  /** How long senders of the last insert are awaited; not positive: no longer. */
  private returnMs(): number {
    return this.insertEndMs + this.limits.returnMs - performance.now();
  }

  private wait(): void {
    if (this.timer === undefined) {
      const returnMs = this.returnMs();
      this.timer =
        returnMs > 0 && returnMs < this.limits.maxAgeMs
          ? setTimeout(() => this.endReturn(), returnMs)
          : setTimeout(() => this.flush(), this.limits.maxAgeMs);
    }
    this.flushIfDue();
  }

  /** Rows that waited for an insert, or for few late senders, wait no longer. */
  private endReturn(): void {
    const [first] = this.parts;
    const mostReturned = this.parts.length * 2 >= this.awaited;
    if (!first || mostReturned || first.addedMs < this.insertEndMs) {
      this.flush();
      return;
    }
    const ageMs = performance.now() - first.addedMs;
    this.timer = setTimeout(() => this.flush(), Math.max(0, this.limits.maxAgeMs - ageMs));
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.running = this.run();
  }

  private async run(): Promise<void> {
    const parts = this.next();
    if (parts.length > 0) {
      await this.options.insert(parts);
      this.awaited = parts.length + this.parts.length;
      this.insertEndMs = performance.now();
    }
    this.running = undefined;
    if (this.parts.length > 0) {
      this.wait();
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
