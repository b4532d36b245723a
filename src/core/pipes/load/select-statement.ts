import {
  ShardAway,
  TelemetryError,
  type TelemetryShard,
  type TelemetryShards,
} from '../../../ports/telemetry.ts';
import { identifier, join, sql, type Sql } from '../../../sql/sql.ts';
import type { Placement } from '../tables/row-slots.ts';
import type { LoadLimiter } from './load-limiter.ts';

/** What a statement writes. */
export interface SelectTarget {
  /** Each column with the field it takes. */
  columns: readonly { name: string; field: string }[];
  /** Settings of the statement that loads: constants, and values that were checked. */
  settings: Sql | undefined;
}

export interface SelectDestination extends SelectTarget {
  pipeId: string;
  shard: TelemetryShard;
  database: string;
  /** The names under which the table and its error table are stored. */
  table: string;
  errorTable: string;
  /** Where rows belong by their key. Undefined: all go to `table`. */
  slots: Placement['slots'];
  shards: TelemetryShards;
  /** Settings of an insert into a table that feeds views of the user. */
  viewSettings: Sql | undefined;
  /** Memory of the statement that loads; 0 = no limit. */
  maxMemoryBytes: number;
  timeoutMs: number;
  /** Whether the engine has a setting of this name. */
  hasSetting(this: void, name: string): Promise<boolean>;
  /** Limits the number of concurrent loads. The steps before a load are not limited. */
  limiter: Pick<LoadLimiter, 'run'>;
}

/** `extra`: more columns of the target, each with an expression. */
export function insertSelect(
  to: SelectTarget,
  target: Sql,
  source: Sql,
  settings: Sql | undefined,
  extra: readonly { name: string; value: Sql }[] = [],
): Sql {
  const columns = join(
    [...to.columns.map(({ name }) => name), ...extra.map(({ name }) => name)].map(identifier),
    ', ',
  );
  const fields = join(
    [...to.columns.map(({ field }) => identifier(field)), ...extra.map(({ value }) => value)],
    ', ',
  );
  const all = join(
    [
      // Equal blocks of different objects are different rows.
      sql`insert_deduplicate = 0`,
      sql`insert_null_as_default = 1, max_partitions_per_insert_block = 0`,
      ...(to.settings ? [to.settings] : []),
      ...(settings ? [settings] : []),
    ],
    ', ',
  );
  return sql`INSERT INTO ${target} (${columns}) SELECT ${fields} FROM ${source} SETTINGS ${all}`;
}

/** Reads one row and throws it away. */
export function probeStatement(source: Sql, settings: Sql | undefined): Sql {
  const withSettings = settings ? sql`SETTINGS ${settings} ` : sql``;
  return sql`SELECT * FROM ${source} LIMIT 1 ${withSettings}FORMAT Null`;
}

/** Removes secrets from an error of the engine, which can quote the statement. */
export function withoutSecrets<E>(
  error: E,
  secrets: readonly string[] | undefined = [],
): E | TelemetryError {
  // Our own text has none, and says which shard.
  if (!(error instanceof TelemetryError) || error instanceof ShardAway) {
    return error;
  }
  const text = secrets
    .filter((secret) => secret.length > 0)
    .reduce((message, secret) => message.replaceAll(secret, '***'), error.message);
  return new TelemetryError(error.kind, text);
}
