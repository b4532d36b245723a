import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, open, readFile, rename, rm, writeFile, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '../embedded/clean-stop.ts';
import type { BlockMemory } from './block-memory.ts';
import {
  bytesOf,
  encodeRecord,
  markBytes,
  readRecords,
  type LoggedBlock,
  type ReadRecords,
} from './record.ts';

export const segmentSuffix = '.log';
/** Of a file without blocks that wait, for the next segment. */
const spareSuffix = '.spare';
const damagedSuffix = '.damaged';
/** A segment needs more only if more than this comes in a moment. */
const spaceBytes = 4 * 2 ** 20;
/**
 * Linux syncs each write to a file that was opened so, which saves a second call for each append.
 * Other systems may leave the bytes in the cache of the disk.
 */
const syncingWrites = process.platform === 'linux' ? constants.O_DSYNC : 0;

export interface NewSegment {
  folder: string;
  isSynced: boolean;
  /** For copies of its blocks, until they are stored. */
  memory: BlockMemory;
  /** A file to use again. */
  spare: string | undefined;
}

interface Waiting {
  done: Promise<void>;
  resolve: () => void;
}

/** Blocks of one file. It gets no more blocks once they are being stored, and is removed after that. */
export class Segment {
  readonly name: string;
  /** Undefined: its blocks have memory of their own. */
  readonly memory: BlockMemory | undefined;
  readonly createdMs = performance.now();
  /** Number of attempts to store its blocks that have failed. */
  failures = 0;
  /** When the blocks are to be stored again, after a failure. */
  retryMs = -Infinity;
  readonly #folder: string;
  readonly #isSynced: boolean;
  #blocks: LoggedBlock[];
  #file: FileHandle | undefined;
  #size = 0;
  #hasSpace: boolean;
  /** Who waits for a database; for all of them under the empty name. */
  readonly #waiting = new Map<string, Waiting>();
  /** Chunks that are still to be stored, by database. Undefined: nobody stores them yet. */
  #chunks: Map<string, number> | undefined;

  private constructor(
    folder: string,
    name: string,
    options: {
      isSynced: boolean;
      file?: FileHandle;
      memory?: BlockMemory;
      blocks?: LoggedBlock[];
    },
  ) {
    this.#folder = folder;
    this.name = name;
    this.#isSynced = options.isSynced;
    this.#file = options.file;
    this.#hasSpace = options.file !== undefined;
    this.memory = options.memory;
    this.#blocks = options.blocks ?? [];
  }

  /**
   * An empty one, in a new file or in a spare one. Its name is never used again: tokens are made of
   * it. The file has its space on the disk already, because a sync that also records its growth
   * takes three times as long.
   */
  static async create({ folder, isSynced, memory, spare }: NewSegment): Promise<Segment> {
    const time = String(Date.now()).padStart(15, '0');
    const name = `${time}-${randomBytes(markBytes).toString('hex')}`;
    const path = join(folder, `${name}${segmentSuffix}`);
    if (spare === undefined) {
      const space = Buffer.alloc(spaceBytes);
      await writeFile(path, space, { flag: 'wx', mode: 0o600, flush: isSynced });
    } else {
      await rename(spare, path);
    }
    const file = await open(path, constants.O_RDWR | (isSynced ? syncingWrites : 0));
    const segment = new Segment(folder, name, { isSynced, file, memory });
    segment.#syncFolder();
    return segment;
  }

  /**
   * One that an earlier process has written. If it is damaged, the operator gets a copy of it: that
   * may have more than this program can read.
   */
  static async read(
    folder: string,
    name: string,
    isSynced: boolean,
  ): Promise<{ segment: Segment; read: ReadRecords }> {
    const path = join(folder, `${name}${segmentSuffix}`);
    const read = readRecords(await readFile(path), markOf(name));
    const segment = new Segment(folder, name, { isSynced, blocks: read.blocks });
    if (read.damaged.length > 0) {
      await copyFile(path, join(folder, `${name}${damagedSuffix}`));
      await segment.#rewrite();
    }
    return { segment, read };
  }

  get blocks(): readonly LoggedBlock[] {
    return this.#blocks;
  }

  get rows(): number {
    return this.blocks.reduce((sum, { rows }) => sum + rows, 0);
  }

  get bytes(): number {
    return this.blocks.reduce((sum, { data }) => sum + bytesOf(data), 0);
  }

  /** Bytes of the records. */
  get size(): number {
    return this.#size;
  }

  get isAttempted(): boolean {
    return this.retryMs !== -Infinity;
  }

  /**
   * Appends blocks, durable when the promise resolves. If it rejects, none of them is in the segment,
   * and it must get no more.
   * @returns the blocks as it has them
   */
  async append(blocks: readonly Omit<LoggedBlock, 'origin'>[]): Promise<readonly LoggedBlock[]> {
    const file = this.#file!;
    const start = this.#blocks.length;
    const logged = blocks.map((block, index) => ({
      ...block,
      data: this.memory?.copy(block.data) ?? block.data,
      origin: `${this.name}/${start + index}`,
    }));
    const pieces = logged.flatMap((block) => encodeRecord(block, this.#mark));
    const bytes = bytesOf(pieces);
    try {
      const { bytesWritten } = await file.writev(pieces, this.#size);
      if (bytesWritten < bytes) {
        throw new Error(`No space left on device: wrote ${bytesWritten} of ${bytes} bytes`);
      }
      if (this.#isSynced && syncingWrites === 0) {
        await file.datasync();
      }
    } catch (error) {
      await this.#cut();
      throw error;
    }
    this.#size += bytes;
    this.#blocks.push(...logged);
    return logged;
  }

  /** Its blocks cannot be acknowledged, so they must not be stored later either. */
  async #cut(): Promise<void> {
    try {
      this.#hasSpace = false;
      await this.#file!.truncate(this.#size);
      await this.#file!.datasync();
    } catch {
      // The file is removed as soon as its other blocks are stored.
    }
  }

  /** No more blocks follow. */
  async close(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.close();
  }

  has(database: string | undefined): boolean {
    return this.blocks.some((block) => database === undefined || block.database === database);
  }

  /**
   * Resolves after the first attempt to store the blocks of a database; of all databases if none is
   * given.
   */
  attempted(database = ''): Promise<void> {
    if (this.isAttempted || (this.#chunks !== undefined && this.#chunks.get(database) === 0)) {
      return Promise.resolve();
    }
    const known = this.#waiting.get(database);
    if (known) {
      return known.done;
    }
    let resolve!: () => void;
    const done = new Promise<void>((settle) => (resolve = settle));
    this.#waiting.set(database, { done, resolve });
    return done;
  }

  /** An attempt begins to store chunks of these databases. */
  begin(databases: readonly string[]): void {
    this.#chunks = new Map();
    for (const database of databases) {
      this.#chunks.set(database, (this.#chunks.get(database) ?? 0) + 1);
    }
  }

  /**
   * A chunk of a database was stored, or could not be.
   * @returns whether it was the last one of all. Then `left` has to follow.
   */
  end(database: string): boolean {
    const chunks = this.#chunks ?? new Map<string, number>();
    chunks.set(database, (chunks.get(database) ?? 1) - 1);
    const isLast = [...chunks.values()].every((count) => count === 0);
    if (!isLast && chunks.get(database) === 0) {
      this.#release(database);
    }
    return isLast;
  }

  #release(database: string): void {
    this.#waiting.get(database)?.resolve();
    this.#waiting.delete(database);
  }

  /**
   * An attempt has ended that left these blocks, out of `blocks`. Without any the file is removed, or
   * becomes a spare one.
   * @returns the path of the spare file
   */
  async left(
    blocks: readonly LoggedBlock[],
    { retryMs, isSpare }: { retryMs: number; isSpare: boolean },
  ): Promise<string | undefined> {
    const isSmaller = blocks.length < this.blocks.length;
    this.#blocks = [...blocks];
    this.retryMs = retryMs;
    this.failures = blocks.length === 0 ? 0 : this.failures + 1;
    try {
      if (blocks.length === 0) {
        return await this.#free(isSpare && this.#hasSpace);
      }
      if (isSmaller) {
        await this.#rewrite();
      }
      return undefined;
    } finally {
      [...this.#waiting.keys()].forEach((database) => this.#release(database));
    }
  }

  async #free(isSpare: boolean): Promise<string | undefined> {
    if (!isSpare) {
      await rm(this.#path, { force: true });
      return undefined;
    }
    const spare = join(this.#folder, `${this.name}${spareSuffix}`);
    await rename(this.#path, spare);
    return spare;
  }

  /** What is not in `blocks` must not be stored again later, when the engine has forgotten its token. */
  async #rewrite(): Promise<void> {
    const next = join(this.#folder, `${this.name}.next`);
    await writeFile(
      next,
      Buffer.concat(this.blocks.flatMap((block) => encodeRecord(block, this.#mark))),
      {
        mode: 0o600,
        flush: true,
      },
    );
    await rename(next, this.#path);
    this.#hasSpace = false;
    this.#syncFolder();
  }

  get #mark(): Buffer {
    return markOf(this.name);
  }

  get #path(): string {
    return join(this.#folder, `${this.name}${segmentSuffix}`);
  }

  #syncFolder(): void {
    if (this.#isSynced) {
      syncFolder(this.#folder);
    }
  }
}

const markOf = (name: string): Buffer => Buffer.from(name.slice(-2 * markBytes), 'hex');

/** Names of the files that have blocks, the oldest first. */
export const segmentNames = (files: readonly string[]): string[] =>
  files
    .filter((name) => name.endsWith(segmentSuffix))
    .map((name) => name.slice(0, -segmentSuffix.length))
    .toSorted();
