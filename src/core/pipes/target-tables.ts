import { createHash } from 'node:crypto';
import type { SourceKindName } from '../../contract/pipe/sources.ts';
import {
  SourceFailed,
  type RowsPart,
  type TableBatch,
  type TargetTable,
} from '../../ports/connector.ts';
import type { Telemetry } from '../../ports/telemetry.ts';
import { identifier, join, qualified, sql, type Sql } from '../../sql/sql.ts';
import { errorColumns, errorTableName } from './destination-table.ts';
import { loadRows } from './load-rows.ts';
import type { Loaded, RowDestination } from './load-records.ts';
import { rowMapper } from './mapping.ts';
import { fitColumns, makeTarget } from './target-table.ts';
import { Turns } from './turns.ts';

const ddl = { purpose: 'pipe', timeoutMs: 60_000 } as const;

/**
 * The tables that a connector asks for by name (PostgreSQL: one for each mapping). Each remembers in its comment which generation of the source's rows it
 * holds; those of a newer one are gathered in a table beside it until they are all there.
 */
export class TargetTables {
  readonly #telemetry: Telemetry;
  readonly #pipeId: string;
  readonly #kind: SourceKindName;
  readonly #database: string;
  readonly #destinations = new Map<TargetTable, Promise<RowDestination>>();
  /** Inserts run beside one another, and nothing beside a step: an insert that was under way while its table is exchanged would end in the wrong one. */
  readonly #turns = new Turns();

  constructor(telemetry: Telemetry, pipeId: string, kind: SourceKindName, database: string) {
    this.#telemetry = telemetry;
    this.#pipeId = pipeId;
    this.#kind = kind;
    this.#database = database;
  }

  /** Stores parts of any number of tables, each table's in their order. */
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
    await this.#turns.alone(target.table, async () => {
      const { table } = await this.#destination(target);
      if (action === 'truncate') {
        await this.#telemetry.command(sql`TRUNCATE TABLE ${qualified(this.#database, table)}`, ddl);
      } else if (table !== target.table) {
        await this.#publish(target.table, table);
      }
      // Exchanged already: whoever did it may have died before the old rows were gone.
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
        await this.#turns.alone(target.table, () => this.#destination(target));
      }
      // An exchange that was in line before has forgotten it again.
      const loaded = await this.#turns.beside(target.table, async () => {
        const to = this.#destinations.get(target);
        return to && insert(await to);
      });
      if (loaded) {
        return loaded;
      }
    }
  }

  /** Whoever reads the table sees the old rows before and the new ones after. Dying in between is no harm: the comment goes along. */
  async #publish(table: string, beside: string): Promise<void> {
    const run = (statement: Sql): Promise<void> => this.#telemetry.command(statement, ddl);
    await run(
      sql`EXCHANGE TABLES ${qualified(this.#database, table)} AND ${qualified(this.#database, beside)}`,
    );
    this.#destinations.clear();
    for (const name of [table, beside]) {
      this.#telemetry.forgetColumns(this.#database, name);
    }
    await this.#clear(table, beside);
  }

  /** What is beside a table since it was exchanged: the old rows, and the errors of the new ones. */
  async #clear(table: string, beside: string): Promise<void> {
    const run = (statement: Sql): Promise<void> => this.#telemetry.command(statement, ddl);
    if (await this.#exists(errorTableName(beside))) {
      await run(
        sql`INSERT INTO ${qualified(this.#database, errorTableName(table))} SELECT ${join(errorColumns.map(identifier), ', ')} FROM ${qualified(this.#database, errorTableName(beside))}`,
      );
      await run(sql`DROP TABLE IF EXISTS ${qualified(this.#database, errorTableName(beside))}`);
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
      mapper: rowMapper(this.#kind, [], [...target.columns]),
    };
  }

  /** The table itself, or the one beside it where the table holds another generation of this pipe's rows. */
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
    const there = await this.#commentOf(beside);
    if (there !== undefined && !there.includes(own)) {
      throw new SourceFailed(
        `the table ${target.table} is to be made anew in ${beside}, but there is a table of that name that is not the pipe's: rename it`,
      );
    }
    // What an earlier generation had gathered there and never finished.
    if (there !== undefined && !there.includes(this.#comment(target))) {
      await this.#telemetry.command(
        sql`DROP TABLE IF EXISTS ${qualified(this.#database, beside)}`,
        ddl,
      );
    }
    return beside;
  }

  #comment({ generation = '' }: TargetTable): string {
    return `sightline pipe ${this.#pipeId} generation ${generation};`;
  }

  async #commentOf(table: string): Promise<string | undefined> {
    const { rows } = await this.#telemetry.query(
      sql`SELECT comment FROM system.tables WHERE database = ${this.#database} AND name = ${table}`,
      ddl,
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

/** Where the rows of a table's next generation are gathered. Long names are cut, and told apart by a hash. */
function nextTable(table: string): string {
  return `${table.length <= 100 ? table : `${table.slice(0, 87)}_${createHash('sha256').update(table).digest('hex').slice(0, 12)}`}_pipe_next`;
}

interface Group {
  target: TargetTable;
  group: RowsPart[];
  /** Among the groups of its table: each has a token of its own. */
  place: number;
}

/** Parts by the form of the table they are for, in the order in which each first appears: the same for the same range, whoever stores it. */
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
