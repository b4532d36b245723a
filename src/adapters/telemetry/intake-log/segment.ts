import { randomBytes } from 'node:crypto';
import { copyFile, open, readFile, rename, rm, writeFile, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '../embedded/clean-stop.ts';
import {
  bytesOf,
  encodeRecord,
  markBytes,
  readRecords,
  type LoggedBlock,
  type ReadRecords,
} from './record.ts';

export const segmentSuffix = '.log';
const damagedSuffix = '.damaged';

/** Blocks of one file. It gets no more blocks once they are being stored, and is removed after that. */
export class Segment {
  readonly name: string;
  blocks: readonly LoggedBlock[];
  readonly createdMs = performance.now();
  /** Number of attempts to store its blocks that have failed. */
  failures = 0;
  /** When the blocks are to be stored again, after a failure. */
  retryMs = -Infinity;
  /** Resolves after the first attempt to store its blocks. */
  readonly attempted: Promise<void>;
  readonly #folder: string;
  readonly #isSynced: boolean;
  #file: FileHandle | undefined;
  #size = 0;
  #setAttempted!: () => void;

  private constructor(
    folder: string,
    name: string,
    options: { isSynced: boolean; file?: FileHandle; blocks?: readonly LoggedBlock[] },
  ) {
    this.#folder = folder;
    this.name = name;
    this.#isSynced = options.isSynced;
    this.#file = options.file;
    this.blocks = options.blocks ?? [];
    this.attempted = new Promise((resolve) => (this.#setAttempted = resolve));
  }

  /** An empty one. Its name is never used again: tokens are made of it. */
  static async create(folder: string, isSynced: boolean): Promise<Segment> {
    const time = String(Date.now()).padStart(15, '0');
    const name = `${time}-${randomBytes(markBytes).toString('hex')}`;
    const file = await open(join(folder, `${name}${segmentSuffix}`), 'wx', 0o600);
    const segment = new Segment(folder, name, { isSynced, file });
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

  get rows(): number {
    return this.blocks.reduce((sum, { rows }) => sum + rows, 0);
  }

  get bytes(): number {
    return this.blocks.reduce((sum, { data }) => sum + bytesOf(data), 0);
  }

  /** Size of the file. */
  get size(): number {
    return this.#size;
  }

  get isAttempted(): boolean {
    return this.retryMs !== -Infinity;
  }

  /**
   * Appends blocks, durable when the promise resolves. If it rejects, none of them is in the segment,
   * and it must get no more.
   */
  async append(blocks: readonly Omit<LoggedBlock, 'origin'>[]): Promise<void> {
    const file = this.#file!;
    const start = this.blocks.length;
    const logged = blocks.map((block, index) => ({
      ...block,
      origin: `${this.name}/${start + index}`,
    }));
    const pieces = logged.flatMap((block) => encodeRecord(block, this.#mark));
    const bytes = bytesOf(pieces);
    try {
      const { bytesWritten } = await file.writev(pieces, this.#size);
      if (bytesWritten < bytes) {
        throw new Error(`No space left on device: wrote ${bytesWritten} of ${bytes} bytes`);
      }
      if (this.#isSynced) {
        await file.datasync();
      }
    } catch (error) {
      await this.#cut();
      throw error;
    }
    this.#size += bytes;
    this.blocks = [...this.blocks, ...logged];
  }

  /** Its blocks cannot be acknowledged, so they must not be stored later either. */
  async #cut(): Promise<void> {
    try {
      await this.#file!.truncate(this.#size);
      await this.#file!.datasync();
    } catch {
      // The file is removed as soon as its other blocks are stored.
    }
  }

  /** No more blocks follow. */
  async close(): Promise<void> {
    await this.#file?.close();
    this.#file = undefined;
  }

  /** An attempt has ended that left these blocks, out of `blocks`. */
  async left(blocks: readonly LoggedBlock[], retryMs: number): Promise<void> {
    const isSmaller = blocks.length < this.blocks.length;
    this.blocks = blocks;
    this.retryMs = retryMs;
    this.failures = blocks.length === 0 ? 0 : this.failures + 1;
    try {
      if (blocks.length === 0) {
        await rm(this.#path, { force: true });
      } else if (isSmaller) {
        await this.#rewrite();
      }
    } finally {
      this.#setAttempted();
    }
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
