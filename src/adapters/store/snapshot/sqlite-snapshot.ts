import Database from 'libsql';
import type { StoreSnapshot } from './snapshot.ts';

/** Opens a snapshot beside the process that has the file open: the write-ahead log keeps it. */
export async function openSqliteSnapshot(path: string): Promise<StoreSnapshot> {
  const database = new Database(path, { timeout: 5000, fileMustExist: true });
  try {
    // Fetches every row from the same snapshot, which the first read takes.
    database.exec('begin');
    const migrations = database
      .prepare('select name from migrations order by applied_at_ms, rowid')
      .raw(true)
      .all() as string[][];
    return {
      migrations: migrations.map(([name]) => String(name)),
      async *rows(table) {
        const statement = database.prepare(`select * from "${table}"`).raw(true);
        const columns = statement.columns().map(({ name }) => name);
        for (const values of statement.iterate() as Iterable<(string | number | null)[]>) {
          yield Object.fromEntries(columns.map((name, index) => [name, values[index] ?? null]));
        }
      },
      async close() {
        database.close();
      },
    };
  } catch (error) {
    database.close();
    throw error;
  }
}
