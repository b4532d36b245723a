import type { RowsPart, TableBatch, TargetTable } from '../../../ports/batch.ts';
import type { Telemetry, TelemetryShard, TelemetryShards } from '../../../ports/telemetry.ts';
import { loadRows } from '../load/records/load-rows.ts';
import type { Loaded } from '../load/records/load-records.ts';
import type { RangeDestination } from '../read/range-store.ts';
import type { RowDestination, RowTable } from '../load/records/row-destination.ts';
import { rowMapper } from '../load/records/mapping.ts';
import { errorTableName } from './destination-table.ts';
import { adoptTables } from './prepare-shards.ts';
import { placeRows, type Placement } from './row-slots.ts';
import { ShardTarget } from './shard-target.ts';
import { shardsOf } from './shards.ts';
import type { TableUser } from './table-owner.ts';
import { TableLocks } from './table-locks.ts';

/** The tables of one target, as they are prepared. */
interface Prepared {
  /** With the name of its table: another one than the target's while the rows are read again. */
  tables: readonly { target: ShardTarget; table: string }[];
  placement: Placement;
}

/** The tables that a connector names itself (one for each mapping of a database). */
export class TargetTables {
  readonly #shards: TelemetryShards;
  readonly #pipeId: string;
  readonly #database: string;
  readonly #user: TableUser;
  readonly #prepared = new Map<TargetTable, Promise<Prepared>>();
  /**
   * Inserts run at the same time, a step runs alone: an insert that runs while its table is
   * exchanged would end in the wrong table.
   */
  readonly #locks = new TableLocks();

  constructor(telemetry: Telemetry, pipeId: string, database: string, user: TableUser) {
    this.#shards = shardsOf(telemetry);
    this.#pipeId = pipeId;
    this.#database = database;
    this.#user = user;
  }

  /**
   * Stores parts of any number of tables; the order within a table is kept.
   */
  async load(
    partition: string,
    parts: readonly RowsPart[],
    { key, isRepeated, shard }: RangeDestination,
    signal: AbortSignal,
  ): Promise<Loaded> {
    const total = { rows: 0, bytes: 0, errors: 0 };
    for (const { target, group, place } of groupsOf(parts)) {
      const one = await this.#insert(target, (prepared) =>
        loadRows(
          this.#destination(target, prepared, shard),
          partition,
          group,
          { key: `${key}:${target.table}:${place}`, isRepeated },
          signal,
        ),
      );
      for (const name of ['rows', 'bytes', 'errors'] as const) {
        total[name] += one[name];
      }
    }
    return total;
  }

  async step({ action, target }: TableBatch): Promise<void> {
    await this.#locks.exclusive(target.table, async () => {
      const { tables } = await this.#prepare(target);
      // A shard that goes away in the middle: the step is repeated, on the others too.
      this.#shards.all();
      for (const { target: onShard, table } of tables) {
        await (action === 'truncate' ? onShard.truncate(table) : onShard.publish(table));
      }
      if (tables.some(({ table }) => table !== target.table)) {
        this.#prepared.clear();
        await this.#shards.share(this.#database, knownTables(target));
      }
    });
  }

  async #insert(
    target: TargetTable,
    insert: (prepared: Prepared) => Promise<Loaded>,
  ): Promise<Loaded> {
    for (;;) {
      if (!this.#prepared.has(target)) {
        await this.#locks.exclusive(target.table, () => this.#prepare(target));
      }
      // An earlier exchange in the queue may have removed it again.
      const loaded = await this.#locks.shared(target.table, async () => {
        const prepared = this.#prepared.get(target);
        return prepared && insert(await prepared);
      });
      if (loaded) {
        return loaded;
      }
    }
  }

  #prepare(target: TargetTable): Promise<Prepared> {
    const known = this.#prepared.get(target);
    if (known) {
      return known;
    }
    const made = this.#prepareAll(target);
    this.#prepared.set(target, made);
    made.catch(() => {
      this.#prepared.delete(target);
    });
    return made;
  }

  async #prepareAll(target: TargetTable): Promise<Prepared> {
    const place = { database: this.#database, pipeId: this.#pipeId, user: this.#user };
    await adoptTables(this.#shards, this.#database, knownTables(target));
    const tables: { target: ShardTarget; table: string }[] = [];
    for (const shard of this.#shards.all()) {
      const onShard = new ShardTarget({ ...place, shard }, target);
      tables.push({ target: onShard, table: await onShard.prepare() });
    }
    await this.#shards.share(this.#database, knownTables(target));
    const names = new Map(tables.map(({ target: { shard }, table }) => [shard.name, table]));
    const placement = await placeRows(
      this.#shards,
      this.#database,
      ({ name }) => names.get(name) ?? target.table,
    );
    return { tables, placement };
  }

  #destination(
    { table: known, columns }: TargetTable,
    { tables, placement }: Prepared,
    home: TelemetryShard,
  ): RowDestination {
    const tableOn = (shard: TelemetryShard): string =>
      tables.find(({ target }) => target.shard.name === shard.name)?.table ?? known;
    const rowTable = (shard: TelemetryShard, name: string): RowTable => ({
      shard,
      database: this.#database,
      table: shard.stored(name),
    });
    return {
      pipeId: this.#pipeId,
      tables: placement.slots?.map(({ shard, slot }) => ({
        ...rowTable(shard, tableOn(shard)),
        slot,
      })) ?? [rowTable(home, tableOn(home))],
      errors: rowTable(home, errorTableName(tableOn(home))),
      columns: columns.map(({ name }) => name),
      mapper: rowMapper({}, [], [...columns]),
    };
  }
}

const knownTables = ({ table }: TargetTable): string[] => [table, errorTableName(table)];

interface Group {
  target: TargetTable;
  group: RowsPart[];
  /** Number among the groups of its table; part of the group's token. */
  place: number;
}

/**
 * Groups parts by the form of their table, in the order in which each first appears. The same range
 * always gives the same groups.
 */
function groupsOf(parts: readonly RowsPart[]): Group[] {
  const groups = new Map<TargetTable, Group>();
  const places = new Map<string, number>();
  for (const part of parts) {
    const known = groups.get(part.target);
    if (known) {
      known.group.push(part);
      continue;
    }
    const place = places.get(part.target.table) ?? 0;
    places.set(part.target.table, place + 1);
    groups.set(part.target, { target: part.target, group: [part], place });
  }
  return [...groups.values()];
}
