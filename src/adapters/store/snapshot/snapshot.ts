import { backupTables, type BackupTable } from '../statements/schema.ts';

/** A row of a table, by column. */
export type SnapshotRow = Record<string, string | number | null>;

/** The store as of one moment, whatever is written meanwhile. */
export interface StoreSnapshot {
  /** Names of the migration steps applied. */
  readonly migrations: readonly string[];
  rows(table: BackupTable): AsyncIterable<SnapshotRow>;
  close(): Promise<void>;
}

/** Floating-point numbers that JSON cannot hold are written as `{"number": "Infinity"}`. */
const replacer = (_: string, value: unknown): unknown =>
  typeof value === 'number' && !Number.isFinite(value) ? { number: String(value) } : value;

/** One JSON line for the migrations, then one for each row: `["table", {…}]`. */
export async function* snapshotLines(snapshot: StoreSnapshot): AsyncGenerator<string> {
  yield `${JSON.stringify({ migrations: snapshot.migrations })}\n`;
  for (const table of backupTables) {
    for await (const row of snapshot.rows(table)) {
      yield `${JSON.stringify([table, row], replacer)}\n`;
    }
  }
}

export function readMigrations(line: string): readonly string[] {
  return (JSON.parse(line) as { migrations: string[] }).migrations;
}

export function readRow(line: string): { table: BackupTable; row: SnapshotRow } {
  const [table, row] = JSON.parse(line) as [BackupTable, Record<string, unknown>];
  if (!backupTables.includes(table)) {
    throw new Error(`the backup has rows of an unknown table: ${table}`);
  }
  return {
    table,
    row: Object.fromEntries(
      Object.entries(row).map(([column, value]) => [
        column,
        typeof value === 'object' && value !== null
          ? Number((value as { number: string }).number)
          : (value as string | number | null),
      ]),
    ),
  };
}

/** Whether a store has ever been filled. A database without our tables has not. */
export async function hasData(open: () => Promise<StoreSnapshot>): Promise<boolean> {
  let snapshot: StoreSnapshot;
  try {
    snapshot = await open();
  } catch (error) {
    if (/no such table|relation "migrations" does not exist/.test(String(error))) {
      return false;
    }
    throw error;
  }
  try {
    for await (const _ of snapshot.rows('organizations')) {
      return true;
    }
    return false;
  } finally {
    await snapshot.close();
  }
}
