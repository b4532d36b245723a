import { sql, type Sql } from './sql.ts';

/** The rows of a table that belong on one shard, where a key decides. */
export interface RowSlot {
  /** Expressions over the columns of the table, separated by commas. */
  key: Sql;
  /** From 1 to `count`. */
  index: number;
  /** Number of slots of the table. */
  count: number;
}

/** Whether a row belongs to the slot. Rows without a value in the key are in the first slot. */
export const inSlot = ({ key, index, count }: RowSlot): Sql =>
  sql`ifNull(cityHash64(${key}), 0) % ${count} = ${index - 1}`;
