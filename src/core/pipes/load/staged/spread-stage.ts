import type { TelemetryShard, TelemetryShards } from '../../../../ports/telemetry.ts';
import { inSlot, type RowSlot } from '../../../../sql/row-slot.ts';
import { sql } from '../../../../sql/sql.ts';
import type { Stage } from './stage.ts';

/** A stage on one of the shards. */
export interface ShardStage {
  stage: Stage;
  shard: TelemetryShard;
  /** The rows that belong there. Undefined: none. */
  slot: RowSlot | undefined;
}

interface SpreadPlace {
  /** The stage with the rows. */
  source: Stage;
  /** The shard of the source. */
  home: TelemetryShard;
  shards: Pick<TelemetryShards, 'share'>;
  database: string;
}

type Publish = (stage: Stage, table: string) => Promise<void>;

/**
 * Copies the rows of a ready stage into stages on the shards where they belong. A stage that is ready
 * already stays: it has all its rows.
 */
export class StageSpread {
  readonly #place: SpreadPlace;
  readonly #stages: readonly ShardStage[];

  /** @param stages one for each shard of the cluster */
  constructor(place: SpreadPlace, stages: readonly ShardStage[]) {
    this.#place = place;
    this.#stages = stages;
  }

  /**
   * @param publish makes a full table the ready table of its stage
   * @returns the ready stages
   */
  async run(publish: Publish): Promise<readonly Stage[]> {
    const missing: { stage: Stage; slot: RowSlot }[] = [];
    for (const { stage, slot } of this.#stages) {
      if (!(await stage.takeOver()) && slot) {
        missing.push({ stage, slot });
      }
    }
    const [first] = missing;
    if (first) {
      const name = first.stage.newName('spread');
      await this.#offer(name);
      for (const { stage, slot } of missing) {
        await publish(stage, await filled(stage, slot, name));
      }
      for (const { stage, shard } of this.#stages) {
        await stage.drop(name, shard.stored(name));
      }
    }
    return this.#stages.filter(({ slot }) => slot).map(({ stage }) => stage);
  }

  /** Makes the rows of the source visible on all shards under a name. */
  async #offer(name: string): Promise<void> {
    for (const { stage, shard } of this.#stages) {
      await stage.createNamed(shard.stored(name));
    }
    const { source, home, shards, database } = this.#place;
    await source.copyReady(home.stored(name));
    await shards.share(database, [name]);
  }
}

/** A new table of the stage with the rows of the slot. */
async function filled(stage: Stage, slot: RowSlot, from: string): Promise<string> {
  const table = await stage.create();
  await stage.load(
    sql`INSERT INTO ${stage.qualifiedTable(table)} SELECT * FROM ${stage.qualifiedTable(from)}
      WHERE ${inSlot(slot)}
      SETTINGS insert_deduplicate = 0, max_partitions_per_insert_block = 0`,
  );
  return table;
}
