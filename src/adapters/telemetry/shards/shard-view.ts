import {
  TelemetryError,
  type Column,
  type InsertOptions,
  type QueryOptions,
  type QueryResult,
  type RowBlock,
  type TelemetryShard,
} from '../../../ports/telemetry.ts';
import type { Sql } from '../../../sql/sql.ts';
import type { EngineTelemetry } from '../engine-telemetry.ts';
import { stored } from './distributed-tables.ts';
import { awayError, isPresent, type PresentShard, type Shard, type Shards } from './shards.ts';

interface Call {
  signal?: AbortSignal | undefined;
}

/** One shard, for work on its own tables. Notices soon that it stops responding. */
export class ShardView implements TelemetryShard {
  readonly embedded = false;
  readonly #shard: Shard;
  readonly #shards: Shards;

  constructor(shard: Shard, shards: Shards) {
    this.#shard = shard;
    this.#shards = shards;
  }

  get name(): string {
    return this.#shard.name;
  }

  stored(table: string): string {
    return stored(table);
  }

  query(statement: Sql, options: QueryOptions): Promise<QueryResult> {
    return this.#watched(options, (telemetry, call) => telemetry.query(statement, call));
  }

  command(statement: Sql, options: QueryOptions): Promise<void> {
    return this.#watched(options, (telemetry, call) => telemetry.command(statement, call));
  }

  insert(
    database: string,
    table: string,
    block: RowBlock,
    options: InsertOptions = {},
  ): Promise<void> {
    return this.#watched(options, (telemetry, call) =>
      telemetry.insert(database, table, block, call),
    );
  }

  columns(database: string, table: string, tenant?: string): Promise<Column[]> {
    return this.#watched({}, (telemetry) => telemetry.columns(database, table, tenant));
  }

  forgetColumns(database: string, table: string): void {
    this.#shard.server?.telemetry.forgetColumns(database, table);
  }

  async #watched<O extends Call, T>(
    options: O,
    send: (telemetry: EngineTelemetry, options: O) => Promise<T>,
  ): Promise<T> {
    const shard = this.#present();
    const stop = new AbortController();
    const signals = [stop.signal, ...(options.signal ? [options.signal] : [])];
    const work = send(shard.server.telemetry, { ...options, signal: AbortSignal.any(signals) });
    try {
      return await this.#shards.watch(work, [shard], () => stop.abort());
    } catch (error) {
      if (!(error instanceof TelemetryError) || error.kind !== 'unavailable') {
        throw error;
      }
      await this.#shards.probe();
      throw shard.away === undefined ? error : awayError([shard], error);
    }
  }

  #present(): PresentShard {
    const shard = this.#shard;
    if (!isPresent(shard)) {
      throw awayError([shard]);
    }
    return shard;
  }
}
