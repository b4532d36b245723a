import type { Compilable, Kysely, SchemaModule } from 'kysely';
import type { DialectName } from '../statements/statement.ts';
import type { Schema } from '../statements/schema.ts';

/**
 * What a step means for processes of a version that does not know it.
 * - `expand`: they go on. The step adds tables, indexes, and columns that are nullable or have a
 *   default, and nobody misses what older processes do not write there.
 * - `contract`: they must have ended. Every other change, and a change of stored JSON that older
 *   versions cannot read.
 */
export type StepKind = 'expand' | 'contract';

/** One forward step. All steps that a database lacks are applied in one transaction. */
export interface Migration {
  /** Unique for ever, such as `alerting-2`. */
  name: string;
  kind: StepKind;
  up(on: {
    schema: SchemaModule;
    data: Kysely<Schema>;
    dialect: DialectName;
  }): Compilable<unknown>[];
}
