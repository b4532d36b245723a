import { TelemetryError } from '../../ports/telemetry.ts';
import { identifier, join, sql, type Sql } from '../../sql/sql.ts';
import type { Slots } from './slots.ts';

export interface SelectDestination {
  pipeId: string;
  database: string;
  table: string;
  /** Each column with the field it takes. */
  columns: readonly { name: string; field: string }[];
  /** Settings of the statement that loads, written in our source with checked values. */
  settings: Sql | undefined;
  /** Memory of that statement. */
  maxMemoryBytes: number;
  timeoutMs: number;
  /** Whether the engine fails when an object of S3 is not any more what it listed, and tells its ETag. Absent: it does not. */
  checksVersions?: () => Promise<boolean>;
  /** Loads of pieces wait here for their turn, with all that comes before one done already. Absent: they need none. */
  turns?: Slots;
}

/** `extra`: columns of the target with the piece of SQL each one takes. Equal blocks of different objects are different rows. */
export function insertSelect(
  to: SelectDestination,
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
      sql`insert_deduplicate = 0, insert_null_as_default = 1, max_partitions_per_insert_block = 0`,
      ...(to.settings ? [to.settings] : []),
      ...(settings ? [settings] : []),
    ],
    ', ',
  );
  return sql`INSERT INTO ${target} (${columns}) SELECT ${fields} FROM ${source} SETTINGS ${all}`;
}

/** The engine's errors can quote the statement. */
export function withoutSecrets(error: unknown, secrets: readonly string[]): unknown {
  if (!(error instanceof TelemetryError)) {
    return error;
  }
  let text = error.message;
  for (const secret of secrets) {
    if (secret.length > 0) {
      text = text.replaceAll(secret, '***');
    }
  }
  return new TelemetryError(error.kind, text);
}
