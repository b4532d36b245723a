import { Client, types } from 'pg';
import type { SnapshotRow, StoreSnapshot } from './snapshot.ts';

const bigintOid = 20;
const rowsAtOnce = 1000;

/** Opens a snapshot beside the processes that use the database. */
export async function openPostgresSnapshot(url: string): Promise<StoreSnapshot> {
  const client = new Client({
    connectionString: url,
    application_name: 'sightline backup',
    connectionTimeoutMillis: 5000,
    keepAlive: true,
    types: {
      getTypeParser: ((oid: number, format?: 'text') =>
        oid === bigintOid
          ? Number
          : types.getTypeParser(oid, format)) as typeof types.getTypeParser,
    },
  });
  // The query in progress reports the end of a connection.
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    const { rows } = await client.query<{ name: string }>(
      'select name from migrations order by applied_at_ms, name',
    );
    return {
      migrations: rows.map(({ name }) => name),
      async *rows(table) {
        await client.query(`declare backup_rows no scroll cursor for select * from "${table}"`);
        for (;;) {
          const page = await client.query<SnapshotRow>(`fetch ${rowsAtOnce} from backup_rows`);
          yield* page.rows;
          if (page.rows.length < rowsAtOnce) {
            break;
          }
        }
        await client.query('close backup_rows');
      },
      close: () => client.end(),
    };
  } catch (error) {
    await client.end();
    throw error;
  }
}
