import {
  TelemetryError,
  UnansweredInsert,
  type InsertOptions,
  type RowBlock,
} from '../../../ports/telemetry.ts';
import { EngineFailure } from '../engine-failure.ts';
import { chooseShard } from './choose-shard.ts';
import type { PresentShard, Shards } from './shards.ts';

export interface ShardedBlock {
  database: string;
  /** The table that holds the rows of a shard. */
  table: string;
  block: RowBlock;
  options: InsertOptions & { deduplicationToken: string };
}

/** Stores blocks, each whole on one shard. */
export class ShardBlocks {
  readonly #shards: Shards;
  readonly #isPrepared: (shard: PresentShard, database: string) => boolean;

  constructor(shards: Shards, isPrepared: (shard: PresentShard, database: string) => boolean) {
    this.#shards = shards;
    this.#isPrepared = isPrepared;
  }

  /**
   * Sends a block to the shard that its token chooses among those that answer.
   * @throws UnansweredInsert if that shard went away before it answered
   */
  async insert(block: ShardedBlock): Promise<void> {
    for (;;) {
      const shard = this.#choose(block);
      try {
        await this.#send(shard, block);
        return;
      } catch (error) {
        if (wasRefused(error)) {
          this.#shards.markAway(shard, error);
        } else if (isAnswer(error)) {
          throw error;
        } else {
          await this.#shards.probe();
          const outcome = this.#repeat(shard, block);
          outcome.catch(() => {});
          throw new UnansweredInsert(
            `shard ${shard.number} (${shard.name}) did not answer an insert`,
            outcome,
            { cause: error },
          );
        }
      }
    }
  }

  #choose({ database, options }: ShardedBlock): PresentShard {
    const candidates = this.#shards.present.filter((shard) => this.#isPrepared(shard, database));
    const shard = chooseShard(options.deduplicationToken, candidates);
    if (shard === undefined) {
      throw new TelemetryError('unavailable', 'no shard of the ClickHouse cluster responds');
    }
    return shard;
  }

  async #send(shard: PresentShard, block: ShardedBlock): Promise<void> {
    const { database, table, options } = block;
    const stop = new AbortController();
    const signal = AbortSignal.any([stop.signal, ...(options.signal ? [options.signal] : [])]);
    const insert = shard.server.telemetry.insert(database, table, block.block, {
      ...options,
      signal,
    });
    await this.#shards.watch(insert, [shard], () => stop.abort());
  }

  /** The shard knows the token if it has stored the block, so that this stores it once. */
  async #repeat(shard: PresentShard, block: ShardedBlock): Promise<void> {
    const { unansweredMs, retryMs } = this.#shards.timing;
    const deadline = performance.now() + unansweredMs;
    let last: unknown;
    while (performance.now() < deadline && !this.#shards.isClosed) {
      if (shard.away === undefined && this.#isPrepared(shard, block.database)) {
        try {
          await this.#send(shard, block);
          return;
        } catch (error) {
          last = error;
        }
      }
      await pause(retryMs);
    }
    throw new TelemetryError('unavailable', `shard ${shard.number} did not answer an insert`, {
      cause: last,
    });
  }
}

/** Whether no connection was made, so that the shard has got nothing. */
function wasRefused(error: unknown): boolean {
  const code = error instanceof TelemetryError ? codeOf(error.cause) : '';
  return /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/.test(code);
}

/** Whether the server itself said that it has not stored the block. */
function isAnswer(error: unknown): boolean {
  return (
    error instanceof TelemetryError &&
    error.cause instanceof EngineFailure &&
    !unknownOutcome.has(error.cause.code)
  );
}

/** UNKNOWN_STATUS_OF_INSERT, QUERY_WAS_CANCELLED. */
const unknownOutcome = new Set<number | undefined>([319, 394]);

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

async function pause(durationMs: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, durationMs).unref());
}
