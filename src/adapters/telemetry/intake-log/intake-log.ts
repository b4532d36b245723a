import { mkdir, readdir, rm, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Log } from '../../../ports/ambient.ts';
import type { IntakeLogStatus } from '../../../ports/telemetry.ts';
import { syncFolder } from '../embedded/clean-stop.ts';
import { BlockMemories } from './block-memory.ts';
import { InsertQueue } from './insert-queue.ts';
import { defaultLimits, type IntakeLogLimits } from './limits.ts';
import { bytesOf, type LoggedBlock } from './record.ts';
import { Segment, segmentNames, segmentSuffix } from './segment.ts';
import { SpareFiles } from './spare-files.ts';
import type { Insert, JoinBlocks, Unstored } from './store-blocks.ts';

export interface IntakeLogOptions {
  /** Its folder, made when it is missing. One process at a time. */
  folder: string;
  /** Whether appended blocks survive a power cut. */
  isSynced: boolean;
  insert: Insert;
  /** Absent: blocks are inserted as they come. */
  join?: JoinBlocks | undefined;
  log: Log;
  limits?: Partial<IntakeLogLimits> | undefined;
}

export interface Appended {
  /** Whether the log has a copy of the data, so that it does not use the caller's. */
  isCopy: boolean;
}

interface Waiting {
  block: Omit<LoggedBlock, 'origin'>;
  resolve: (appended: Appended) => void;
  reject: (error: unknown) => void;
}

/**
 * Blocks that are acknowledged before the engine has them. They are appended to a file, and stored
 * together a moment later. The file is removed after that; what it has at the next start is stored
 * then.
 */
export class IntakeLog implements IntakeLogStatus {
  readonly #options: IntakeLogOptions;
  readonly #limits: IntakeLogLimits;
  /** Gets blocks. */
  #current: Segment | undefined;
  /** Get no more blocks and are not stored yet, the oldest first. */
  #closed: Segment[] = [];
  #waiting: Waiting[] = [];
  #appending: Promise<void> | undefined;
  /** Called when no block is being appended, before the next ones are. */
  #betweenAppends: (() => void)[] = [];
  #storing: Promise<void> | undefined;
  #storesAgain = false;
  readonly #queue: InsertQueue;
  readonly #spares: SpareFiles;
  readonly #memories: BlockMemories;
  /** When an insert failed last. */
  #failedAtMs = -Infinity;
  #timer: NodeJS.Timeout | undefined;
  #timerAtMs = Infinity;
  #pendingBytes = 0;
  #damaged = 0;
  #restsUntilMs = -Infinity;
  #stopped = false;

  private constructor(options: IntakeLogOptions) {
    this.#options = options;
    this.#limits = { ...defaultLimits, ...options.limits };
    this.#spares = new SpareFiles(options.log, this.#limits.spareIdleMs);
    // The last append to a file may be large.
    this.#memories = new BlockMemories(2 * this.#limits.segmentBytes + 2 ** 20);
    this.#queue = new InsertQueue(
      (...call) => this.#insert(...call),
      options.join,
      (segment, unstored) => this.#attempted(segment, unstored),
    );
  }

  /** Reads what an earlier process has left. The first reader or writer has it stored. */
  static async open(options: IntakeLogOptions): Promise<IntakeLog> {
    const { folder, isSynced, log } = options;
    const intake = new IntakeLog(options);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    if (isSynced) {
      syncFolder(dirname(folder));
    }
    const names = await readdir(folder);
    for (const name of names.filter((each) => /\.(?:next|spare)$/.test(each))) {
      await rm(join(folder, name));
    }
    for (const name of segmentNames(names)) {
      const { segment, read } = await Segment.read(folder, name, isSynced);
      const file = join(folder, `${name}${segmentSuffix}`);
      if (read.damaged.length > 0) {
        intake.#damaged += read.damaged.length;
        const { damaged } = read;
        log.error({ file, damaged }, 'the intake log is damaged; its rows there are lost');
      }
      if (read.tornBytes > 0) {
        log.warn({ file, bytes: read.tornBytes }, 'cut off an incomplete block of the intake log');
      }
      if (segment.blocks.length === 0) {
        await rm(file);
        continue;
      }
      intake.#closed.push(segment);
      intake.#pendingBytes += segment.bytes;
    }
    if (intake.#closed.length > 0) {
      const rows = intake.#closed.reduce((sum, segment) => sum + segment.rows, 0);
      log.info({ folder, rows }, 'the intake log has rows that are not stored yet');
    }
    return intake;
  }

  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  get unstoredBlocks(): number {
    return this.#closed
      .filter(({ failures }) => failures > 0)
      .reduce((sum, { blocks }) => sum + blocks.length, 0);
  }

  get damagedRecords(): number {
    return this.#damaged;
  }

  /**
   * Whether blocks of a table go to the log. Not if its last ones could not be stored: then the
   * sender gets the engine's answer.
   */
  takes(database: string, table: string): boolean {
    return (
      !this.#stopped &&
      performance.now() > this.#restsUntilMs &&
      !this.#closed.some(
        ({ failures, blocks }) =>
          failures > 0 &&
          blocks.some((block) => block.database === database && block.table === table),
      )
    );
  }

  /** Waits until the blocks that wait leave room. False: they cannot be stored at the moment. */
  async hasRoom(): Promise<boolean> {
    while (this.#pendingBytes >= this.#limits.maxPendingBytes) {
      if (this.unstoredBlocks > 0 || this.#stopped) {
        return false;
      }
      await this.#store();
    }
    return true;
  }

  /**
   * Appends a block. It survives what a stored block survives when the promise resolves. If it
   * rejects, the block is not in the log.
   */
  append(block: Omit<LoggedBlock, 'origin'>): Promise<Appended> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ block, resolve, reject });
      this.#append();
    });
  }

  /**
   * Blocks of a database that are appended and not yet in the engine; of all databases if none is
   * given. Resolves after an attempt to store them. Undefined if there are none. Blocks that could
   * not be stored are not waited for.
   */
  settled(database?: string): Promise<unknown> | undefined {
    const segments = [...this.#closed, ...(this.#current ? [this.#current] : [])].filter(
      (segment) => !segment.isAttempted && segment.has(database),
    );
    if (segments.length === 0) {
      return undefined;
    }
    if (database === undefined) {
      void this.#store();
      return Promise.all(segments.map((segment) => segment.attempted()));
    }
    return this.#queue.first(database, async () => {
      // A file is closed as soon as older files are stored. So many who ask share an insert.
      for (const segment of segments) {
        await this.#closeBetweenAppends(segment);
        await this.#enqueue(segment);
        await segment.attempted(database);
      }
    });
  }

  /** Takes no more blocks, and stores those that it has as far as that succeeds in the time. */
  async close(withinMs: number): Promise<void> {
    this.#stopped = true;
    while (this.#appending) {
      await this.#appending;
    }
    const settled = this.settled();
    if (settled) {
      let timer: NodeJS.Timeout | undefined;
      const deadline = new Promise((resolve) => (timer = setTimeout(resolve, withinMs)));
      await Promise.race([settled, deadline]);
      clearTimeout(timer);
    }
    clearTimeout(this.#timer);
    await this.#current?.close();
    if (this.#pendingBytes > 0) {
      const { folder, log } = this.#options;
      log.warn({ folder }, 'telemetry of the intake log is left to be stored at the next start');
    }
  }

  /** Blocks that come while others are being appended are appended together. */
  #append(): void {
    this.#appending ??= this.#appendWaiting().finally(() => {
      this.#appending = undefined;
      this.#betweenAppends.splice(0).forEach((call) => call());
      if (this.#waiting.length > 0) {
        this.#append();
      }
    });
  }

  async #appendWaiting(): Promise<void> {
    const group = this.#waiting.splice(0);
    const blocks = group.map(({ block }) => block);
    let appended: readonly LoggedBlock[];
    try {
      this.#current ??= await this.#create();
      appended = await this.#current.append(blocks);
    } catch (error) {
      const { folder, log } = this.#options;
      this.#restsUntilMs = performance.now() + this.#limits.restMs;
      log.warn({ err: error, folder }, 'cannot append to the intake log; inserting directly');
      this.#closeCurrent();
      group.forEach(({ reject }) => reject(error));
      return;
    }
    this.#pendingBytes += blocks.reduce((sum, { data }) => sum + bytesOf(data), 0);
    group.forEach(({ block, resolve }, index) =>
      resolve({ isCopy: appended[index]!.data !== block.data }),
    );
    if (this.#current.size >= this.#limits.segmentBytes) {
      void this.#store();
    } else {
      this.#storeAt(this.#current.createdMs + this.#limits.delayMs);
    }
  }

  async #create(): Promise<Segment> {
    const { folder, isSynced } = this.#options;
    const { bavail, bsize } = await statfs(folder);
    if (bavail * bsize < this.#limits.minFreeBytes) {
      throw new Error(`No space left on device: ${folder}`);
    }
    const memory = this.#memories.take();
    return Segment.create({ folder, isSynced, memory, spare: this.#spares.take() });
  }

  #closeCurrent(): void {
    if (this.#current) {
      this.#closed.push(this.#current);
      this.#current = undefined;
    }
  }

  #storeAt(timeMs: number): void {
    if (timeMs < this.#timerAtMs && !this.#stopped) {
      clearTimeout(this.#timer);
      this.#timerAtMs = timeMs;
      const waitMs = Math.max(0, timeMs - performance.now());
      this.#timer = setTimeout(() => {
        this.#timerAtMs = Infinity;
        void this.#store();
      }, waitMs);
      this.#timer.unref();
    }
  }

  /** Stores all blocks that wait. One call at a time works, and repeats for the others. */
  #store(): Promise<void> {
    this.#storesAgain = true;
    this.#storing ??= this.#storeAll();
    return this.#storing;
  }

  async #storeAll(): Promise<void> {
    try {
      while (this.#storesAgain) {
        this.#storesAgain = false;
        await this.#storeSegments();
      }
    } finally {
      this.#storing = undefined;
    }
  }

  async #storeSegments(): Promise<void> {
    await this.#closeBetweenAppends(this.#current);
    for (const segment of this.#closed) {
      await this.#enqueue(segment);
    }
    await this.#queue.drained();
    for (const { retryMs } of this.#closed) {
      this.#storeAt(retryMs);
    }
  }

  /** If the file gets blocks, it gets no more. */
  async #closeBetweenAppends(segment: Segment | undefined): Promise<void> {
    if (this.#appending && segment === this.#current) {
      await new Promise<void>((resolve) => {
        this.#betweenAppends.push(() => {
          // The first append creates the file.
          if (segment === undefined || segment === this.#current) {
            this.#closeCurrent();
          }
          resolve();
        });
      });
    } else if (segment === this.#current) {
      this.#closeCurrent();
    }
  }

  /** Has the blocks of a closed file stored, unless that was begun. */
  async #enqueue(segment: Segment): Promise<void> {
    const { log } = this.#options;
    await segment.close().catch((error: unknown) => {
      log.warn({ err: error, segment: segment.name }, 'cannot close a file of the intake log');
    });
    if (!this.#queue.has(segment) && segment.retryMs <= performance.now()) {
      await this.#queue.add(segment);
    }
  }

  async #insert(...call: Parameters<Insert>): Promise<void> {
    try {
      await this.#options.insert(...call);
    } catch (error) {
      this.#failedAtMs = performance.now();
      throw error;
    }
  }

  /** An attempt to store the blocks of a file has ended. */
  async #attempted(segment: Segment, failed: readonly Unstored[]): Promise<void> {
    const { log, folder } = this.#options;
    const before = segment.bytes;
    // In their order in the file, so that the next attempt makes the same inserts.
    const unstored = segment.blocks.flatMap(
      (block) => failed.find((each) => each.block === block) ?? [],
    );
    const { retryMs, maxRetryMs } = this.#limits;
    const pauseMs = Math.min(maxRetryMs, retryMs * 2 ** segment.failures);
    const [first] = unstored;
    if (first) {
      const { database, table } = first.block;
      const file = join(folder, `${segment.name}${segmentSuffix}`);
      log.error(
        { err: first.error, database, table, file, blocks: unstored.length },
        'cannot store telemetry of the intake log; retrying',
      );
    }
    try {
      const spare = await segment.left(
        unstored.map(({ block }) => block),
        { retryMs: performance.now() + pauseMs, isSpare: !this.#spares.isFull },
      );
      if (spare !== undefined) {
        this.#spares.give(spare);
      }
    } catch (error) {
      // The engine recognizes the blocks if they are stored again.
      log.warn(
        { err: error, segment: segment.name },
        'cannot remove stored blocks from the intake log',
      );
    }
    this.#pendingBytes -= before - segment.bytes;
    if (segment.blocks.length > 0) {
      this.#storeAt(segment.retryMs);
    } else {
      this.#closed = this.#closed.filter((each) => each !== segment);
      // An insert that failed may still read the blocks.
      if (segment.memory !== undefined && segment.createdMs > this.#failedAtMs) {
        this.#memories.give(segment.memory);
      }
    }
  }
}
