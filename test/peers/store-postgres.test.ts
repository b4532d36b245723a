import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrations } from '../../src/adapters/store/migrations/index.ts';
import { openPostgresStore } from '../../src/adapters/store/drivers/postgres.ts';
import type { Store } from '../../src/ports/store/store.ts';
import { migrationTests } from '../conformance/store-migrations.ts';
import { postgresMissing, startPostgres, type PostgresPeer } from '../kit/postgres.ts';
import { documentBody, documentFields } from '../kit/document-body.ts';

const describeWithPeer = describe.skipIf(postgresMissing());

let peer: PostgresPeer;
const stores: Store[] = [];
const open = async (url: string, poolMax = 4) => {
  const store = await openPostgresStore({ url, poolMax });
  stores.push(store);
  return store;
};
beforeAll(async () => {
  peer = await startPostgres();
});
afterAll(async () => {
  await Promise.allSettled(stores.map((store) => store.close()));
  await peer.remove();
});
async function execute(url: string, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows as unknown[];
  } finally {
    await client.end();
  }
}

describeWithPeer('the store on PostgreSQL alone', () => {
  describe('migrations', () => {
    migrationTests(async () => {
      const url = await peer.createDatabase();
      return {
        open: (options) => openPostgresStore({ url, ...options }),
        execute: (text) => execute(url, text),
      };
    });

    test('many processes that start at once on an empty database apply each step once', async () => {
      const url = await peer.createDatabase();
      const opened = await Promise.all(Array.from({ length: 6 }, () => open(url, 2)));
      expect((await execute(url, 'select name from migrations')).length).toBe(migrations.length);
      await opened[0]?.documents.insert('w', { kind: 'alert', id: 'a', body: documentBody() });
      expect(await opened[5]?.documents.get('w', 'alert', 'a')).toBeDefined();
    });
  });

  describe('leases by the time of the database', () => {
    test('a process whose clock is wrong neither loses a lease nor takes one early', async () => {
      const store = await open(await peer.createDatabase());
      const before = await store.nowMs();
      const lease = await store.leases.acquire('l', 'a', 60_000);
      expect(lease?.expiresAtMs).toBeGreaterThanOrEqual(before + 60_000);
      expect(lease?.expiresAtMs).toBeLessThan(before + 90_000);
      expect(await store.leases.acquire('l', 'b', 1)).toBeUndefined();
    });

    test('a lease runs out by itself', async () => {
      const store = await open(await peer.createDatabase());
      await store.leases.acquire('l', 'a', 100);
      await expect
        .poll(() => store.leases.acquire('l', 'b', 60_000), { timeout: 5000, interval: 20 })
        .toMatchObject({ holder: 'b', epoch: 2 });
    });

    test('reaching for a lease that is being fenced with does not wait for the transaction', async () => {
      const url = await peer.createDatabase();
      const [a, b] = [await open(url), await open(url)];
      const lease = await a.leases.acquire('l', 'a', 1);
      await expect
        .poll(() => a.nowMs(), { timeout: 5000, interval: 5 })
        .toBeGreaterThan(lease?.expiresAtMs ?? 0);
      await a.transaction(async (parts) => {
        if (lease) {
          await parts.leases.fence(lease);
        }
        expect(
          await b.leases.acquire('l', 'b', 60_000),
          'it stays with its holder until the end',
        ).toBeUndefined();
      });
      expect(await b.leases.acquire('l', 'b', 60_000)).toMatchObject({ holder: 'b' });
    });
  });

  test('two transactions that wait for each other are both done in the end', async () => {
    const url = await peer.createDatabase();
    const [a, b] = [await open(url), await open(url)];
    for (const id of ['x', 'y']) {
      await a.documents.insert('w', { kind: 'alert', id, body: documentBody({ count: 0 }) });
    }
    let met = 0;
    let meet: () => void = () => {};
    const bothInside = new Promise<void>((resolve) => {
      meet = resolve;
    });
    const add = (store: Store, order: string[]) =>
      store.transaction(async ({ documents }) => {
        for (const id of order) {
          // Takes the lock on the document, so that what is read next stays.
          await documents.referrers('w', 'alert', id);
          const now = await documents.get('w', 'alert', id);
          await documents.update('w', 'alert', id, now?.version ?? 0, {
            body: documentBody({ count: Number(documentFields(now?.body)['count']) + 1 }),
          });
          if (++met === 2) {
            meet();
          }
          if (met <= 2) {
            await bothInside;
          }
        }
      });
    await Promise.all([add(a, ['x', 'y']), add(b, ['y', 'x'])]);
    for (const id of ['x', 'y']) {
      expect((await a.documents.get('w', 'alert', id))?.body).toEqual({ count: 2 });
    }
  });

  test('more work than connections waits for its turn', async () => {
    const store = await open(await peer.createDatabase(), 2);
    await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        store.transaction(({ documents }) =>
          documents.insert('w', { kind: 'alert', id: `id${index}`, body: documentBody() }),
        ),
      ),
    );
    expect((await store.documents.list('w', 'alert', { limit: 1, offset: 0 })).total).toBe(60);
  });
});

describeWithPeer('the store on PostgreSQL beside a newer version', () => {
  test('columns that come meanwhile fail neither a read nor a transaction', async () => {
    const url = await peer.createDatabase();
    const store = await open(url);
    const node = { roles: ['api'], version: '1', startedAtMs: 1 };
    const report = { host: 'web-1', processId: 7, memoryBytes: 1 };
    await store.nodes.beat({ ...node, id: 'a', report });
    // At once: each needs a connection of its own, which keeps the statement.
    const reads = () => Promise.all(Array.from({ length: 8 }, () => store.nodes.list()));
    const transactions = () =>
      Promise.all(
        Array.from({ length: 8 }, () =>
          store.transaction(async ({ nodes, leases }) => {
            await leases.acquire('l', 'a', 1);
            return nodes.list();
          }),
        ),
      );
    const before = [...(await reads()), ...(await transactions())];
    await execute(url, 'alter table nodes add column first_later text');
    expect([...(await reads()), ...(await transactions())]).toEqual(before);
    await execute(url, 'alter table nodes add column second_later text');
    expect([...(await transactions()), ...(await reads())]).toEqual(before);
  });

  test('a step that older processes do not survive waits until they have ended', async () => {
    const url = await peer.createDatabase();
    const older = await open(url);
    const report = { host: 'web-1', processId: 7, memoryBytes: 1 };
    const node = { roles: ['api'], version: '0.0.9', startedAtMs: 1, report };
    await older.nodes.beat({ ...node, id: 'living' });
    await older.nodes.beat({ ...node, id: 'killed' });
    await execute(url, `update nodes set seen_at_ms = seen_at_ms - 30000 where id = 'killed'`);
    await execute(url, 'alter table pipe_partitions drop column intended_shard');
    await execute(url, `delete from migrations where name = 'pipes-5'`);
    await expect(open(url)).rejects.toThrow(
      /after the steps pipes-5 of this one, and 1 of their processes still run: process 7 on web-1, version 0\.0\.9\. Stop them/,
    );
    await older.nodes.leave('living');
    await open(url);
    expect((await execute(url, 'select name from migrations')).length).toBe(migrations.length);
  });

  test('a step that older processes survive does not wait', async () => {
    const url = await peer.createDatabase();
    const older = await open(url);
    const report = { host: 'web-1', processId: 7, memoryBytes: 1 };
    const node = { roles: ['api'], version: '0.0.9', startedAtMs: 1, report };
    await older.nodes.beat({ ...node, id: 'living' });
    await execute(url, 'alter table pipe_partitions drop column oldest_at_ms');
    await execute(url, `delete from migrations where name = 'pipes-2'`);
    await open(url);
    expect((await execute(url, 'select name from migrations')).length).toBe(migrations.length);
  });
});

describeWithPeer('the store on PostgreSQL that is away', () => {
  test('while the server is away every call says so and when to retry; later they work again', async () => {
    const own = await startPostgres();
    const store = await openPostgresStore({ url: own.url });
    try {
      await store.documents.insert('w', { kind: 'alert', id: 'kept', body: documentBody() });
      const running = store.transaction(async ({ documents }) => {
        await documents.insert('w', { kind: 'alert', id: 'cut', body: documentBody() });
        await own.stop('immediate');
        await documents.insert('w', { kind: 'alert', id: 'cut2', body: documentBody() });
      });
      const away = {
        code: 'unavailable',
        retryAfterSeconds: 5,
        message: 'the metadata store is not available; try again',
      };
      await expect(running).rejects.toMatchObject(away);
      await expect(store.documents.get('w', 'alert', 'kept')).rejects.toMatchObject(away);
      await expect(
        store.documents.insert('w', { kind: 'alert', id: 'late', body: documentBody() }),
      ).rejects.toMatchObject(away);
      await expect(
        store.transaction(({ leases }) => leases.acquire('l', 'a', 1)),
      ).rejects.toMatchObject(away);
      await expect(store.ping()).rejects.toMatchObject(away);
      await own.start();
      expect(
        (await store.documents.list('w', 'alert', { limit: 10, offset: 0 })).items.map(
          ({ id }) => id,
        ),
      ).toEqual(['kept']);
      await store.documents.insert('w', { kind: 'alert', id: 'again', body: documentBody() });

      // Connections that sat idle over a restart are dead; no caller gets to see that.
      await Promise.all(Array.from({ length: 8 }, () => store.ping()));
      await own.stop('fast');
      await own.start();
      await Promise.all(
        Array.from({ length: 8 }, async (_, index) =>
          index % 2
            ? store.documents.get('w', 'alert', 'kept')
            : store.documents.insert('w', {
                kind: 'alert',
                id: `after${index}`,
                body: documentBody(),
              }),
        ),
      );
    } finally {
      await store.close();
      await own.remove();
    }
  });

  test('a closed store finishes what was begun and refuses what comes later', async () => {
    const url = await peer.createDatabase();
    const store = await openPostgresStore({ url });
    const begun = Array.from({ length: 5 }, (_, index) =>
      store.documents.insert('w', { kind: 'alert', id: `id${index}`, body: documentBody() }),
    );
    await Promise.all([...begun, store.close(), store.close()]);
    await expect(
      store.documents.insert('w', { kind: 'alert', id: 'late', body: documentBody() }),
    ).rejects.toMatchObject({ code: 'unavailable' });
    await expect(store.documents.get('w', 'alert', 'id0')).rejects.toMatchObject({
      code: 'unavailable',
    });
  });

  test('a server that is not there, and a wrong password, are refused without showing the address', async () => {
    await expect(
      openPostgresStore({ url: 'postgres://me:hunter2@127.0.0.1:1/x' }),
    ).rejects.toMatchObject({
      code: 'unavailable',
      message: 'the metadata store is not available; try again',
    });
    const failure: unknown = await openPostgresStore({
      url: peer.url.replace('/postgres', '/nowhere').replace('postgres@', 'postgres:hunter2@'),
    }).catch((error: unknown) => error);
    expect(String(failure)).not.toContain('hunter2');
  });
});
