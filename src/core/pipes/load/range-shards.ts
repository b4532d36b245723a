import { ShardAway, type TelemetryShard, type TelemetryShards } from '../../../ports/telemetry.ts';
import type { PreparedTable } from '../tables/prepare-shards.ts';
import type { Range } from '../read/partition-buffer.ts';

/**
 * Chooses the shards of ranges. A range goes whole to one shard and stays with it, so that a repeated
 * insert meets the shard that knows its token.
 */
export class RangeShards {
  readonly #shards: TelemetryShards;
  readonly #prepareTable: () => Promise<PreparedTable | undefined>;
  #prepared: PreparedTable | undefined;

  /**
   * @param prepared the table of the pipe; undefined: the source names its tables
   * @param prepareTable prepares it again, for shards that did not respond the first time
   */
  constructor(
    shards: TelemetryShards,
    prepared: PreparedTable | undefined,
    prepareTable: () => Promise<PreparedTable | undefined>,
  ) {
    this.#shards = shards;
    this.#prepared = prepared;
    this.#prepareTable = prepareTable;
  }

  /** @throws ShardAway if no shard can take the range */
  async choose({ begun }: Pick<Range, 'begun'>, key: string): Promise<TelemetryShard> {
    const known = begun && this.#shardOf(begun.shard);
    if (known) {
      return known;
    }
    const chosen = this.#shards.choose(key, await this.#ready());
    if (chosen === undefined) {
      throw new ShardAway('no shard of the ClickHouse cluster responds');
    }
    return chosen;
  }

  /** A range of the time before the cluster had several shards belongs to the server of that time. */
  #shardOf(name: string | null): TelemetryShard | undefined {
    return (
      this.#shards.named(name) ?? (name === null ? this.#prepared?.placement.former : undefined)
    );
  }

  /** Shards that respond and have the table. */
  async #ready(): Promise<readonly TelemetryShard[]> {
    const present = this.#shards.present();
    const isReady = ({ name }: TelemetryShard): boolean =>
      this.#prepared?.shards.some((shard) => shard.name === name) ?? true;
    if (!present.every(isReady)) {
      this.#prepared = await this.#prepareTable();
    }
    return present.filter(isReady);
  }
}
