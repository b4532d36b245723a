import type { RowMapper } from './mapping.ts';

/** Where the rows of one kind of batch go. */
export interface RowDestination {
  pipeId: string;
  database: string;
  table: string;
  columns: readonly string[];
  mapper: RowMapper;
}
