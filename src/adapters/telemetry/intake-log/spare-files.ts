import { rm } from 'node:fs/promises';
import type { Log } from '../../../ports/ambient.ts';

/** One file gets blocks while those of another one are being stored. */
const maxFiles = 2;

/** Files without blocks for the next segments: one that has its space is synced faster. */
export class SpareFiles {
  readonly #log: Log;
  readonly #idleMs: number;
  #paths: string[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** @param idleMs after this time without a new one, all are removed */
  constructor(log: Log, idleMs: number) {
    this.#log = log;
    this.#idleMs = idleMs;
  }

  get isFull(): boolean {
    return this.#paths.length >= maxFiles;
  }

  take(): string | undefined {
    return this.#paths.pop();
  }

  give(path: string): void {
    this.#paths.push(path);
    this.#timer ??= setTimeout(() => void this.#remove(), this.#idleMs).unref();
    this.#timer.refresh();
  }

  async #remove(): Promise<void> {
    const paths = this.#paths;
    this.#paths = [];
    for (const path of paths) {
      await rm(path, { force: true }).catch((error: unknown) => {
        this.#log.warn({ err: error, path }, 'cannot remove a spare file of the intake log');
      });
    }
  }
}
