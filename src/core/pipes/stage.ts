import { createHash, randomBytes } from 'node:crypto';
import { TelemetryError, type Telemetry } from '../../ports/telemetry.ts';
import { identifier, join, literal, qualified, sql, type Sql } from '../../sql/sql.ts';
import { addMissingColumns } from './align-columns.ts';
import { MovedParts, type TargetNote } from './moved-parts.ts';

/** Where a stage belongs: one partition of one pipe works on one range at a time. */
export interface StagePlace {
  database: string;
  table: string;
  pipeId: string;
  partition: string;
  timeoutMs: number;
  /** Size of the objects of a range as they are stored, about. */
  bytes: number;
}

interface StagePartition {
  id: string;
  rows: number;
}

const noteOf = (ready: string): TargetNote | undefined => {
  const [, nextBlock, rows] = /_ready_(\d+)_(\d+)_[0-9a-f]+$/.exec(ready) ?? [];
  return nextBlock === undefined ? undefined : { nextBlock: Number(nextBlock), rows: Number(rows) };
};

const short = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 12);

/** How the names of all stage tables of a pipe begin. */
const stagePrefix = (pipeId: string): string => `pipe_stage_${short(pipeId)}_`;

/**
 * A stage is moved as soon as it is full, which throws away the merge that runs in it: small loads are not merged there at all, and of large ones only small
 * parts, so that they do not become too many. The target merges the others. Once it is ready nothing is merged any more: a part that was moved must keep its number.
 */
const unmergedLoadBytesMax = 64 * 2 ** 20;
const mergedBytesMin = 16 * 2 ** 20;
const mergedShare = 200;
const noMerges = 1;

/**
 * Tables beside the target in which a range is loaded before any of it shows. Each attempt has tables of its own names, so that one that
 * was thought dead cannot publish what another is filling. A range that is whole is in a table whose name says `ready`: from then on nothing
 * is read again.
 */
export class Stage {
  readonly #telemetry: Telemetry;
  readonly #place: StagePlace;
  readonly #partitionPrefix: string;
  readonly #rangePrefix: string;
  readonly #attempt = randomBytes(6).toString('hex');
  readonly #signal: AbortSignal | undefined;
  /** The target is a table of parts: they can be moved there. Into any other (Null, a view, Distributed) the rows are inserted. */
  #keepsParts = true;
  /** Each partition of the target has block numbers of its own. */
  #countsApart = false;
  /** Part of the name of what is ready: whoever takes it over reads it there. */
  #note: TargetNote | undefined;
  /** Of what is ready: its partitions and their rows. */
  #partitions: StagePartition[] | undefined;
  #made = 0;

  constructor(telemetry: Telemetry, place: StagePlace, key: string, signal?: AbortSignal) {
    this.#telemetry = telemetry;
    this.#place = place;
    this.#partitionPrefix = `${stagePrefix(place.pipeId)}${short(place.partition)}_`;
    this.#rangePrefix = `${this.#partitionPrefix}${short(key)}_`;
    this.#signal = signal;
  }

  get ready(): string {
    return `${this.#rangePrefix}ready_${this.#note ? `${this.#note.nextBlock}_${this.#note.rows}_` : ''}${this.#attempt}`;
  }

  run(statement: Sql): Promise<void> {
    return this.#telemetry.command(statement, {
      purpose: 'pipe',
      timeoutMs: this.#place.timeoutMs,
      signal: this.#signal,
    });
  }

  /** Has the engine read, for as long as it takes. */
  load(statement: Sql, { maxMemoryBytes = 0 }: { maxMemoryBytes?: number } = {}): Promise<void> {
    return this.#telemetry.command(statement, {
      purpose: 'load',
      timeoutMs: this.#place.timeoutMs,
      signal: this.#signal,
      maxMemoryBytes,
    });
  }

  at(table: string): Sql {
    return qualified(this.#place.database, table);
  }

  /**
   * Comes first: takes over what an earlier attempt has made ready; true: nothing is to be read. What earlier attempts and earlier ranges of the
   * partition left goes.
   * @throws TelemetryError unknown_table when the target is gone
   */
  async takeOver(): Promise<boolean> {
    const names = await this.#lookAround();
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
    this.#note = noteOf(first);
    await this.#rename(first, this.ready);
    if (this.#keepsParts) {
      await this.#dropMoved();
    }
    return true;
  }

  /** What the target is, and the tables of the partition that are there. */
  async #lookAround(): Promise<string[]> {
    const { database, table } = this.#place;
    const { rows } = await this.#telemetry.query(
      sql`SELECT name, engine FROM system.tables WHERE database = ${database} AND (name = ${table} OR startsWith(name, ${this.#partitionPrefix})) ORDER BY engine != 'MaterializedView', name`,
      { purpose: 'pipe', timeoutMs: 30_000, signal: this.#signal },
    );
    const target = rows.find(([name]) => name === table);
    if (!target) {
      throw new TelemetryError('unknown_table', `the table ${table} is gone`);
    }
    this.#keepsParts = String(target[1]).endsWith('MergeTree');
    this.#countsApart = /^(?:Replicated|Shared)/.test(String(target[1]));
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
      await this.run(sql`ALTER TABLE ${this.at(this.ready)} DROP PART ${literal(name)}`);
    }
  }

  /** An empty table like the target. */
  async create(): Promise<string> {
    const name = this.#name('loading');
    const target = this.at(this.#place.table);
    const settings = sql`SETTINGS assign_part_uuids = 1, max_bytes_to_merge_at_max_space_in_pool = ${this.#merges ? Math.max(mergedBytesMin, Math.ceil(this.#place.bytes / mergedShare)) : noMerges}`;
    await this.run(
      this.#keepsParts
        ? sql`CREATE TABLE ${this.at(name)} AS ${target} ${settings}`
        : sql`CREATE TABLE ${this.at(name)} ENGINE = MergeTree ORDER BY tuple() ${settings} AS SELECT * FROM ${target} WHERE 0`,
    );
    return name;
  }

  get #merges(): boolean {
    return this.#place.bytes > unmergedLoadBytesMax;
  }

  /** A name for one more table of this attempt. */
  #name(what: string): string {
    return `${this.#rangePrefix}${what}${this.#made++}_${this.#attempt}`;
  }

  /** A way into `stage` that also counts: rows by path, and of them those with any value; with versions also of which they are. */
  async meter(stage: string, columns: readonly string[], withVersions: boolean): Promise<Meter> {
    const [inlet, filling, counting] = ['inlet', 'filling', 'counting'].map((what) =>
      this.#name(what),
    ) as [string, string, string];
    const list = join(columns.map(identifier), ', ');
    const version = identifier(versionColumn);
    const [least, most] = withVersions
      ? [sql`min(${version})`, sql`max(${version})`]
      : [sql`''`, sql`''`];
    await this.run(
      sql`CREATE TABLE ${this.at(inlet)} ENGINE = Null AS SELECT ${list}, toLowCardinality('') AS ${identifier(pathColumn)}, toUInt8(0) AS ${identifier(filledColumn)}${withVersions ? sql`, '' AS ${version}` : sql``} FROM ${this.at(this.#place.table)} WHERE 0`,
    );
    await this.run(
      sql`CREATE MATERIALIZED VIEW ${this.at(filling)} TO ${this.at(stage)} AS SELECT ${list} FROM ${this.at(inlet)}`,
    );
    await this.run(
      sql`CREATE MATERIALIZED VIEW ${this.at(counting)} ENGINE = Memory AS SELECT ${identifier(pathColumn)} AS path, count() AS total, countIf(${identifier(filledColumn)} != 0) AS filled, ${least} AS least, ${most} AS most FROM ${this.at(inlet)} GROUP BY path`,
    );
    return {
      inlet,
      read: async () => {
        const { rows } = await this.#telemetry.query(
          sql`SELECT path, toString(sum(total)), toString(sum(filled)), min(least), max(most) FROM ${this.at(counting)} GROUP BY path`,
          { purpose: 'pipe', timeoutMs: this.#place.timeoutMs, signal: this.#signal },
        );
        return new Map(
          rows.map(([path, total, filled, least, most]) => [
            String(path),
            {
              rows: Number(total),
              filled: Number(filled),
              version: least === most && least !== '' ? String(least) : undefined,
            },
          ]),
        );
      },
      drop: () => this.drop(filling, counting, inlet),
    };
  }

  /** From here on the range counts as read. */
  async publish(stage: string): Promise<void> {
    if (this.#merges) {
      await this.run(
        sql`ALTER TABLE ${this.at(stage)} MODIFY SETTING max_bytes_to_merge_at_max_space_in_pool = ${noMerges}`,
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

  /** The partitions of one table that another gets, and what that one holds now. Where each partition counts its blocks by itself, the least of those partitions. */
  async #partitionsOf(
    from: string,
    to: string,
  ): Promise<{ partitions: StagePartition[]; note: TargetNote }> {
    const { rows } = await this.#telemetry.query(
      sql`SELECT table, partition_id, toString(sum(rows)), toString(max(max_block_number)) FROM system.parts WHERE active AND database = ${this.#place.database} AND table IN (${from}, ${to}) GROUP BY table, partition_id ORDER BY partition_id`,
      { purpose: 'pipe', timeoutMs: this.#place.timeoutMs, signal: this.#signal },
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
    const blocks = this.#countsApart
      ? partitions.map(({ id }) => held.get(id) ?? -1)
      : [...held.values()];
    const block = this.#countsApart
      ? Math.min(...blocks)
      : blocks.reduce((most, one) => Math.max(most, one), -1);
    return {
      partitions,
      note: { nextBlock: Number.isFinite(block) ? block + 1 : 0, rows: heldRows },
    };
  }

  /** What is ready goes to the target; answers the rows that were there. What was moved by an earlier attempt is not counted; what was inserted by one is inserted again. */
  async show(columns: readonly string[]): Promise<number> {
    const { table } = this.#place;
    if (this.#keepsParts) {
      return this.move(this.ready, table);
    }
    const list = join(columns.map(identifier), ', ');
    const { rows } = await this.#telemetry.query(
      sql`SELECT toString(count()) FROM ${this.at(this.ready)}`,
      { purpose: 'pipe', timeoutMs: this.#place.timeoutMs, signal: this.#signal },
    );
    await this.load(
      sql`INSERT INTO ${this.at(table)} (${list}) SELECT ${list} FROM ${this.at(this.ready)}`,
    );
    return Number(rows[0]?.[0] ?? 0);
  }

  /** Moves every partition; answers the rows that were there. */
  async move(from: string, to: string): Promise<number> {
    const partitions =
      (from === this.ready ? this.#partitions : undefined) ??
      (await this.#partitionsOf(from, to)).partitions;
    for (const { id } of partitions) {
      await this.#movePartition(id, from, to);
    }
    return partitions.reduce((sum, { rows }) => sum + rows, 0);
  }

  /** A table that has got columns since the stage was made takes no parts of it until the stage has them too. */
  async #movePartition(id: string, from: string, to: string): Promise<void> {
    const { database, timeoutMs } = this.#place;
    const move = sql`ALTER TABLE ${this.at(from)} MOVE PARTITION ID ${literal(id)} TO TABLE ${this.at(to)}`;
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

  /** Views before what they read. */
  drop(...names: string[]): Promise<void> {
    return this.#telemetry.command(
      sql`DROP TABLE IF EXISTS ${join(
        names.map((name) => this.at(name)),
        ', ',
      )}`,
      { purpose: 'pipe', timeoutMs: this.#place.timeoutMs },
    );
  }

  /** Everything of this attempt that is not ready. */
  async abandon(): Promise<void> {
    for (const name of await tableNames(this.#telemetry, this.#place.database, this.#rangePrefix)) {
      if (name.endsWith(this.#attempt) && name !== this.ready) {
        await this.drop(name);
      }
    }
  }

  /** The range is recorded: what told that it was read may go. */
  async forget(): Promise<void> {
    for (const name of await tableNames(this.#telemetry, this.#place.database, this.#rangePrefix)) {
      await this.drop(name);
    }
  }

  #rename(from: string, to: string): Promise<void> {
    return this.run(sql`RENAME TABLE ${this.at(from)} TO ${this.at(to)}`);
  }
}

/** The pipe is being deleted: what its loads left goes. */
export async function dropStages(
  telemetry: Telemetry,
  database: string,
  pipeId: string,
): Promise<void> {
  for (const name of await tableNames(telemetry, database, stagePrefix(pipeId))) {
    await telemetry.command(sql`DROP TABLE IF EXISTS ${qualified(database, name)}`, {
      purpose: 'pipe',
      timeoutMs: 60_000,
    });
  }
}

/** Views before what they read. */
async function tableNames(
  telemetry: Telemetry,
  database: string,
  prefix: string,
): Promise<string[]> {
  const { rows } = await telemetry.query(
    sql`SELECT name FROM system.tables WHERE database = ${database} AND startsWith(name, ${prefix}) ORDER BY engine != 'MaterializedView', name`,
    { purpose: 'pipe', timeoutMs: 60_000 },
  );
  return rows.map(([name]) => String(name));
}

/** What the engine read of a piece. `version`: of what it was, where that is known of every row. */
export interface Counted {
  rows: number;
  filled: number;
  version: string | undefined;
}

export interface Meter {
  /** The table to insert into. */
  inlet: string;
  read(): Promise<Map<string, Counted>>;
  drop(): Promise<void>;
}

/** Columns of the inlet besides those of the target. */
export const pathColumn = '#path';
export const filledColumn = '#filled';
export const versionColumn = '#version';
