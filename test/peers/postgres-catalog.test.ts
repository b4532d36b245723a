import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readTables } from '../../src/adapters/connectors/postgres/tables/tables.ts';
import { queryOf, type Query } from '../../src/adapters/connectors/postgres/wire/query-of.ts';
import { postgresMissing, startPostgres, type PostgresPeer } from '../kit/postgres.ts';

const mapping = { sourceSchemaName: 'public', sourceTable: 'orders', targetTable: 'orders' };

describe.skipIf(postgresMissing())('the catalog of PostgreSQL', () => {
  let peer: PostgresPeer;
  let client: Client;
  beforeAll(async () => {
    peer = await startPostgres();
    client = new Client({ connectionString: peer.url });
    await client.connect();
  });
  afterAll(async () => {
    await client?.end();
    await peer?.remove();
  });

  test('a column is read with its value of earlier rows, whenever it is added meanwhile', async () => {
    let statements = Infinity;
    for (let before = 1; before <= statements; before++) {
      await client.query('CREATE TABLE orders (id int PRIMARY KEY); INSERT INTO orders VALUES (1)');
      const query = queryOf(client);
      let sent = 0;
      const adding: Query = async (text, values) => {
        if (++sent === before) {
          await client.query(`ALTER TABLE orders ADD COLUMN note text DEFAULT 'none'`);
        }
        return query(text, values);
      };
      const [table] = await readTables(adding, [mapping]);
      if (table!.columns.some(({ name }) => name === 'note')) {
        expect([before, table!.missing.get('note')]).toEqual([before, 'none']);
      }
      statements = sent;
      await client.query('DROP TABLE orders');
    }
    expect(statements).toBeGreaterThan(1);
  });
});
