import { TelemetryError } from '../../../ports/telemetry.ts';
import type { QueryOptions, TelemetryShard, TelemetryShards } from '../../../ports/telemetry.ts';
import type { RowSlot } from '../../../sql/row-slot.ts';
import { literal, qualified, sql, trusted } from '../../../sql/sql.ts';

const admin: QueryOptions = { purpose: 'admin', timeoutMs: 60_000 };

/** A shard that takes rows of a table, and which of them. */
export interface RowPlace {
  shard: TelemetryShard;
  /** Absent: any rows. */
  slot?: RowSlot | undefined;
}

/** How the rows of a table are spread over shards. */
export interface Placement {
  /** Each row has its place by its key. Undefined: a range is stored whole on any shard. */
  slots: readonly Required<RowPlace>[] | undefined;
  /** The shard that had the table before the cluster had several shards. */
  former: TelemetryShard | undefined;
}

/**
 * Merges of these engines see the rows of one server only. So all rows with one key have to be on the
 * same shard.
 */
const mergesByKey = (engine: string): boolean => /Replacing|Collapsing|Coalescing/.test(engine);

/**
 * The comment of a shard's table says which slot it has. So the slots of a table stay the same when a
 * shard is added to the cluster, or gets another address.
 */
const slotMark = (index: number, count: number): string => `sightline slot ${index} of ${count};`;
const slotPattern = /sightline slot (\d+) of (\d+);/;

/** A table that one server had alone keeps all its rows there, if they have places by key. */
export const soleSlot = slotMark(1, 1);

interface StoredTable {
  shard: TelemetryShard;
  /** The name under which it is stored. */
  table: string;
  engine: string;
  sortingKey: string;
  comment: string;
}

/**
 * Finds out where the rows of a table belong. If it needs slots and has none, gives each shard one, in
 * the order of the cluster.
 * @param tableOn the table on a shard
 * @throws ShardAway if the rows have places by key, and a shard does not respond
 * @throws TelemetryError if a slot is missing
 */
export async function placeRows(
  shards: TelemetryShards,
  database: string,
  tableOn: (shard: TelemetryShard) => string,
): Promise<Placement> {
  const [first] = shards.present();
  if (first?.name === null) {
    return { slots: undefined, former: undefined };
  }
  const found = await storedTables(shards.present(), database, tableOn);
  const former = found.find(({ comment }) => comment.includes(soleSlot))?.shard;
  if (!found.some(({ engine }) => mergesByKey(engine))) {
    return { slots: undefined, former };
  }
  shards.all();
  const marked = found.some(({ comment }) => slotPattern.test(comment));
  const isComplete = (tables: readonly StoredTable[]): boolean => slotsOf(tables) !== undefined;
  if (!marked || (!isComplete(found) && isBegun(found))) {
    await giveSlots(found, database);
    return { slots: slotsOf(await storedTables(shards.all(), database, tableOn)), former };
  }
  const slots = slotsOf(found);
  if (slots === undefined) {
    throw new TelemetryError(
      'other',
      `the shards do not have all slots of table "${first ? tableOn(first) : ''}". ` +
        'Resync the pipe, or create the table again',
    );
  }
  return { slots, former };
}

/** Text without the slot of another shard, for a table that is made like another shard's. */
export const withoutSlot = (text: string): string =>
  text.replace(/ ?sightline slot \d+ of \d+;/, '');

async function storedTables(
  shards: readonly TelemetryShard[],
  database: string,
  tableOn: (shard: TelemetryShard) => string,
): Promise<StoredTable[]> {
  const found = await Promise.all(
    shards.map(async (shard) => {
      const table = shard.stored(tableOn(shard));
      const { rows } = await shard.query(
        sql`SELECT engine, sorting_key, comment FROM system.tables
          WHERE database = ${database} AND name = ${table}`,
        admin,
      );
      return rows.map(([engine, sortingKey, comment]) => ({
        shard,
        table,
        engine: String(engine),
        sortingKey: String(sortingKey),
        comment: String(comment),
      }));
    }),
  );
  return found.flat();
}

/** Undefined: a slot is missing, or two shards have the same. */
function slotsOf(tables: readonly StoredTable[]): Required<RowPlace>[] | undefined {
  const slots = tables.flatMap(({ shard, sortingKey, comment }) => {
    const [, index, count] = slotPattern.exec(comment) ?? [];
    // As the engine wrote it. Without a key, all rows have the same.
    const key = sortingKey === '' ? sql`1` : trusted(sortingKey);
    return index === undefined
      ? []
      : [{ shard, slot: { key, index: Number(index), count: Number(count) } }];
  });
  const count = slots.length;
  const isWhole = slots.every(
    ({ slot }) =>
      slot.count === count && slots.filter((s) => s.slot.index === slot.index).length === 1,
  );
  return count > 0 && isWhole ? slots : undefined;
}

/** Whether a process that gave out these slots ended before it had given all. */
const isBegun = (tables: readonly StoredTable[]): boolean =>
  tables.every(
    ({ comment }, index) =>
      !slotPattern.test(comment) || comment.includes(slotMark(index + 1, tables.length)),
  );

async function giveSlots(tables: readonly StoredTable[], database: string): Promise<void> {
  for (const [index, { shard, table, comment }] of tables.entries()) {
    const mark = slotMark(index + 1, tables.length);
    if (!comment.includes(mark)) {
      const marked = [comment, mark].filter((text) => text !== '').join(' ');
      await shard.command(
        sql`ALTER TABLE ${qualified(database, table)}
          MODIFY COMMENT ${literal(marked)}`,
        admin,
      );
    }
  }
}
