import type { RowCount } from '../../../../ports/batch.ts';
import { identifier, join, sql, type Sql } from '../../../../sql/sql.ts';

/** Columns of the inlet besides those of the target. */
export const itemColumn = '#path';
export const filledColumn = '#filled';
export const versionColumn = '#version';

/** A way into a stage table that also counts rows by item. */
export interface Meter {
  /** The table to insert into. */
  inlet: string;
  read(): Promise<ReadonlyMap<string, RowCount>>;
  drop(): Promise<void>;
}

/**
 * Settings of an insert of one item into an inlet. With its views in parallel, the engine reads on
 * while it writes a part. Otherwise one thread does both in turn, which costs less: while it writes,
 * other threads read other items.
 */
export const oneItemSettings = sql`parallel_view_processing = 1`;

/** Tables of a meter: rows go into `inlet`, and from there by views into `stage` and `counting`. */
export interface MeterTables {
  target: Sql;
  stage: Sql;
  inlet: Sql;
  filling: Sql;
  counting: Sql;
}

/** Statements that create these tables: first the inlet. `columns`: those that the load gives. */
export function createMeter(
  { target, stage, inlet, filling, counting }: MeterTables,
  columns: readonly string[],
  withVersions: boolean,
): { inlet: Sql; views: Sql[] } {
  const list = join(columns.map(identifier), ', ');
  const item = identifier(itemColumn);
  const filled = identifier(filledColumn);
  const version = identifier(versionColumn);
  const [oldest, newest] = withVersions
    ? [sql`min(${version})`, sql`max(${version})`]
    : [sql`''`, sql`''`];
  return {
    inlet: sql`CREATE TABLE ${inlet} ENGINE = Null AS
      SELECT ${list}, toLowCardinality('') AS ${item}, toUInt8(0) AS ${filled}
        ${withVersions ? sql`, '' AS ${version}` : sql``}
      FROM ${target} WHERE 0`,
    views: [
      sql`CREATE MATERIALIZED VIEW ${filling} TO ${stage} AS SELECT ${list} FROM ${inlet}`,
      sql`CREATE MATERIALIZED VIEW ${counting} ENGINE = Memory AS
        SELECT ${item} AS path, count() AS total, countIf(${filled} != 0) AS filled,
          ${oldest} AS least, ${newest} AS most
        FROM ${inlet} GROUP BY path`,
    ],
  };
}

export function selectCounts(counting: Sql): Sql {
  return sql`SELECT path, toString(sum(total)), toString(sum(filled)), min(least), max(most)
    FROM ${counting} GROUP BY path`;
}

/** One row of `selectCounts`. */
export function readCount(row: readonly unknown[]): [item: string, count: RowCount] {
  const [item, total, filled, oldest, newest] = row;
  const isOneVersion = oldest === newest && oldest !== '';
  return [
    String(item),
    {
      rows: Number(total),
      filled: Number(filled),
      version: isOneVersion ? String(oldest) : undefined,
    },
  ];
}
