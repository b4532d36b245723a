import { identifier, join, qualified, sql, trusted, type Sql } from '../../../sql/sql.ts';

/** What an installation may choose about its tables. */
export interface SchemaOptions {
  /**
   * Days of telemetry kept, by signal. 0 keeps it for ever; absent leaves a table as it is, which
   * for a new one is for ever.
   */
  retentionDays?:
    | { logs?: number | undefined; traces?: number | undefined; metrics?: number | undefined }
    | undefined;
  /**
   * Whether acknowledged telemetry survives a power cut; absent leaves tables as they are, which on
   * the embedded engine is synced.
   */
  syncTelemetry?: boolean | undefined;
  /** A ClickHouse cluster's name: tables are made ON CLUSTER with replicated engines. */
  clusterName?: string | undefined;
  /** The server is one shard of several: its tables have names of their own (`storedName`). */
  isShard?: boolean | undefined;
}

/** The name of a table that holds rows. On a shard the known name is that of a Distributed table. */
export const storedName = (name: string, { isShard = false }: SchemaOptions): string =>
  isShard ? `${name}_local` : name;

export type Signal = 'logs' | 'traces' | 'metrics';

/** One table as this project declares it. Every piece is written in the source. */
export interface TableDeclaration {
  name: string;
  signal: Signal;
  /** `[name, type, rest]`, rest being DEFAULT and CODEC. */
  columns: readonly (readonly [string, string, string?])[];
  /** `name expression TYPE …` */
  indexes: readonly string[];
  engine?: 'MergeTree' | 'SummingMergeTree' | 'AggregatingMergeTree';
  engineArguments?: string;
  partitionBy?: string;
  orderBy: string;
  primaryKey?: string;
  /** The DateTime expression that rows age by, written as the engine prints it. */
  ageBy?: string;
}

/** Also that of the OpenTelemetry collector's exporter. */
export const defaultCodec = 'CODEC(ZSTD(1))';
/**
 * Of attributes, which repeat over long stretches. Level 3 finds more of that than level 1, for the
 * same processor time.
 */
export const attributesCodec = 'CODEC(ZSTD(3))';

/** How many recent blocks' tokens a table remembers: far more than any retry comes back after. */
export const deduplicationWindow = 10_000;

export function createTable(
  database: string,
  table: TableDeclaration,
  options: SchemaOptions,
): Sql {
  const columns = table.columns.map(columnDeclaration);
  const indexes = table.indexes.map((index) => sql`INDEX ${source(index)}`);
  return join(
    [
      sql`CREATE TABLE IF NOT EXISTS ${qualified(database, storedName(table.name, options))}${onCluster(options)}`,
      sql`(${join([...columns, ...indexes], ', ')})`,
      sql`ENGINE = ${engine(table, options)}`,
      ...(table.partitionBy === undefined ? [] : [sql`PARTITION BY ${source(table.partitionBy)}`]),
      ...(table.primaryKey === undefined ? [] : [sql`PRIMARY KEY (${source(table.primaryKey)})`]),
      sql`ORDER BY (${source(table.orderBy)})`,
      sql`SETTINGS index_granularity = 8192, ttl_only_drop_parts = 1,
${source(windowSetting(options))} = ${deduplicationWindow}`,
    ],
    '\n',
  );
}

export function columnDeclaration([
  name,
  type,
  rest = defaultCodec,
]: TableDeclaration['columns'][number]): Sql {
  return sql`${identifier(name)} ${source(type)} ${source(rest)}`;
}

export function windowSetting(options: SchemaOptions): string {
  return options.clusterName === undefined
    ? 'non_replicated_deduplication_window'
    : 'replicated_deduplication_window';
}

export function onCluster(options: SchemaOptions): Sql {
  return options.clusterName === undefined
    ? sql``
    : sql` ON CLUSTER ${identifier(options.clusterName)}`;
}

/** A piece written in this folder. */
export function source(text: string): Sql {
  return trusted(text);
}

function engine(table: TableDeclaration, options: SchemaOptions): Sql {
  const name = `${options.clusterName === undefined ? '' : 'Replicated'}${table.engine ?? 'MergeTree'}`;
  return source(table.engineArguments === undefined ? name : `${name}(${table.engineArguments})`);
}
