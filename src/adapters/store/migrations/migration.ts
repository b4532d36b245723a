import type { Compilable, Kysely, SchemaModule } from 'kysely';
import type { DialectName } from '../statements/statement.ts';
import type { Schema } from '../statements/schema.ts';

/** One forward step. All steps that a database lacks are applied in one transaction. */
export interface Migration {
  /** Unique for ever, such as `alerting-2`. */
  name: string;
  up(on: {
    schema: SchemaModule;
    data: Kysely<Schema>;
    dialect: DialectName;
  }): Compilable<unknown>[];
}
