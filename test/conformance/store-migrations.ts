import { expect, test } from 'vitest';
import { migrations } from '../../src/adapters/store/migrations/index.ts';
import type { Store } from '../../src/ports/store/store.ts';
import { documentBody } from '../kit/document-body.ts';

interface OpenOptions {
  complete?: boolean;
  onNewer?: (steps: readonly string[]) => void;
}

/** A database that can be opened again and looked into. */
export interface MigratedDatabase {
  open(options?: OpenOptions): Promise<Store>;
  /** Runs one statement behind the store's back. */
  execute(text: string): Promise<unknown[]>;
}

export function migrationTests(create: () => Promise<MigratedDatabase>): void {
  const applied = async (database: MigratedDatabase) =>
    (await database.execute('select name from migrations'))
      .map((row) => (row as { name: string }).name)
      .sort();

  test('opening a database again applies nothing twice and keeps what is in it', async () => {
    const database = await create();
    const first = await database.open();
    const document = await first.documents.insert('w', {
      kind: 'alert',
      id: 'a',
      body: documentBody({ kept: true }),
    });
    await first.close();
    const again = await database.open();
    expect(await again.documents.get('w', 'alert', 'a')).toEqual(document);
    expect(await applied(database)).toEqual(migrations.map(({ name }) => name).sort());
    await again.close();
  });

  newerProgramTests(create);

  test('users of before have roles: the oldest of each organization is its admin', async () => {
    const database = await create();
    const before = await database.open();
    for (const organization of ['o1', 'o2']) {
      await before.identity.insertOrganization({ id: organization, name: '' });
      for (const team of ['t1', 't2']) {
        const id = organization + team;
        const place = { id, serviceId: id, organizationId: organization, name: '', database: '' };
        await before.identity.insertWorkspace(place);
        for (const user of ['u1', 'u2']) {
          const email = `${id}${user}@example.com`;
          const account = { workspaceId: id, email, name: null, passwordHash: null };
          await before.identity.insertUser({ ...account, id: id + user });
        }
      }
    }
    await before.close();
    await database.execute('drop table sessions');
    await database.execute('alter table users drop column role');
    await database.execute(`delete from migrations where name = 'people-1'`);
    const after = await database.open();
    const users = await Promise.all(
      ['o1t1', 'o1t2', 'o2t1', 'o2t2'].map((team) => after.identity.users(team)),
    );
    const admins = users.flat().filter(({ role }) => role === 'admin');
    expect([users.flat().length, admins.map(({ id }) => id)]).toEqual([8, ['o1t1u1', 'o2t1u1']]);
    await after.close();
  });

  test('processes report in a database of before they did', async () => {
    const database = await create();
    const before = await database.open();
    await before.leases.acquire('alerts/1', 'old', 3_600_000);
    await before.close();
    await database.execute('drop table nodes');
    await database.execute(`delete from migrations where name = 'nodes-1'`);
    const after = await database.open();
    const node = { id: 'new', roles: ['api'], version: '1.0.0', startedAtMs: 1 };
    const report = { host: 'web-1', processId: 7, memoryBytes: 1 };
    await after.nodes.beat({ ...node, report });
    expect(await after.nodes.list()).toMatchObject([{ ...node, report }]);
    expect(await after.leases.held()).toMatchObject([{ name: 'alerts/1', holder: 'old' }]);
    await after.close();
  });

  test('databases that pipes of an earlier version write to are listed', async () => {
    const database = await create();
    const before = await database.open();
    const names = { organizationId: 'o', name: 'team' };
    await before.identity.insertOrganization({ id: 'o', name: 'shop' });
    for (const [id, own] of [
      ['with', 'mine'],
      ['without', 'theirs'],
    ] as const) {
      await before.identity.insertWorkspace({ ...names, id, serviceId: id, database: own });
    }
    for (const [index, written] of ['free', 'mine', 'free', 'theirs', 'other'].entries()) {
      await before.documents.insert('with', {
        kind: 'pipe',
        id: `pipe-${index}`,
        body: documentBody({ destination: { database: written } }),
      });
    }
    await before.close();
    await database.execute('alter table workspaces drop column listed_databases');
    await database.execute(`delete from migrations where name = 'base-2'`);
    const after = await database.open();
    const [first, second] = await after.identity.workspaces();
    expect(first?.listedDatabases.toSorted()).toEqual(['free', 'other']);
    expect(second?.listedDatabases).toEqual([]);
    await after.close();
  });

  test('a step that fails leaves nothing of the steps before it', async () => {
    const database = await create();
    // Something in the way of the last table of the base step.
    await database.execute('create table idempotency_keys (id int)');
    await expect(database.open()).rejects.toThrow(/idempotency_keys/);
    await expect(database.execute('select * from documents')).rejects.toThrow(/documents/);
    await database.execute('drop table idempotency_keys');
    await (await database.open()).close();
  });
}

function newerProgramTests(create: () => Promise<MigratedDatabase>): void {
  test('a database that a newer program has migrated is refused, and says by which step', async () => {
    const database = await create();
    await (await database.open()).close();
    await database.execute(`insert into migrations (name, applied_at_ms) values ('pipes-99', 0)`);
    await expect(database.open()).rejects.toThrow(
      /newer version of Sightline.*pipes-99.*start that version/,
    );
    await database.execute(`update migrations set kind = 'contract' where name = 'pipes-99'`);
    await expect(database.open()).rejects.toThrow(/unknown to this one: pipes-99\)/);
    await database.execute(`delete from migrations where name = 'pipes-99'`);
    await (await database.open()).close();
  });

  test('a database that a newer program has only extended opens, but not for work on all of it', async () => {
    const database = await create();
    await (await database.open()).close();
    await database.execute(
      `insert into migrations (name, applied_at_ms, kind) values ('pipes-99', 0, 'expand')`,
    );
    await database.execute(`alter table documents add column later text`);
    const newer: (readonly string[])[] = [];
    const store = await database.open({ onNewer: (steps) => newer.push(steps) });
    expect(newer).toEqual([['pipes-99']]);
    const document = await store.documents.insert('w', {
      kind: 'alert',
      id: 'a',
      body: documentBody({ by: 'older' }),
    });
    expect(await store.documents.get('w', 'alert', 'a')).toEqual(document);
    await store.close();
    await expect(database.open({ complete: true })).rejects.toThrow(
      /pipes-99\); run this command with that version/,
    );
  });

  test('a database of before steps had kinds gets them, and keeps its steps', async () => {
    const database = await create();
    await (await database.open()).close();
    await database.execute('alter table migrations drop column kind');
    await database.execute(`delete from migrations where name = 'nodes-1'`);
    await database.execute('drop table nodes');
    await (await database.open()).close();
    const kinds = new Map(
      (
        (await database.execute('select name, kind from migrations')) as {
          name: string;
          kind: string | null;
        }[]
      ).map(({ name, kind }) => [name, kind]),
    );
    expect([kinds.size, kinds.get('base-1'), kinds.get('nodes-1')]).toEqual([
      migrations.length,
      null,
      'expand',
    ]);
  });
}
