import { sql } from 'kysely';
import { migrate } from '../drivers/migrate.ts';
import type { Connection, Driver } from '../statements/session.ts';
import type { Bind, Compiler } from '../statements/statement.ts';
import { readMigrations, readRow, type SnapshotRow } from './snapshot.ts';

/** Values of one statement; SQLite takes at most 32,766. */
const valuesMax = 10_000;

/**
 * Fills an empty store from the lines of a snapshot, in one transaction: the schema of the backup,
 * its rows, and the steps that this version adds. Nobody holds a lease afterwards.
 * @throws Error when the store has data, or a newer schema than the backup.
 */
export async function loadSnapshot(
  driver: Driver,
  compiler: Compiler,
  lines: AsyncIterable<string>,
): Promise<number> {
  return driver.transaction(async (connection) => {
    const iterator = lines[Symbol.asyncIterator]();
    const first = await iterator.next();
    if (first.done === true) {
      throw new Error('the backup has no metadata');
    }
    await migrate(connection, compiler, { only: readMigrations(first.value) });
    await requireEmpty(connection, compiler);
    const data = compiler.queries.ofEveryWorkspace();
    await connection.query(compiler.compile(data.deleteFrom('revisions')));
    const count = await insertAll(connection, compiler, { [Symbol.asyncIterator]: () => iterator });
    await connection.query(
      compiler.compile(data.updateTable('leases').set({ holder: '', expires_at_ms: 0 })),
    );
    await migrate(connection, compiler);
    return count;
  });
}

async function requireEmpty(connection: Connection, compiler: Compiler): Promise<void> {
  const data = compiler.queries.ofEveryWorkspace();
  for (const table of ['organizations', 'audit'] as const) {
    const { rows } = await connection.query(
      compiler.compile(data.selectFrom(table).select(sql.lit(1).as('one')).limit(1)),
    );
    if (rows.length > 0) {
      throw new Error(
        'the metadata store is not empty: a backup is restored into a new store only',
      );
    }
  }
}

async function insertAll(
  connection: Connection,
  compiler: Compiler,
  lines: AsyncIterable<string>,
): Promise<number> {
  let count = 0;
  let table = '';
  let rows: SnapshotRow[] = [];
  const flush = async (): Promise<void> => {
    if (rows.length > 0) {
      await insertRows(connection, compiler, table, rows);
      count += rows.length;
      rows = [];
    }
  };
  for await (const line of lines) {
    const next = readRow(line);
    const width = Object.keys(next.row).length;
    if (next.table !== table || (rows.length + 1) * width > valuesMax) {
      await flush();
      table = next.table;
    }
    rows.push(next.row);
  }
  await flush();
  return count;
}

/** The names of columns come from the backup: they are quoted, and the database has to know them. */
async function insertRows(
  connection: Connection,
  compiler: Compiler,
  table: string,
  rows: readonly SnapshotRow[],
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {});
  const insert = sql`insert into ${sql.table(table)} (${sql.join(columns.map((name) => sql.ref(name)))})
    values ${sql.join(
      rows.map(
        (row) => sql`(${sql.join(columns.map((name) => sql.val((row[name] ?? null) as Bind)))})`,
      ),
    )}`;
  const { queries } = compiler;
  await connection.query(
    compiler.compile({ compile: () => insert.compile(queries.ofEveryWorkspace()) }),
  );
}
