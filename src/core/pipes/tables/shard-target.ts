import { createHash } from 'node:crypto';
import type { TargetTable } from '../../../ports/batch.ts';
import { SourceFailed } from '../../../ports/connector.ts';
import type { QueryOptions, TelemetryShard } from '../../../ports/telemetry.ts';
import { identifier, join, qualified, sql, type Sql } from '../../../sql/sql.ts';
import { errorRecordColumns, errorTableName } from './destination-table.ts';
import type { TableUser } from './table-owner.ts';
import { fitColumns, makeTarget } from './target-table.ts';

export interface TargetPlace {
  shard: TelemetryShard;
  database: string;
  pipeId: string;
  user: TableUser;
}

/**
 * The table of a target on one shard. Its comment says which generation of the source's rows it holds.
 * Rows of a newer generation are gathered in a table beside it until they are complete.
 */
export class ShardTarget {
  readonly shard: TelemetryShard;
  readonly #place: TargetPlace;
  readonly #target: TargetTable;
  readonly #ddl: QueryOptions;

  constructor(place: TargetPlace, target: TargetTable) {
    this.shard = place.shard;
    this.#place = place;
    this.#target = target;
    this.#ddl = { purpose: 'pipe', tenant: place.database, timeoutMs: 60_000 };
  }

  /** Creates the table, or gives it the columns of the target. Returns its name. */
  async prepare(): Promise<string> {
    const { database, user } = this.#place;
    const table = await this.#table();
    const made = await makeTarget(this.shard, database, table, this.#target, this.#comment, user);
    if (!made) {
      await fitColumns(this.shard, database, table, this.#target.columns);
    }
    return table;
  }

  truncate(table: string): Promise<void> {
    return this.#run(sql`TRUNCATE TABLE ${this.#stored(table)}`);
  }

  /**
   * Readers of the table see the old rows before and the new rows after. A crash in between is
   * harmless: the comments are exchanged too.
   * @param table that `prepare` returned
   */
  async publish(table: string): Promise<void> {
    const known = this.#target.table;
    const beside = nextTable(known);
    if (table === known) {
      // Exchanged already: a crash may have left the old rows behind.
      if (await this.#isOlder(beside)) {
        await this.#clear(known, beside);
      }
      return;
    }
    await this.#run(sql`EXCHANGE TABLES ${this.#stored(known)} AND ${this.#stored(beside)}`);
    for (const name of [known, beside]) {
      this.shard.forgetColumns(this.#place.database, this.shard.stored(name));
    }
    await this.#clear(known, beside);
  }

  /** After an exchange: keeps the errors of the new rows, and drops the old rows. */
  async #clear(table: string, beside: string): Promise<void> {
    if ((await this.#commentOf(errorTableName(beside))) !== undefined) {
      const columns = join(errorRecordColumns.map(identifier), ', ');
      const kept = this.#stored(errorTableName(table));
      const newErrors = this.#stored(errorTableName(beside));
      await this.#run(sql`INSERT INTO ${kept} (${columns}) SELECT ${columns} FROM ${newErrors}`);
      await this.#run(sql`DROP TABLE IF EXISTS ${newErrors}`);
    }
    await this.#run(sql`DROP TABLE IF EXISTS ${this.#stored(beside)}`);
  }

  /** The table itself, or the one beside it if the table holds another generation of the pipe. */
  async #table(): Promise<string> {
    const { table, generation } = this.#target;
    const comment = await this.#commentOf(table);
    const own = `sightline pipe ${this.#place.pipeId} generation `;
    if (generation === undefined || comment === undefined || !comment.includes(own)) {
      return table;
    }
    if (comment.includes(this.#comment)) {
      return table;
    }
    const beside = nextTable(table);
    const besideComment = await this.#commentOf(beside);
    if (besideComment !== undefined && !besideComment.includes(own)) {
      throw new SourceFailed(
        `cannot create table "${beside}" to read the rows of "${table}" again: ` +
          'a table of that name exists and does not belong to the pipe. Rename it.',
      );
    }
    if (besideComment === undefined) {
      await this.#refuseUnsharded(beside);
    }
    // Rows that an earlier generation gathered and never finished.
    if (besideComment !== undefined && !besideComment.includes(this.#comment)) {
      await this.#run(sql`DROP TABLE IF EXISTS ${this.#stored(beside)}`);
    }
    return beside;
  }

  /** Its rows would be missing in the tables that are made now. */
  async #refuseUnsharded(beside: string): Promise<void> {
    const comment = this.shard.name === null ? undefined : await this.#commentAt(beside);
    if (comment?.includes(this.#comment)) {
      throw new SourceFailed(
        `table "${beside}" was being filled when the cluster got several shards. Resync the pipe.`,
      );
    }
  }

  get #comment(): string {
    const { generation = '' } = this.#target;
    return `sightline pipe ${this.#place.pipeId} generation ${generation};`;
  }

  #commentOf(table: string): Promise<string | undefined> {
    return this.#commentAt(this.shard.stored(table));
  }

  async #commentAt(name: string): Promise<string | undefined> {
    const { rows } = await this.shard.query(
      sql`SELECT comment FROM system.tables
        WHERE database = ${this.#place.database} AND name = ${name}`,
      this.#ddl,
    );
    return rows[0] === undefined ? undefined : String(rows[0][0]);
  }

  /** Whether a table holds another generation of this pipe's rows. */
  async #isOlder(table: string): Promise<boolean> {
    const { generation } = this.#target;
    const comment = generation === undefined ? undefined : await this.#commentOf(table);
    return (
      comment !== undefined &&
      comment.includes(`sightline pipe ${this.#place.pipeId} generation `) &&
      !comment.includes(this.#comment)
    );
  }

  #stored(table: string): Sql {
    return qualified(this.#place.database, this.shard.stored(table));
  }

  #run(statement: Sql): Promise<void> {
    return this.shard.command(statement, this.#ddl);
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
