import { sql, type Sql } from '../../../sql/sql.ts';

/** Database, table, parts, rows and marks that the statement would read, one row a table. */
export const emitEstimate = (statement: Sql): Sql => sql`EXPLAIN ESTIMATE ${statement}`;

/** The engine's plan of the statement as one JSON document, with the indexes it uses. */
export const emitEnginePlan = (statement: Sql): Sql =>
  sql`EXPLAIN json = 1, indexes = 1 ${statement}`;
