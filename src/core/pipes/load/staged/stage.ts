import { randomBytes } from 'node:crypto';
import { TelemetryError, type QueryOptions, type Telemetry } from '../../../../ports/telemetry.ts';
import { identifier, join, literal, qualified, sql, type Sql } from '../../../../sql/sql.ts';
import { addMissingColumns } from '../../tables/align-columns.ts';
import { syncedSettings } from '../../tables/destination-table.ts';
import { MovedParts, type TargetNote } from './moved-parts.ts';
import { createMeter, readCount, selectCounts, type Meter } from './stage-meter.ts';
import { noteIn, partitionPrefix, rangePrefix, readyName, tableNames } from './stage-names.ts';

/** The engine, or the shard, that has the target. */
type StageEngine = Pick<Telemetry, 'query' | 'command'>;

/** The place of a stage. A partition of a pipe loads one range at a time. */
export interface StagePlace {
  database: string;
  table: string;
  pipeId: string;
  partition: string;
  timeoutMs: number;
  /** Approximate stored size of the objects of a range. */
  bytes: number;
  /** The rows are copied from this stage to others, and only those are moved into the target. */
  isSource?: boolean;
}

type LoadOptions = Pick<QueryOptions, 'maxMemoryBytes' | 'waitsForSource'>;

interface StagePartition {
  id: string;
  rows: number;
}

/**
 * A stage is moved as soon as it is full, and moving cancels the merges that run in it. So small
 * loads are not merged there, and large ones only in small parts, which keeps the number of parts
 * low. The target merges the rest. A ready stage merges nothing: a moved part must keep its number.
 */
const unmergedLoadBytesMax = 64 * 2 ** 20;
const mergedBytesMin = 16 * 2 ** 20;
const mergedShare = 200;
const noMerges = 1;

/**
 * Tables beside the target in which a range is loaded before any of it becomes visible. Each attempt
 * uses names of its own, so that an attempt that was thought dead cannot publish a table that
 * another one fills. A complete range is in a table whose name says `ready`: from then on nothing is
 * read again.
 */
export class Stage {
  readonly #telemetry: StageEngine;
  readonly #place: StagePlace;
  readonly #partitionPrefix: string;
  readonly #rangePrefix: string;
  readonly #attempt = randomBytes(6).toString('hex');
  readonly #signal: AbortSignal | undefined;
  /**
   * Whether the target is a MergeTree table, into which parts can be moved. Into any other table
   * (Null, a view, Distributed) the rows are inserted.
   */
  #keepsParts = true;
  /** Whether each partition of the target has its own block numbers. */
  #countsBlocksByPartition = false;
  /** Part of the name of the ready table, so that the reader that takes it over can read it. */
  #note: TargetNote | undefined;
  /** Partitions of the ready table and their rows. */
  #partitions: StagePartition[] | undefined;
  #made = 0;

  constructor(telemetry: StageEngine, place: StagePlace, key: string, signal?: AbortSignal) {
    this.#telemetry = telemetry;
    this.#place = place;
    this.#partitionPrefix = partitionPrefix(place.pipeId, place.partition);
    this.#rangePrefix = rangePrefix(this.#partitionPrefix, key);
    this.#signal = signal;
  }

  get ready(): string {
    return readyName(this.#rangePrefix, this.#note, this.#attempt);
  }

  run(statement: Sql): Promise<void> {
    return this.#telemetry.command(statement, {
      purpose: 'pipe',
      tenant: this.#place.database,
      timeoutMs: this.#place.timeoutMs,
      signal: this.#signal,
    });
  }

  /** Runs a load in the engine, up to the timeout of the place. */
  load(statement: Sql, { maxMemoryBytes = 0, waitsForSource }: LoadOptions = {}): Promise<void> {
    return this.#telemetry.command(statement, {
      purpose: 'load',
      tenant: this.#place.database,
      timeoutMs: this.#place.timeoutMs,
      signal: this.#signal,
      maxMemoryBytes,
      waitsForSource,
    });
  }

  qualifiedTable(table: string): Sql {
    return qualified(this.#place.database, table);
  }

  /**
   * Takes over the stage that an earlier attempt made ready, and drops all other tables of the
   * partition. Call this first. Returns true if nothing needs to be read.
   * @throws TelemetryError `unknown_table` if the target does not exist
   */
  async takeOver(): Promise<boolean> {
    const names = await this.#inspectTables();
    const ready = names.filter((name) => name.startsWith(`${this.#rangePrefix}ready_`));
    for (const name of names) {
      if (!ready.includes(name)) {
        await this.drop(name);
      }
    }
    const [first] = ready;
    if (first === undefined) {
      return false;
    }
    this.#note = noteIn(first);
    await this.#rename(first, this.ready);
    if (this.#keepsParts && !this.#place.isSource) {
      await this.#dropMoved();
    }
    return true;
  }

  /** Inspects the target. Returns the existing tables of the partition, views first. */
  async #inspectTables(): Promise<string[]> {
    const { database, table } = this.#place;
    const { rows } = await this.#telemetry.query(
      sql`SELECT name, engine FROM system.tables
        WHERE database = ${database}
          AND (name = ${table} OR startsWith(name, ${this.#partitionPrefix}))
        ORDER BY engine != 'MaterializedView', name`,
      { purpose: 'pipe', tenant: database, timeoutMs: 30_000, signal: this.#signal },
    );
    const target = rows.find(([name]) => name === table);
    if (!target) {
      throw new TelemetryError('unknown_table', `the table ${table} does not exist`);
    }
    this.#keepsParts = String(target[1]).endsWith('MergeTree');
    this.#countsBlocksByPartition = /^(?:Replicated|Shared)/.test(String(target[1]));
    return rows.filter((row) => row !== target).map(([name]) => String(name));
  }

  async #dropMoved(): Promise<void> {
    const { database, table, timeoutMs } = this.#place;
    const moved = await new MovedParts({
      telemetry: this.#telemetry,
      database,
      stage: this.ready,
      target: table,
      note: this.#note,
      timeoutMs,
      signal: this.#signal,
    }).find();
    for (const name of moved) {
      await this.run(
        sql`ALTER TABLE ${this.qualifiedTable(this.ready)} DROP PART ${literal(name)}`,
      );
    }
  }

  /** Creates an empty table like the target. */
  async create(): Promise<string> {
    const name = this.newName('loading');
    await this.createNamed(name);
    return name;
  }

  async createNamed(name: string): Promise<void> {
    const target = this.qualifiedTable(this.#place.table);
    const mergedBytesMax = this.#merges
      ? Math.max(mergedBytesMin, Math.ceil(this.#place.bytes / mergedShare))
      : noMerges;
    const settings = sql`SETTINGS assign_part_uuids = 1, ${syncedSettings},
      max_bytes_to_merge_at_max_space_in_pool = ${mergedBytesMax}`;
    await this.run(
      this.#keepsParts
        ? sql`CREATE TABLE ${this.qualifiedTable(name)} AS ${target} ${settings}`
        : sql`CREATE TABLE ${this.qualifiedTable(name)} ENGINE = MergeTree ORDER BY tuple() ${settings}
            AS SELECT * FROM ${target} WHERE 0`,
    );
  }

  /** Copies the ready table into an empty one, which shares its files. */
  async copyReady(to: string): Promise<void> {
    const { partitions } = await this.#partitionsOf(this.ready, to);
    for (const { id } of partitions) {
      await this.run(
        sql`ALTER TABLE ${this.qualifiedTable(to)} ATTACH PARTITION ID ${literal(id)}
          FROM ${this.qualifiedTable(this.ready)}`,
      );
    }
  }

  get #merges(): boolean {
    return this.#place.bytes > unmergedLoadBytesMax;
  }

  /** Name of another table of this attempt. */
  newName(what: string): string {
    return `${this.#rangePrefix}${what}${this.#made++}_${this.#attempt}`;
  }

  /** Creates a view that inserts into the table `stage` and counts rows by item. */
  async meter(stage: string, columns: readonly string[], withVersions: boolean): Promise<Meter> {
    const [inlet, filling, counting] = [
      this.newName('inlet'),
      this.newName('filling'),
      this.newName('counting'),
    ];
    const tables = {
      target: this.qualifiedTable(this.#place.table),
      stage: this.qualifiedTable(stage),
      inlet: this.qualifiedTable(inlet),
      filling: this.qualifiedTable(filling),
      counting: this.qualifiedTable(counting),
    };
    const statements = createMeter(tables, columns, withVersions);
    await this.run(statements.inlet);
    await Promise.all(statements.views.map((view) => this.run(view)));
    return {
      inlet,
      read: async () => new Map((await this.#rows(selectCounts(tables.counting))).map(readCount)),
      drop: () => this.drop(filling, counting, inlet),
    };
  }

  /** After this call the range counts as read. */
  async publish(stage: string): Promise<void> {
    if (this.#merges) {
      await this.run(
        sql`ALTER TABLE ${this.qualifiedTable(stage)}
          MODIFY SETTING max_bytes_to_merge_at_max_space_in_pool = ${noMerges}`,
      );
    }
    if (this.#keepsParts) {
      ({ partitions: this.#partitions, note: this.#note } = await this.#partitionsOf(
        stage,
        this.#place.table,
      ));
    }
    await this.#rename(stage, this.ready);
  }

  /**
   * The partitions that one table moves into another, and the rows that the other one holds. If each
   * partition counts its own blocks, the smallest count.
   */
  async #partitionsOf(
    from: string,
    to: string,
  ): Promise<{ partitions: StagePartition[]; note: TargetNote }> {
    const rows = await this.#rows(
      sql`SELECT table, partition_id, toString(sum(rows)), toString(max(max_block_number))
        FROM system.parts
        WHERE active AND database = ${this.#place.database} AND table IN (${from}, ${to})
        GROUP BY table, partition_id ORDER BY partition_id`,
    );
    const partitions: StagePartition[] = [];
    const held = new Map<string, number>();
    let heldRows = 0;
    for (const [table, id, count, block] of rows) {
      if (table === from) {
        partitions.push({ id: String(id), rows: Number(count) });
      } else {
        held.set(String(id), Number(block));
        heldRows += Number(count);
      }
    }
    const blocks = this.#countsBlocksByPartition
      ? partitions.map(({ id }) => held.get(id) ?? -1)
      : [...held.values()];
    const block = this.#countsBlocksByPartition
      ? Math.min(...blocks)
      : blocks.reduce((most, one) => Math.max(most, one), -1);
    return {
      partitions,
      note: { nextBlock: Number.isFinite(block) ? block + 1 : 0, rows: heldRows },
    };
  }

  /**
   * Moves the ready table into the target and returns the number of its rows. Rows that an earlier
   * attempt moved are not counted. Rows that it inserted are inserted again, with `settings`.
   */
  async show(columns: readonly string[], settings?: Sql): Promise<number> {
    const { table } = this.#place;
    if (this.#keepsParts) {
      return this.move(this.ready, table);
    }
    const list = join(columns.map(identifier), ', ');
    const rows = await this.#rows(
      sql`SELECT toString(count()) FROM ${this.qualifiedTable(this.ready)}`,
    );
    await this.load(
      sql`INSERT INTO ${this.qualifiedTable(table)} (${list})
        SELECT ${list} FROM ${this.qualifiedTable(this.ready)}
        ${settings ? sql`SETTINGS ${settings}` : sql``}`,
    );
    return Number(rows[0]?.[0] ?? 0);
  }

  /** Moves every partition and returns the number of rows. */
  async move(from: string, to: string): Promise<number> {
    const partitions =
      (from === this.ready ? this.#partitions : undefined) ??
      (await this.#partitionsOf(from, to)).partitions;
    for (const { id } of partitions) {
      await this.#movePartition(id, from, to);
    }
    return partitions.reduce((sum, { rows }) => sum + rows, 0);
  }

  /**
   * Moves one partition. A target that got columns after the stage was created accepts it only after
   * the stage has them too.
   */
  async #movePartition(id: string, from: string, to: string): Promise<void> {
    const { database, timeoutMs } = this.#place;
    const move = sql`ALTER TABLE ${this.qualifiedTable(from)} MOVE PARTITION ID ${literal(id)}
      TO TABLE ${this.qualifiedTable(to)}`;
    try {
      await this.run(move);
    } catch (error) {
      const isOther =
        error instanceof TelemetryError && error.message.includes('different structure');
      if (
        !isOther ||
        !(await addMissingColumns(this.#telemetry, {
          database,
          table: from,
          like: to,
          timeoutMs,
          signal: this.#signal,
        }))
      ) {
        throw error;
      }
      await this.run(move);
    }
  }

  /** Views before their source tables. */
  drop(...names: string[]): Promise<void> {
    return this.#telemetry.command(
      sql`DROP TABLE IF EXISTS ${join(
        names.map((name) => this.qualifiedTable(name)),
        ', ',
      )}`,
      { purpose: 'pipe', tenant: this.#place.database, timeoutMs: this.#place.timeoutMs },
    );
  }

  /** Drops all tables of this attempt that are not ready. */
  async abandon(): Promise<void> {
    for (const name of await tableNames(this.#telemetry, this.#place.database, this.#rangePrefix)) {
      if (name.endsWith(this.#attempt) && name !== this.ready) {
        await this.drop(name);
      }
    }
  }

  /** Drops the ready table after the range is recorded. */
  async forget(): Promise<void> {
    for (const name of await tableNames(this.#telemetry, this.#place.database, this.#rangePrefix)) {
      await this.drop(name);
    }
  }

  async #rows(statement: Sql) {
    const { database: tenant, timeoutMs } = this.#place;
    const options = { purpose: 'pipe', tenant, timeoutMs, signal: this.#signal } as const;
    return (await this.#telemetry.query(statement, options)).rows;
  }

  #rename(from: string, to: string): Promise<void> {
    return this.run(sql`RENAME TABLE ${this.qualifiedTable(from)} TO ${this.qualifiedTable(to)}`);
  }
}
