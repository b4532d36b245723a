import type { Client } from 'pg';
import { checkPublication } from './stream/publication.ts';
import { readSlot, requireSlot, type SlotState } from './stream/slot.ts';
import type { SourceSettings } from './source-settings.ts';
import type { SourceTable } from './tables/tables.ts';

const intervalMs = 10_000;

export interface SourceWatchOptions {
  settings: SourceSettings;
  /** The note warns once the server retains more WAL than this for the pipe. Bytes. */
  retainedLogWarningBytes: number;
}

/**
 * Checks the slot and the publication every ten seconds. The server does not report that a table
 * left the publication: its changes would just stop.
 */
export class SourceWatch {
  /** Warning for the pipe's state. */
  note: string | undefined;
  /** WAL that the server retains for the slot; undefined before the first check. */
  retainedBytes: number | undefined;
  readonly #options: SourceWatchOptions;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: SourceWatchOptions) {
    this.#options = options;
  }

  /** Checks now and then regularly until `stop`. `failed` gets what a check throws. */
  start(client: Client, tables: readonly SourceTable[], failed: (error: unknown) => void): void {
    const run = (): void => {
      this.#check(client, tables).catch(failed);
    };
    clearInterval(this.#timer);
    this.#timer = setInterval(run, intervalMs);
    run();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #check(client: Client, tables: readonly SourceTable[]): Promise<void> {
    const { slot: name, publication, mode } = this.#options.settings;
    const slot = requireSlot(await readSlot(client, name), name);
    await checkPublication(client, publication, tables, { copied: mode !== 'cdc_only' });
    this.retainedBytes = slot.retainedBytes;
    this.note = this.#noteOf(slot);
  }

  #noteOf({ status, retainedBytes }: SlotState): string | undefined {
    if (status === 'endangered') {
      return (
        'the server is about to remove WAL that the pipe still needs. ' +
        'Increase max_slot_wal_keep_size at the server, or the pipe will need a resync.'
      );
    }
    if (retainedBytes > this.#options.retainedLogWarningBytes) {
      return (
        `the server retains ${sizeText(retainedBytes)} of WAL for this pipe. ` +
        'The pipe is behind, or a transaction has been open at the server for long.'
      );
    }
    return undefined;
  }
}

const sizeText = (bytes: number): string =>
  bytes >= 2 ** 30 ? `${(bytes / 2 ** 30).toFixed(1)} GiB` : `${Math.round(bytes / 2 ** 20)} MiB`;
