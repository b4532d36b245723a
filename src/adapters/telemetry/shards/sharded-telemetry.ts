import { randomUUID } from 'node:crypto';
import {
  TelemetryError,
  type Column,
  type InsertOptions,
  type Purpose,
  type QueryOptions,
  type QueryResult,
  type RowBlock,
  type TakeRows,
  type Telemetry,
  type TelemetryShards,
} from '../../../ports/telemetry.ts';
import type { Sql } from '../../../sql/sql.ts';
import { freeGiven } from '../given-memory.ts';
import { readExactFrom } from '../tables/rollup.ts';
import { storedName } from '../tables/schema.ts';
import { ClusterShards } from './cluster-shards.ts';
import { ShardBlocks } from './shard-blocks.ts';
import { prepareShards } from './shard-tables.ts';
import { awayError, type PresentShard, type Shard, type Shards } from './shards.ts';

type Settings = Readonly<Record<string, string>>;

/** Of every query: how a server asks the other shards. */
const distributedSettings: Settings = {
  // A subquery over a sharded table is run once, over all shards.
  distributed_product_mode: 'global',
  // Each shard has one server: a second connection would lead to the same.
  use_hedged_requests: '0',
  connect_timeout_with_failover_ms: '2000',
  connect_timeout_with_failover_secure_ms: '3000',
};

/** While a shard is away, the others need not wait for it. */
const withoutAway: Settings = {
  skip_unavailable_shards: '1',
  connections_with_failover_max_tries: '1',
  connect_timeout_with_failover_ms: '500',
  connect_timeout_with_failover_secure_ms: '1000',
  handshake_timeout_ms: '500',
};

/**
 * The telemetry of a ClickHouse cluster with several shards. Rows are in `<table>_local` of each
 * shard, and a Distributed table of the known name queries all of them.
 */
export class ShardedTelemetry implements Telemetry {
  readonly embedded = false;
  readonly guardsEgress = false;
  readonly shards: TelemetryShards;
  readonly #shards: Shards;
  readonly #cluster: string;
  readonly #blocks: ShardBlocks;
  readonly #databases = new Set<string>();
  /** Databases whose tables a shard has. */
  readonly #prepared = new Map<Shard, Set<string>>();
  readonly #exactFrom = new Map<string, number>();

  /** @param makeShards makes the shards, which call back when one returns */
  constructor(
    cluster: string,
    makeShards: (prepare: (shard: PresentShard) => Promise<void>) => Shards,
  ) {
    this.#cluster = cluster;
    this.#shards = makeShards((shard) => this.#prepareReturned(shard));
    this.shards = new ClusterShards(this.#shards, cluster);
    this.#blocks = new ShardBlocks(
      this.#shards,
      (shard, database) => this.#prepared.get(shard)?.has(database) ?? false,
    );
  }

  relayFor(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  query(statement: Sql, options: QueryOptions): Promise<QueryResult> {
    return this.#read(options, async ({ server }, settings, signal) =>
      server.telemetry.query(statement, { ...options, signal }, settings),
    );
  }

  async stream(statement: Sql, options: QueryOptions, take: TakeRows): Promise<void> {
    let hasBegun = false;
    await this.#read(options, async ({ server }, settings, signal) => {
      if (hasBegun) {
        throw new TelemetryError('unavailable', 'a shard went away in the middle of the rows');
      }
      const takeNext: TakeRows = (rows, columns) => {
        hasBegun = true;
        return take(rows, columns);
      };
      await server.telemetry.stream(statement, { ...options, signal }, takeNext, settings);
      return {};
    });
  }

  command(): Promise<void> {
    return Promise.reject(
      new TelemetryError(
        'other',
        'a statement that changes tables of a cluster with several shards must name the shard',
      ),
    );
  }

  async insert(
    database: string,
    table: string,
    block: RowBlock,
    options: InsertOptions = {},
  ): Promise<void> {
    if (block.rows === 0) {
      return;
    }
    const deduplicationToken = options.deduplicationToken ?? randomUUID();
    await this.#blocks.insert({
      database,
      table: storedName(table, { isShard: true }),
      block,
      // A shard that has not answered may get the block again.
      options: { ...options, givesMemory: false, deduplicationToken },
    });
    freeGiven(block, options);
  }

  /** Those of one shard: `migrate` has made them equal on all. */
  async columns(database: string, table: string, tenant?: string): Promise<Column[]> {
    const [first] = this.#shards.present;
    const { server } = first ?? this.#shards.next();
    return server.telemetry.columns(database, table, tenant);
  }

  forgetColumns(database: string, table: string): void {
    for (const { server } of this.#shards.all) {
      server?.telemetry.forgetColumns(database, table);
    }
  }

  async migrate(database: string): Promise<readonly string[]> {
    this.#shards.next();
    this.#databases.add(database);
    for (;;) {
      const shards = this.#shards.present;
      try {
        const cluster = this.#cluster;
        const steps = await prepareShards(shards, { database, cluster, all: shards });
        shards.forEach((shard) => this.#note(shard, database));
        this.#exactFrom.delete(database);
        return steps;
      } catch (error) {
        await this.#shards.probe();
        if (shards.every(({ away }) => away === undefined) || this.#shards.present.length === 0) {
          throw error;
        }
      }
    }
  }

  async rollupExactFrom(database: string): Promise<number | undefined> {
    const known = this.#exactFrom.get(database);
    if (known !== undefined || this.#shards.away.length > 0) {
      return known;
    }
    const from = await readExactFrom(this, database);
    if (from !== undefined) {
      this.#exactFrom.set(database, from);
    }
    return from;
  }

  async ping(timeoutMs: number): Promise<void> {
    await this.#shards.next().server.ask('SELECT 1', timeoutMs);
  }

  async close(withinMs?: number): Promise<void> {
    this.#shards.close();
    const servers = this.#shards.all.flatMap(({ server }) => server ?? []);
    await Promise.all(servers.map(({ telemetry }) => telemetry.close(withinMs)));
  }

  /** A shard that was away may lack tables, and it may bring rows that the rollup does not count. */
  async #prepareReturned(shard: PresentShard): Promise<void> {
    const all = [...this.#shards.present, shard];
    for (const database of this.#databases) {
      await prepareShards([shard], { database, cluster: this.#cluster, all });
      this.#note(shard, database);
    }
    this.#exactFrom.clear();
  }

  #note(shard: Shard, database: string): void {
    const databases = this.#prepared.get(shard) ?? new Set();
    this.#prepared.set(shard, databases.add(database));
  }

  /**
   * Asks one shard, which asks the others. If a shard goes away meanwhile, charts are asked again
   * without it, and their result says so; everything else fails.
   */
  async #read<T extends object>(
    options: QueryOptions,
    send: (initiator: PresentShard, settings: Settings, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const deadline = performance.now() + options.timeoutMs;
    for (;;) {
      const { away, present } = this.#shards;
      if (away.length > 0 && needsAll(options.purpose)) {
        throw awayError(away);
      }
      const initiator = this.#shards.next();
      try {
        const result = await this.#attempt(initiator, options, send, away.length > 0);
        if (away.length === 0 || options.purpose !== 'chart') {
          return result;
        }
        // Another shard may have been left out as well.
        await this.#shards.probe();
        if (present.every((shard) => shard.away === undefined)) {
          return { ...result, missingShards: away.map(({ number }) => number) };
        }
      } catch (error) {
        const mayBeAway = error instanceof TelemetryError && hintsAtLoss(error);
        if (!mayBeAway || options.signal?.aborted) {
          throw error;
        }
        await this.#shards.probe();
        if (present.every((shard) => shard.away === undefined) || performance.now() > deadline) {
          throw error;
        }
      }
    }
  }

  async #attempt<T>(
    initiator: PresentShard,
    options: QueryOptions,
    send: (initiator: PresentShard, settings: Settings, signal: AbortSignal) => Promise<T>,
    isPartial: boolean,
  ): Promise<T> {
    const stop = new AbortController();
    const signal = AbortSignal.any([stop.signal, ...(options.signal ? [options.signal] : [])]);
    const settings = {
      ...distributedSettings,
      ...(isPartial && options.purpose === 'chart' ? withoutAway : {}),
    };
    return this.#shards.watch(send(initiator, settings, signal), this.#shards.present, () =>
      stop.abort(),
    );
  }
}

/** Their results must be whole. */
const needsAll = (purpose: Purpose): boolean => purpose === 'alert' || purpose === 'export';

/** Whether a query may have failed because a shard went away. */
const hintsAtLoss = ({ kind, message }: TelemetryError): boolean =>
  kind === 'unavailable' || /while receiving packet from|Attempt to read after eof/i.test(message);
