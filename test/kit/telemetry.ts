import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import {
  openEmbedded,
  type EmbeddedOptions,
} from '../../src/adapters/telemetry/embedded/open-embedded.ts';
import type { Telemetry, Value } from '../../src/ports/telemetry.ts';
import type { Sql } from '../../src/sql/sql.ts';

export interface TestTelemetry {
  telemetry: Telemetry;
  /** A migrated database. */
  database: string;
  /** Inserts rows as JSONEachRow; the first row's keys are the columns, except those given. */
  insert(
    table: string,
    rows: readonly Record<string, unknown>[],
    columns?: readonly string[],
  ): Promise<void>;
  /** Runs a SELECT as the admin and gives each row as an object. */
  rows(statement: Sql): Promise<Record<string, Value>[]>;
  /** Runs a statement that changes something, as the admin. */
  command(statement: Sql): Promise<void>;
  /** Closes the engine and removes its directory. */
  close(): Promise<void>;
}

/**
 * The real embedded engine over a directory of its own. One per process: share it within a test
 * file.
 */
export async function openTestTelemetry(
  options: Partial<EmbeddedOptions> & { database?: string } = {},
): Promise<TestTelemetry> {
  const directory = await mkdtemp(joinPath(tmpdir(), 'sightline-telemetry-'));
  const database = options.database ?? 'sightline';
  const telemetry = await openEmbedded({
    path: joinPath(directory, 'engine'),
    databases: [database],
    ...options,
  });
  await telemetry.migrate(database);
  return {
    telemetry,
    database,
    ...testRows(telemetry, database),
    async close() {
      await telemetry.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** The row helpers, for any engine. */
export function testRows(
  telemetry: Telemetry,
  database: string,
): Pick<TestTelemetry, 'insert' | 'rows' | 'command'> {
  const admin = { purpose: 'admin', timeoutMs: 30_000 } as const;
  return {
    async insert(table, rows, columns = Object.keys(rows[0] ?? {})) {
      const data = Buffer.from(
        rows
          .map(
            (row) =>
              JSON.stringify(row, (_, value: unknown) =>
                typeof value === 'bigint' ? String(value) : value,
              ) + '\n',
          )
          .join(''),
      );
      await telemetry.insert(database, table, {
        format: 'JSONEachRow',
        columns,
        data,
        rows: rows.length,
      });
    },
    async rows(statement) {
      const result = await telemetry.query(statement, admin);
      return result.rows.map((row) =>
        Object.fromEntries(result.columns.map(({ name }, index) => [name, row[index] ?? null])),
      );
    },
    command: (statement) => telemetry.command(statement, admin),
  };
}
