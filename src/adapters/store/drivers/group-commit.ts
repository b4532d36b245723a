import { setImmediate as nextTurn } from 'node:timers/promises';
import { Fault } from '../../../contract/errors.ts';
import type { Connection } from '../statements/session.ts';

interface WriterConnection extends Connection {
  readonly inTransaction: boolean;
  execute(text: string): void;
}

interface Job {
  work: (connection: Connection) => Promise<unknown>;
  resolve(value: unknown): void;
  reject(reason: unknown): void;
}

/** How many transactions share a commit at most: bounds how long the first of them waits. */
const groupMax = 256;
/** How long a group may hold the event loop before it yields. */
const sliceMs = 10;

/** Lets requests run between the transactions of a group, and before callers go on. */
class Slice {
  #untilMs = performance.now() + sliceMs;

  async yieldIfOver(): Promise<void> {
    if (performance.now() >= this.#untilMs) {
      await nextTurn();
      this.#untilMs = performance.now() + sliceMs;
    }
  }
}

/**
 * Runs transactions one after the other, and writes those that are waiting together to the disk at
 * once: each is a savepoint of one SQLite transaction, and none is acknowledged before the common
 * commit. A transaction that fails is undone alone.
 */
export class GroupCommit {
  readonly #connection: WriterConnection;
  #waiting: Job[] = [];
  #running: Promise<void> | undefined;
  #ended = false;
  readonly #turnTimeoutMs: number;

  /**
   * @param turnTimeoutMs how long a transaction waits for its turn; reached only when one of them
   * waits for something that is not the store.
   */
  constructor(connection: WriterConnection, turnTimeoutMs: number) {
    this.#turnTimeoutMs = turnTimeoutMs;
    this.#connection = connection;
  }

  add<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    if (this.#ended) {
      return Promise.reject(new Fault('unavailable', 'the metadata store is closed'));
    }
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ work, resolve: resolve as Job['resolve'], reject });
      this.#running ??= this.#drain();
    });
  }

  /** Waits for what was added, and takes no more. */
  async end(): Promise<void> {
    this.#ended = true;
    await this.#running;
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      // By then every request that has arrived in this turn of the event loop has added its writes.
      await new Promise<void>((resolve) => void setImmediate(resolve));
      await this.#commit(this.#waiting.splice(0, groupMax));
    }
    this.#running = undefined;
  }

  async #commit(jobs: Job[]): Promise<void> {
    const stuck = setTimeout(() => this.#refuseWaiting(), this.#turnTimeoutMs);
    try {
      this.#connection.execute('begin immediate');
      const acknowledgements: (() => void)[] = [];
      const slice = new Slice();
      for (const job of jobs) {
        acknowledgements.push(await this.#run(job));
        await slice.yieldIfOver();
      }
      this.#connection.execute('commit');
      for (const acknowledge of acknowledgements) {
        await slice.yieldIfOver();
        acknowledge();
      }
    } catch (error) {
      this.#abandon();
      for (const job of jobs) {
        job.reject(error);
      }
    } finally {
      clearTimeout(stuck);
    }
  }

  #refuseWaiting(): void {
    const cause = new Error(
      `a transaction has been running for ${this.#turnTimeoutMs} ms: ` +
        'it waits for something other than the store',
    );
    for (const job of this.#waiting.splice(0)) {
      job.reject(
        new Fault('unavailable', 'the metadata store is busy; try again', {
          cause,
          retryAfterSeconds: 5,
        }),
      );
    }
  }

  /** The returned function tells the caller, once the commit is safe. */
  async #run(job: Job): Promise<() => void> {
    try {
      const value = await this.#connection.savepoint(() => job.work(this.#connection));
      return () => job.resolve(value);
    } catch (error) {
      // A full disk or a failed write ends the whole transaction: what came before in this group is
      // gone as well.
      if (!this.#connection.inTransaction) {
        throw error;
      }
      return () => job.reject(error);
    }
  }

  #abandon(): void {
    try {
      this.#connection.execute('rollback');
    } catch {
      // BEGIN itself failed, or SQLite has rolled back already: there is nothing left to undo.
    }
  }
}
