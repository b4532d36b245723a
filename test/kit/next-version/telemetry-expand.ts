import {
  migrations as present,
  type Migration,
} from '../../../src/adapters/telemetry/migrations.ts';
import { storedName } from '../../../src/adapters/telemetry/tables/schema.ts';
import { qualified, sql } from '../../../src/sql/sql.ts';

export * from '../../../src/adapters/telemetry/migrations.ts';

export const migrations: readonly Migration[] = [
  ...present,
  {
    name: 'a note on each log record',
    kind: 'expand',
    run: (telemetry, database, options) =>
      telemetry.command(
        sql`ALTER TABLE ${qualified(database, storedName('otel_logs', options))}
          ADD COLUMN IF NOT EXISTS NextNote String DEFAULT 'unknown'`,
        { purpose: 'admin', timeoutMs: 30_000 },
      ),
  },
];
