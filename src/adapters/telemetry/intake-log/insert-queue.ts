import type { LoggedBlock } from './record.ts';
import type { Segment } from './segment.ts';
import {
  chunksOf,
  storeChunk,
  type Insert,
  type JoinBlocks,
  type Unstored,
} from './store-blocks.ts';

/** As many inserts as the engine takes at a time. */
const parallelInserts = 2;

type Ended = (segment: Segment, unstored: readonly Unstored[]) => Promise<void>;

interface Job {
  segment: Segment;
  chunk: readonly LoggedBlock[];
  database: string;
}

/**
 * Inserts of the blocks of segments, the oldest segment first. But those of a database that somebody
 * waits for come before all others.
 */
export class InsertQueue {
  readonly #insert: Insert;
  readonly #join: JoinBlocks | undefined;
  readonly #ended: Ended;
  readonly #jobs: Job[] = [];
  readonly #workers = new Set<Promise<void>>();
  /** How many wait for each database. */
  readonly #wanted = new Map<string, number>();
  /** What could not be stored of the segments that are in the queue. */
  readonly #unstored = new Map<Segment, Unstored[]>();

  /** @param ended called when everything of a segment was tried; must not reject */
  constructor(insert: Insert, join: JoinBlocks | undefined, ended: Ended) {
    this.#insert = insert;
    this.#join = join;
    this.#ended = ended;
  }

  has(segment: Segment): boolean {
    return this.#unstored.has(segment);
  }

  /** The segment must get no more blocks. */
  async add(segment: Segment): Promise<void> {
    this.#unstored.set(segment, []);
    const jobs = chunksOf(segment.blocks).map((chunk) => ({
      segment,
      chunk,
      database: chunk[0]!.database,
    }));
    segment.begin(jobs.map(({ database }) => database));
    this.#jobs.push(...jobs);
    while (this.#jobs.length > 0 && this.#workers.size < parallelInserts) {
      const worker = this.#work().finally(() => this.#workers.delete(worker));
      this.#workers.add(worker);
    }
    if (jobs.length === 0) {
      await this.#end(segment);
    }
  }

  /** While the work lasts, blocks of the database come first. */
  async first<T>(database: string, work: () => Promise<T>): Promise<T> {
    this.#wanted.set(database, (this.#wanted.get(database) ?? 0) + 1);
    try {
      return await work();
    } finally {
      const left = this.#wanted.get(database)! - 1;
      if (left === 0) {
        this.#wanted.delete(database);
      } else {
        this.#wanted.set(database, left);
      }
    }
  }

  /** Resolves when nothing is in the queue. */
  async drained(): Promise<void> {
    while (this.#workers.size > 0) {
      await Promise.all(this.#workers);
    }
  }

  async #work(): Promise<void> {
    for (let job = this.#next(); job !== undefined; job = this.#next()) {
      const { segment, chunk, database } = job;
      const unstored = await storeChunk(chunk, this.#insert, this.#join);
      this.#unstored.get(segment)!.push(...unstored);
      if (segment.end(database)) {
        await this.#end(segment);
      }
    }
  }

  #next(): Job | undefined {
    const wanted = this.#jobs.findIndex(({ database }) => this.#wanted.has(database));
    return this.#jobs.splice(Math.max(0, wanted), 1)[0];
  }

  async #end(segment: Segment): Promise<void> {
    const unstored = this.#unstored.get(segment) ?? [];
    this.#unstored.delete(segment);
    await this.#ended(segment, unstored);
  }
}
