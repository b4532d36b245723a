import type { TelemetryShard } from '../../../../ports/telemetry.ts';
import type { RowSlot } from '../../../../sql/row-slot.ts';
import type { RowMapper } from './mapping.ts';

/** A table on a shard. */
export interface RowTable {
  shard: TelemetryShard;
  database: string;
  /** The name under which it is stored. */
  table: string;
  /** The rows that it takes. Absent: all. */
  slot?: RowSlot | undefined;
}

/** Where the rows of one kind of batch go. */
export interface RowDestination {
  pipeId: string;
  /** One table, or one for each slot. */
  tables: readonly RowTable[];
  /** For records that cannot be stored. */
  errors: RowTable;
  columns: readonly string[];
  mapper: RowMapper;
}
