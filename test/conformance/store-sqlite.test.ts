import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { afterAll, describe, expect, test } from 'vitest';
import { openSqliteStore } from '../../src/adapters/store/drivers/sqlite.ts';
import { migrationTests } from './store-migrations.ts';
import { documentBody } from '../kit/document-body.ts';

const folder = mkdtempSync(join(tmpdir(), 'sightline-sqlite-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const file = () => join(folder, `${++files}.db`);

describe('migrations on SQLite', () => {
  migrationTests(async () => {
    const path = file();
    return {
      open: (options) => openSqliteStore({ path, ...options }),
      execute: async (text) => {
        const database = new Database(path);
        try {
          const statement = database.prepare(text);
          return statement.reader ? statement.all() : [statement.run()];
        } finally {
          database.close();
        }
      },
    };
  });
});

describe('one process per SQLite file', () => {
  test('a second opening names the holder and is refused, in this process too, until it closes', async () => {
    const path = file();
    const first = await openSqliteStore({ path });
    await expect(openSqliteStore({ path })).rejects.toThrow(
      new RegExp(
        `${path} is in use by process ${process.pid} on .* since 20.*SIGHTLINE_DATABASE_URL`,
      ),
    );
    await first.documents.insert('w', { kind: 'alert', id: 'still-works', body: documentBody() });
    await first.close();
    const second = await openSqliteStore({ path });
    expect(await second.documents.get('w', 'alert', 'still-works')).toBeDefined();
    await second.close();
  });

  test('another process that holds it is named, and when it is killed the file is free', async () => {
    const path = file();
    const sqlite = join(import.meta.dirname, '../../src/adapters/store/drivers/sqlite.ts');
    const holder = spawn(
      process.execPath,
      [
        '--import',
        'tsx',
        '--input-type=module',
        '-e',
        `
      const { openSqliteStore } = await import(${JSON.stringify(sqlite)});
      await openSqliteStore({ path: ${JSON.stringify(path)} });
      console.log('open');
      setInterval(() => {}, 1000);
    `,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    await once(holder.stdout, 'data');
    await expect(openSqliteStore({ path })).rejects.toThrow(`in use by process ${holder.pid} on`);
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    const store = await openSqliteStore({ path });
    await store.ping();
    await store.close();
  });

  test('a command of the same version may open it beside the holder; each sees the other’s writes', async () => {
    const path = file();
    const holder = await openSqliteStore({ path });
    const command = await openSqliteStore({ path, beside: true });
    await command.documents.insert('w', { kind: 'alert', id: 'by-command', body: documentBody() });
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 ? holder : command).documents.insert('w', {
          kind: 'alert',
          id: `id${index}`,
          body: documentBody(),
        }),
      ),
    );
    expect((await holder.documents.list('w', 'alert', { limit: 100, offset: 0 })).total).toBe(21);
    const remembered = (await holder.documents.get('w', 'alert', 'by-command'))!;
    await command.documents.update('w', 'alert', remembered.id, remembered.version, {
      body: documentBody({ changed: true }),
    });
    await expect
      .poll(async () => (await holder.documents.get('w', 'alert', remembered.id))?.body, {
        timeout: 1000,
      })
      .toEqual({ changed: true });
    await command.close();
    await holder.transaction(async () => {});
    const behind = new Database(path);
    behind.exec(`delete from migrations where name = 'base-1'`);
    behind.close();
    await expect(openSqliteStore({ path, beside: true })).rejects.toThrow(
      /held by an older version.*base-1/,
    );
    await holder.close();
  });

  test('a database from before totals were kept has them of the documents that it holds', async () => {
    const path = file();
    const before = await openSqliteStore({ path });
    const stored = await before.documents.insert('w', {
      kind: 'alert',
      id: 'a',
      body: documentBody(),
    });
    await before.documents.update('w', 'alert', 'a', stored.version, {
      body: documentBody({ changed: true }),
    });
    await before.documents.insert('w', { kind: 'pipe', id: 'p', body: documentBody() });
    const { latestMs } = await before.alerts.documentRevision();
    await before.close();
    const older = new Database(path);
    older.exec(
      'drop trigger documents_inserted; drop trigger documents_updated; ' +
        'drop trigger documents_deleted; drop table document_totals; ' +
        "delete from migrations where name = 'alerting-3'",
    );
    older.close();
    const again = await openSqliteStore({ path });
    expect(await again.alerts.documentRevision()).toEqual({ count: 1, versions: 2, latestMs });
    await again.documents.insert('w', { kind: 'source', id: 's', body: documentBody() });
    expect(await again.alerts.documentRevision()).toMatchObject({ count: 2, versions: 3 });
    await again.close();
  });

  test('a folder that is not there, and a file that is no database, are refused and leave no lock behind', async () => {
    await expect(openSqliteStore({ path: join(folder, 'nowhere', 'a.db') })).rejects.toThrow(
      /nowhere/,
    );
    const path = file();
    const { writeFileSync, rmSync: remove } = await import('node:fs');
    writeFileSync(
      path,
      'this is a text file, much longer than the header that SQLite looks for. '.repeat(20),
    );
    await expect(openSqliteStore({ path })).rejects.toThrow();
    remove(path);
    await (await openSqliteStore({ path })).close();
  });
});

test('a transaction that waits for a write outside it is rolled back in time, and the store goes on', async () => {
  const store = await openSqliteStore({ path: file(), turnTimeoutMs: 50 });
  await expect(
    store.transaction(async ({ documents }) => {
      await documents.insert('w', { kind: 'alert', id: 'inside', body: documentBody() });
      await store.documents.insert('w', { kind: 'alert', id: 'outside', body: documentBody() });
    }),
  ).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 5 });
  await store.documents.insert('w', { kind: 'alert', id: 'after', body: documentBody() });
  expect(
    (await store.documents.list('w', 'alert', { limit: 10, offset: 0 })).items.map(({ id }) => id),
  ).toEqual(['after']);
  await store.close();
});

describe('a closed store', () => {
  test('finishes what was begun and refuses what comes later', async () => {
    const path = file();
    const store = await openSqliteStore({ path });
    const begun = Array.from({ length: 20 }, (_, index) =>
      store.documents.insert('w', { kind: 'alert', id: `id${index}`, body: documentBody() }),
    );
    await Promise.all([store.close(), store.close()]);
    await Promise.all(begun);
    await expect(
      store.documents.insert('w', { kind: 'alert', id: 'late', body: documentBody() }),
    ).rejects.toMatchObject({ code: 'unavailable' });
    await expect(store.documents.get('w', 'alert', 'id0')).rejects.toMatchObject({
      code: 'unavailable',
    });
    await expect(store.ping()).rejects.toMatchObject({ code: 'unavailable' });
    const again = await openSqliteStore({ path });
    expect((await again.documents.list('w', 'alert', { limit: 100, offset: 0 })).total).toBe(20);
    await again.close();
  });
});

describe('transactions that share a commit', () => {
  test('let requests run in between if they take long', async () => {
    const store = await openSqliteStore({ path: file() });
    let turns = 0;
    const countTurns = (): void => {
      turns++;
      next = setImmediate(countTurns);
    };
    let next = setImmediate(countTurns);
    const turnOf = (id: string): Promise<number> =>
      store.transaction(async (parts) => {
        const begunInTurn = turns;
        const untilMs = performance.now() + 11;
        for (let row = 0; performance.now() < untilMs; row++) {
          await parts.documents.insert('w', {
            kind: 'alert',
            id: `${id} ${row}`,
            body: documentBody(),
          });
        }
        return begunInTurn;
      });
    // Added in one turn, they share a commit: none is acknowledged before the last one has ended.
    const begunInTurns = await Promise.all(['a', 'b', 'c', 'd'].map(turnOf));
    clearImmediate(next);
    expect(new Set(begunInTurns).size).toBe(4);
    await store.close();
  });
});
