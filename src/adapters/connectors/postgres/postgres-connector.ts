import type { Batch, Position } from '../../../ports/batch.ts';
import type { Connector, ConnectorContext, From } from '../../../ports/connector.ts';
import type { Explorer } from '../../../ports/explorer.ts';
import { BatchQueue } from '../batch-queue.ts';
import { markOpeningErrors, OpeningFailed } from '../opening-failed.ts';
import { PostgresExplorer } from './postgres-explorer.ts';
import { postgresError } from './postgres-errors.ts';
import { readSample } from './sample.ts';
import { checkSource } from './source-checks.ts';
import { sourceSettings, type SourceSettings } from './source-settings.ts';
import { dropPublication } from './stream/publication.ts';
import { dropSlot } from './stream/slot.ts';
import { TableSync } from './table-sync.ts';
import { Server } from './wire/server.ts';

type Context = ConnectorContext<'postgres'>;

const retainedLogWarningDefaultBytes = 4 * 2 ** 30;

export interface PostgresOptions {
  /**
   * The pipe's state message warns once the server retains more WAL than this for the pipe. Bytes;
   * default 4 GiB.
   */
  retainedLogWarningBytes?: number;
}

/** Reads tables of a PostgreSQL server: first a snapshot of them, then every change. */
export function postgresConnector(
  context: Context,
  { retainedLogWarningBytes = retainedLogWarningDefaultBytes }: PostgresOptions = {},
): Connector {
  return new PostgresConnector(context, retainedLogWarningBytes);
}

class PostgresConnector implements Connector {
  readonly #context: Context;
  readonly #server: Server;
  readonly #settings: SourceSettings;
  readonly #sync: TableSync;
  #queue: BatchQueue<Batch> | undefined;

  constructor(context: Context, retainedLogWarningBytes: number) {
    this.#context = context;
    this.#server = new Server(context);
    this.#settings = sourceSettings(context);
    this.#sync = new TableSync({
      context,
      server: this.#server,
      settings: this.#settings,
      retainedLogWarningBytes,
    });
  }

  async check(signal: AbortSignal): Promise<void> {
    await this.#translateErrors(async () => {
      const client = await this.#server.client();
      signal.throwIfAborted();
      await checkSource(client, this.#context.source, this.#settings);
      await client.end();
    });
  }

  async *read(from: From, signal: AbortSignal): AsyncGenerator<Batch> {
    const { bufferBytes, purpose } = this.#context;
    const queue = (this.#queue = new BatchQueue<Batch>(bufferBytes / 4));
    const stop = (): void => {
      this.#pause();
    };
    signal.addEventListener('abort', stop, { once: true });
    try {
      if (signal.aborted) {
        return;
      }
      void fill(queue, () =>
        purpose === 'sample'
          ? readSample(this.#server, this.#context, queue)
          : this.#sync.run(markOpeningErrors(from), queue),
      );
      yield* queue;
    } catch (error) {
      throw this.#translated(error);
    } finally {
      signal.removeEventListener('abort', stop);
      this.#pause();
    }
  }

  commit(partition: string, position: Position): Promise<void> {
    this.#sync.stored(partition, position);
    return Promise.resolve();
  }

  explorer(): Promise<Explorer> {
    return Promise.resolve(
      new PostgresExplorer({
        context: this.#context,
        server: this.#server,
        settings: this.#settings,
        translated: (error) => this.#translated(error),
      }),
    );
  }

  close(): Promise<void> {
    this.#pause();
    this.#server.close();
    return Promise.resolve();
  }

  async remove(): Promise<void> {
    await this.#translateErrors(async () => {
      const { mode, ownName, slot, publication } = this.#settings;
      if (mode === 'snapshot') {
        return;
      }
      const client = await this.#server.client();
      if (slot === ownName) {
        await dropSlot(client, ownName);
      }
      if (publication === ownName) {
        await dropPublication(client, ownName);
      }
      await client.end();
    });
  }

  #pause(): void {
    this.#sync.stop();
    this.#queue?.close();
  }

  async #translateErrors(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      throw this.#translated(error);
    }
  }

  #translated(error: unknown): unknown {
    if (error instanceof OpeningFailed) {
      return error.reason;
    }
    const { database, credentials } = this.#context.source;
    const { publication, slot } = this.#settings;
    const username = credentials?.username ?? 'postgres';
    return postgresError(error, { database, username, publication, slot });
  }
}

async function fill(queue: BatchQueue<Batch>, work: () => Promise<void>): Promise<void> {
  try {
    await work();
    queue.end();
  } catch (error) {
    queue.fail(error);
  }
}
