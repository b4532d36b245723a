import type { Telemetry } from '../../../../ports/telemetry.ts';
import { identifier, join, qualified, sql, type Sql } from '../../../../sql/sql.ts';

/** What a target held just before the first part of a stage was moved. */
export interface TargetNote {
  /** Parts of the stage get this block number or a higher one there. */
  nextBlock: number;
  rows: number;
}

export interface MovedPartsOptions {
  telemetry: Pick<Telemetry, 'query'>;
  database: string;
  stage: string;
  target: string;
  /** Absent: only the UUIDs of parts tell what was moved. */
  note: TargetNote | undefined;
  timeoutMs: number;
  signal: AbortSignal | undefined;
}

interface StagePart {
  name: string;
  partition: string;
  rows: number;
  /** The target has, or had a short time ago, a part with the same UUID. */
  known: boolean;
}

interface TargetState {
  /** The largest block number of each partition. */
  blocks: ReadonlyMap<string, number>;
  rows: number;
  columns: readonly string[];
  /** No merge makes one row of two. */
  keepsRows: boolean;
  /** And nothing else removes rows, as far as the engine tells. */
  countsRows: boolean;
}

/** Of a larger part, a sample of about this many rows is compared. */
const comparedRowsMax = 1_000_000;
/** A name that no user column has. */
const hashColumn = identifier('#hash');

/**
 * Finds the parts of a stage that the target already has. The engine shows a moved part in its new
 * table before it hides it in the old one, so after a crash in between both tables have it. A part
 * of a stage has a UUID, which it keeps when it is moved. The target loses the UUID after it has
 * merged the part and removed the merged ones; then only the rows can tell. They are compared only
 * if the partition has new parts since the note was written.
 */
export class MovedParts {
  readonly #options: MovedPartsOptions;

  constructor(options: MovedPartsOptions) {
    this.#options = options;
  }

  async find(): Promise<string[]> {
    const parts = await this.#stageParts();
    const moved = parts.filter(({ known }) => known);
    const unknown = parts.filter(({ known }) => !known);
    const { note } = this.#options;
    if (note === undefined || unknown.length === 0) {
      return moved.map(({ name }) => name);
    }
    const target = await this.#target();
    for (const part of unknown) {
      if ((target.blocks.get(part.partition) ?? -1) < note.nextBlock) {
        continue;
      }
      const rows = [part, ...moved].reduce((sum, { rows }) => sum + rows, 0);
      if (target.countsRows && target.rows - note.rows < rows) {
        continue;
      }
      if (
        await this.#hasRows(
          part,
          moved.filter(({ partition }) => partition === part.partition),
          note.nextBlock,
          target,
        )
      ) {
        moved.push(part);
      }
    }
    return moved.map(({ name }) => name);
  }

  async #stageParts(): Promise<StagePart[]> {
    const { database, stage, target } = this.#options;
    const rows = await this.#rows(
      sql`SELECT name, partition_id, toString(rows),
          uuid != toUUID('00000000-0000-0000-0000-000000000000') AND uuid IN (
            SELECT uuid FROM system.parts WHERE database = ${database} AND table = ${target}
          ) AS known
        FROM system.parts
        WHERE active AND rows > 0 AND database = ${database} AND table = ${stage}
        ORDER BY name`,
    );
    return rows.map(([name, partition, count, known]) => ({
      name: String(name),
      partition: String(partition),
      rows: Number(count),
      known: Number(known) === 1,
    }));
  }

  async #target(): Promise<TargetState> {
    const { database, stage, target } = this.#options;
    const [partitions, columns, [engine]] = await Promise.all([
      this.#rows(
        sql`SELECT partition_id, toString(max(max_block_number)), toString(sum(rows))
          FROM system.parts
          WHERE active AND database = ${database} AND table = ${target} GROUP BY partition_id`,
      ),
      this.#rows(
        sql`SELECT name FROM system.columns
          WHERE database = ${database} AND table = ${stage}
            AND default_kind NOT IN ('ALIAS', 'EPHEMERAL')
          ORDER BY position`,
      ),
      this.#rows(
        sql`SELECT match(engine, '^(?:Replicated|Shared)?MergeTree$'),
            position(engine_full, ' TTL ') = 0 AND (
              SELECT count() FROM system.mutations
              WHERE database = ${database} AND table = ${target}
            ) = 0
          FROM system.tables WHERE database = ${database} AND name = ${target}`,
      ),
    ]);
    const keepsRows = Number(engine?.[0] ?? 0) === 1;
    return {
      blocks: new Map(partitions.map(([partition, block]) => [String(partition), Number(block)])),
      rows: partitions.reduce((sum, [, , rows]) => sum + Number(rows), 0),
      columns: columns.map(([name]) => String(name)),
      keepsRows,
      countsRows: keepsRows && Number(engine?.[1] ?? 0) === 1,
    };
  }

  /**
   * Whether the newer blocks of the partition hold every row of the part, as often as this part and
   * the parts that were certainly moved hold it. If merges make one row of several, once is enough.
   * Rows are compared by their text, which distinguishes NaN, NULL and every digit.
   */
  async #hasRows(
    part: StagePart,
    claimed: readonly StagePart[],
    nextBlock: number,
    { columns, keepsRows }: TargetState,
  ): Promise<boolean> {
    const { database, stage, target } = this.#options;
    const step = Math.ceil(part.rows / comparedRowsMax);
    const hash = sql`sipHash64(formatRow('TabSeparated', ${join(columns.map(identifier), ', ')}))`;
    const [stageTable, targetTable] = [qualified(database, stage), qualified(database, target)];
    const own = sql`SELECT ${hash} AS ${hashColumn} FROM ${stageTable}
      WHERE _part = ${part.name} AND ${hashColumn} % ${step} = 0`;
    const names = join(
      [part, ...claimed].map(({ name }) => sql`${name}`),
      ', ',
    );
    const [answer] = await this.#rows(
      sql`SELECT count() FROM (
      SELECT ${hashColumn} FROM (
        SELECT ${hash} AS ${hashColumn}, 1 AS claimed, 0 AS held FROM ${stageTable}
        WHERE _part IN (${names}) AND ${hashColumn} IN (${own})
        UNION ALL
        SELECT ${hash} AS ${hashColumn}, 0 AS claimed, 1 AS held FROM ${targetTable}
        WHERE _partition_id = ${part.partition}
          AND toInt64(splitByChar('_', _part)[3]) >= ${nextBlock}
          AND ${hashColumn} IN (${own})
      ) GROUP BY ${hashColumn} HAVING sum(held) < ${keepsRows ? sql`sum(claimed)` : sql`1`} LIMIT 1
    )`,
      'load',
    );
    return Number(answer?.[0] ?? 1) === 0;
  }

  async #rows(statement: Sql, purpose: 'pipe' | 'load' = 'pipe') {
    const { telemetry, database: tenant, timeoutMs, signal } = this.#options;
    return (await telemetry.query(statement, { purpose, tenant, timeoutMs, signal })).rows;
  }
}
