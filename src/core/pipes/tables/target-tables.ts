import { createHash } from 'node:crypto';
import type { RowsPart, TableBatch, TargetTable } from '../../../ports/batch.ts';
import { SourceFailed } from '../../../ports/connector.ts';
import type { QueryOptions, Telemetry } from '../../../ports/telemetry.ts';
import { identifier, join, qualified, sql, type Sql } from '../../../sql/sql.ts';
import { errorColumns, errorTableName } from './destination-table.ts';
import { loadRows } from '../load/records/load-rows.ts';
import type { Loaded } from '../load/records/load-records.ts';
import type { RowDestination } from '../load/records/row-destination.ts';
import { rowMapper } from '../load/records/mapping.ts';
import type { TableUser } from './table-owner.ts';
import { fitColumns, makeTarget } from './target-table.ts';
import { TableLocks } from './table-locks.ts';

/**
 * The tables that a connector names itself (one for each mapping of a database). The comment of each
 * says which generation of the source's rows it holds. Rows of a newer generation are gathered in a
 * table beside it until they are complete.
 */
export class TargetTables {
  readonly #telemetry: Telemetry;
  readonly #pipeId: string;
  readonly #database: string;
  readonly #ddl: QueryOptions;
  readonly #user: TableUser;
  readonly #destinations = new Map<TargetTable, Promise<RowDestination>>();
  /**
   * Inserts run at the same time, a step runs alone: an insert that runs while its table is
   * exchanged would end in the wrong table.
   */
  readonly #locks = new TableLocks();

  constructor(telemetry: Telemetry, pipeId: string, database: string, user: TableUser) {
    this.#telemetry = telemetry;
    this.#pipeId = pipeId;
    this.#database = database;
    this.#ddl = { purpose: 'pipe', tenant: database, timeoutMs: 60_000 };
    this.#user = user;
  }

  /** Stores parts of any number of tables; the order within a table is kept. */
  async load(
    partition: string,
    parts: readonly RowsPart[],
    key: string,
    signal: AbortSignal,
  ): Promise<Loaded> {
    const total = { rows: 0, bytes: 0, errors: 0 };
    for (const { target, group, place } of groupsOf(parts)) {
      const one = await this.#insert(target, (to) =>
        loadRows(this.#telemetry, to, partition, group, `${key}:${target.table}:${place}`, signal),
      );
      for (const name of ['rows', 'bytes', 'errors'] as const) {
        total[name] += one[name];
      }
    }
    return total;
  }

  async step({ action, target }: TableBatch): Promise<void> {
    await this.#locks.exclusive(target.table, async () => {
      const { table } = await this.#destination(target);
      if (action === 'truncate') {
        await this.#telemetry.command(
          sql`TRUNCATE TABLE ${qualified(this.#database, table)}`,
          this.#ddl,
        );
      } else if (table !== target.table) {
        await this.#publish(target.table, table);
      }
      // Exchanged already: a crash may have left the old rows behind.
      else if (await this.#isOlder(nextTable(target.table), target)) {
        await this.#clear(target.table, nextTable(target.table));
      }
    });
  }

  async #insert(
    target: TargetTable,
    insert: (to: RowDestination) => Promise<Loaded>,
  ): Promise<Loaded> {
    for (;;) {
      if (!this.#destinations.has(target)) {
        await this.#locks.exclusive(target.table, () => this.#destination(target));
      }
      // An earlier exchange in the queue may have removed it again.
      const loaded = await this.#locks.shared(target.table, async () => {
        const to = this.#destinations.get(target);
        return to && insert(await to);
      });
      if (loaded) {
        return loaded;
      }
    }
  }

  /**
   * Readers of the table see the old rows before and the new rows after. A crash in between is
   * harmless: the comments are exchanged too.
   */
  async #publish(table: string, beside: string): Promise<void> {
    const run = (statement: Sql): Promise<void> => this.#telemetry.command(statement, this.#ddl);
    const [current, next] = [qualified(this.#database, table), qualified(this.#database, beside)];
    await run(sql`EXCHANGE TABLES ${current} AND ${next}`);
    this.#destinations.clear();
    for (const name of [table, beside]) {
      this.#telemetry.forgetColumns(this.#database, name);
    }
    await this.#clear(table, beside);
  }

  /** After an exchange: keeps the errors of the new rows, and drops the old rows. */
  async #clear(table: string, beside: string): Promise<void> {
    const run = (statement: Sql): Promise<void> => this.#telemetry.command(statement, this.#ddl);
    if (await this.#exists(errorTableName(beside))) {
      const columns = join(errorColumns.map(identifier), ', ');
      const kept = qualified(this.#database, errorTableName(table));
      const newErrors = qualified(this.#database, errorTableName(beside));
      await run(sql`INSERT INTO ${kept} SELECT ${columns} FROM ${newErrors}`);
      await run(sql`DROP TABLE IF EXISTS ${newErrors}`);
    }
    await run(sql`DROP TABLE IF EXISTS ${qualified(this.#database, beside)}`);
  }

  #destination(target: TargetTable): Promise<RowDestination> {
    const known = this.#destinations.get(target);
    if (known) {
      return known;
    }
    const made = this.#prepare(target);
    this.#destinations.set(target, made);
    made.catch(() => {
      this.#destinations.delete(target);
    });
    return made;
  }

  async #prepare(target: TargetTable): Promise<RowDestination> {
    const table = await this.#tableOf(target);
    const made = await makeTarget(
      this.#telemetry,
      this.#database,
      table,
      target,
      this.#comment(target),
      this.#user,
    );
    if (!made) {
      await fitColumns(this.#telemetry, this.#database, table, target.columns);
    }
    const columns = target.columns.map(({ name }) => name);
    return {
      pipeId: this.#pipeId,
      database: this.#database,
      table,
      columns,
      mapper: rowMapper({}, [], [...target.columns]),
    };
  }

  /** The table itself, or the one beside it if the table holds another generation of the pipe. */
  async #tableOf(target: TargetTable): Promise<string> {
    const comment = await this.#commentOf(target.table);
    const own = `sightline pipe ${this.#pipeId} generation `;
    if (target.generation === undefined || comment === undefined || !comment.includes(own)) {
      return target.table;
    }
    if (comment.includes(this.#comment(target))) {
      return target.table;
    }
    const beside = nextTable(target.table);
    const besideComment = await this.#commentOf(beside);
    if (besideComment !== undefined && !besideComment.includes(own)) {
      throw new SourceFailed(
        `cannot create table "${beside}" to read the rows of "${target.table}" again: ` +
          'a table of that name exists and does not belong to the pipe. Rename it.',
      );
    }
    // Rows that an earlier generation gathered and never finished.
    if (besideComment !== undefined && !besideComment.includes(this.#comment(target))) {
      await this.#telemetry.command(
        sql`DROP TABLE IF EXISTS ${qualified(this.#database, beside)}`,
        this.#ddl,
      );
    }
    return beside;
  }

  #comment({ generation = '' }: TargetTable): string {
    return `sightline pipe ${this.#pipeId} generation ${generation};`;
  }

  async #commentOf(table: string): Promise<string | undefined> {
    const { rows } = await this.#telemetry.query(
      sql`SELECT comment FROM system.tables
        WHERE database = ${this.#database} AND name = ${table}`,
      this.#ddl,
    );
    return rows[0] === undefined ? undefined : String(rows[0][0]);
  }

  /** Whether a table holds another generation of this pipe's rows. */
  async #isOlder(table: string, target: TargetTable): Promise<boolean> {
    const comment = target.generation === undefined ? undefined : await this.#commentOf(table);
    return (
      comment !== undefined &&
      comment.includes(`sightline pipe ${this.#pipeId} generation `) &&
      !comment.includes(this.#comment(target))
    );
  }

  async #exists(table: string): Promise<boolean> {
    return (await this.#commentOf(table)) !== undefined;
  }
}

/** Name of the table that gathers the next generation. A long name is cut and gets a hash. */
function nextTable(table: string): string {
  if (table.length <= 100) {
    return `${table}_pipe_next`;
  }
  const hash = createHash('sha256').update(table).digest('hex').slice(0, 12);
  return `${table.slice(0, 87)}_${hash}_pipe_next`;
}

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
