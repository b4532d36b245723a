import { tables } from '../migrations.ts';

/** Searches for one word, trace or value skip nearly all rows with them, and they are cheap. */
const builtAtInsert = new Set(['idx_trace_id', 'idx_lower_body', 'idx_log_attr_value']);

/**
 * The indexes that inserts leave to merges. Together they cost as much as the rest of an insert,
 * and every merge builds all indexes anyway.
 */
export const lateIndexes: readonly string[] = [
  ...new Set(tables.flatMap(({ indexes }) => indexes.map((index) => index.split(' ', 1).join()))),
].filter((name) => !builtAtInsert.has(name));
