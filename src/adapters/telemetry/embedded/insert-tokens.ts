import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Log } from '../../../ports/ambient.ts';
import { syncFolder } from './clean-stop.ts';
import { isLocked, writeThrough } from './file-flags.ts';

/**
 * The engine writes the token of an insert to a log file of the table, then renames the part into
 * place. It syncs the part, not the log. After a power cut the log could lack the token of a part
 * that is there, and the repeated insert would store its rows twice. So the log is written through
 * to the disk. A log can then be ahead of the parts: if the engine died between the two, the log has
 * a token whose part is not there, and the repeated insert would store nothing. Such tokens are
 * removed before the engine starts.
 */
export class InsertTokens {
  readonly #path: string;
  readonly #log: Log;
  readonly #known = new Set<string>();
  #warned = false;

  /** `path`: the engine's data directory. */
  constructor(path: string, log: Log) {
    this.#path = path;
    this.#log = log;
  }

  /** Makes the logs of new tables write through to the disk. */
  writeThrough(): void {
    for (const folder of this.#folders()) {
      if (!this.#known.has(folder)) {
        this.#known.add(folder);
        this.#flag(folder);
      }
    }
  }

  /** Removes the tokens of parts that are not there. The engine must not run. */
  repair(): void {
    const status = join(this.#path, 'status');
    if (existsSync(status) && isLocked(status)) {
      // The start that follows fails, and says who uses the directory.
      return;
    }
    for (const folder of this.#folders()) {
      for (const file of newestLogs(folder)) {
        const removed = repairLog(file, dirname(folder));
        if (removed > 0) {
          this.#log.warn({ file, removed }, 'removed insert tokens without parts');
        }
      }
    }
  }

  #flag(folder: string): void {
    try {
      const paths = [folder, ...readdirSync(folder).map((name) => join(folder, name))];
      const flagged = paths.map(writeThrough).every(Boolean);
      if (!flagged && !this.#warned) {
        this.#warned = true;
        this.#log.warn(
          { path: this.#path },
          'the file system has no synchronous files; a power cut during an insert of a pipe can store its rows twice',
        );
      }
    } catch (error) {
      // A table that was dropped meanwhile has nothing to protect.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
        throw error;
      }
    }
  }

  /** Of all tables that remember tokens. */
  #folders(): string[] {
    return subfolders(join(this.#path, 'store'))
      .flatMap(subfolders)
      .map((table) => join(table, 'deduplication_logs'))
      .filter((folder) => existsSync(folder));
  }
}

function subfolders(path: string): string[] {
  try {
    return readdirSync(path).map((name) => join(path, name));
  } catch {
    return [];
  }
}

/** The engine begins a new file every 20,000 tokens; unfinished inserts are in the last two. */
function newestLogs(folder: string): string[] {
  const numberOf = (name: string): number => Number(/\d+/.exec(name)?.[0]);
  return readdirSync(folder)
    .filter((name) => /^deduplication_log_\d+\.txt$/.test(name))
    .toSorted((a, b) => numberOf(a) - numberOf(b))
    .slice(-2)
    .map((name) => join(folder, name));
}

/**
 * How many of the newest tokens are checked: more inserts than this never run at the same time.
 * Parts of older ones may be gone for good reasons, such as retention.
 */
const checkedTokens = 1000;

/** Answers how many lines were removed. */
function repairLog(file: string, table: string): number {
  const lines = readFileSync(file, 'utf8').split('\n');
  const parts = readdirSync(table).flatMap((name) => blocksOf(name) ?? []);
  const kept = lines.filter((line, index) => {
    if (line === '') {
      return false;
    }
    const [operation, name = '', token] = line.split('\t');
    const blocks = blocksOf(name);
    const isWhole = token !== undefined && blocks !== undefined && index < lines.length - 1;
    if (!isWhole) {
      return false;
    }
    return (
      operation !== '1' ||
      index < lines.length - checkedTokens ||
      parts.some((part) => covers(part, blocks))
    );
  });
  const removed = lines.filter((line) => line !== '').length - kept.length;
  if (removed > 0) {
    replace(file, kept.map((line) => `${line}\n`).join(''));
  }
  return removed;
}

interface Blocks {
  partition: string;
  first: number;
  last: number;
}

/** `<partition>_<first block>_<last block>_<level>[_<mutation>]` */
function blocksOf(name: string): Blocks | undefined {
  const [, partition, first, last] = /^([^_]+)_(\d+)_(\d+)_\d+(?:_\d+)?$/.exec(name) ?? [];
  return partition === undefined
    ? undefined
    : { partition, first: Number(first), last: Number(last) };
}

const covers = (part: Blocks, blocks: Blocks): boolean =>
  part.partition === blocks.partition && part.first <= blocks.first && part.last >= blocks.last;

function replace(file: string, text: string): void {
  const next = `${dirname(file)}.next`;
  writeFileSync(next, text, { mode: 0o600, flush: true });
  renameSync(next, file);
  syncFolder(dirname(file));
}
