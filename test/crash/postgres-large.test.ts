import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgresMissing, startPostgres, type PostgresPeer } from '../kit/postgres.ts';
import { until } from '../kit/eventually.ts';
import { pipeWorld } from '../pipes/pipe-world.ts';
import { allEqual, postgresPipe } from '../pipes/postgres-pipe.ts';
import { killPipes, startPipes } from './pipes-child.ts';

const large = { table: 'large', key: ['id'] };
/**
 * More than when it was idle, its engine's work included (360 to 510 MB were seen). The values of
 * the transaction are 330 MB: held once, they would be too many.
 */
const growthAllowedBytes = 600 * 2 ** 20;

describe.skipIf(postgresMissing())('a large transaction', () => {
  let peer: PostgresPeer;
  let client: Client;
  const folder = mkdtempSync(join(tmpdir(), 'sightline-large-'));
  beforeAll(async () => {
    peer = await startPostgres({ wal_level: 'logical', max_wal_size: '4GB' });
    client = new Client({ connectionString: peer.url });
    await client.connect();
  });
  afterAll(async () => {
    await killPipes();
    await client?.end();
    await peer?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  it('a transaction of a million rows passes through, and is never held', async () => {
    const databaseUrl = await peer.createDatabase();
    await client.query('CREATE TABLE large (id bigint PRIMARY KEY, v text)');
    const shared = { folder, databaseUrl };
    const before = await pipeWorld({ ...shared, holder: 'only' });
    const pipe = await before.create(postgresPipe(peer, [large]));
    await before.close();
    const running = await startPipes(shared);
    let mostBytes = 0;
    let idleBytes = 0;
    try {
      const slot = `sightline_${pipe.id.replaceAll('-', '')}`;
      const confirmed = async (): Promise<boolean> =>
        (
          await client.query(
            'SELECT 1 FROM pg_replication_slots WHERE slot_name = $1 AND active AND confirmed_flush_lsn >= $2::pg_lsn',
            [slot, end],
          )
        ).rows.length === 1;
      let end = (await client.query<{ lsn: string }>('SELECT pg_current_wal_lsn()::text AS lsn'))
        .rows[0]!.lsn;
      await until('the stream', confirmed);
      idleBytes = running.residentBytes();
      await client.query(
        'INSERT INTO large SELECT n, repeat(md5(n::text), 10) FROM generate_series(1, 1000000) n',
      );
      end = (await client.query<{ lsn: string }>('SELECT pg_current_wal_lsn()::text AS lsn'))
        .rows[0]!.lsn;
      await until(
        'the whole transaction is stored',
        async () => {
          mostBytes = Math.max(mostBytes, running.residentBytes());
          return confirmed();
        },
        240_000,
      );
      console.log(
        'a transaction of 1,000,000 rows, 330 MB of values: ' +
          `the process held ${Math.round(idleBytes / 2 ** 20)} MB before, ` +
          `at most ${Math.round(mostBytes / 2 ** 20)} MB, its engine included`,
      );
    } finally {
      await running.end('SIGTERM');
    }
    const after = await pipeWorld({ ...shared, holder: 'only' });
    try {
      await allEqual(client, after, [large]);
      expect((await after.metrics(pipe.id)).rows).toBe(1_000_000);
    } finally {
      await after.close();
    }
    expect(mostBytes - idleBytes).toBeLessThan(growthAllowedBytes);
  });
});
