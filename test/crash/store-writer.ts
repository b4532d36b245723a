/**
 * A process that writes until it is killed, and says on standard output what was acknowledged, one
 * line each: `group <id>` (three documents in one transaction), `owner <id>` (a document with two
 * references), `count <n>` (the counter was raised to n), `gone <id>` (a document was removed).
 */
import { writeSync } from 'node:fs';
import { openPostgresStore } from '../../src/adapters/store/drivers/postgres.ts';
import { openSqliteStore } from '../../src/adapters/store/drivers/sqlite.ts';
import { documentBody, documentFields } from '../kit/document-body.ts';

const [, , kind = '', address = '', run = ''] = process.argv;
const store =
  kind === 'sqlite'
    ? await openSqliteStore({ path: address })
    : await openPostgresStore({ url: address, poolMax: 6 });
const acknowledged = (line: string) => void writeSync(1, `${line}\n`);

async function writeGroups(writer: number): Promise<never> {
  for (let n = 0; ; n++) {
    const id = `${run}-${writer}-${n}`;
    await store.transaction(async ({ documents, leases }) => {
      for (const part of [0, 1, 2]) {
        await documents.insert('crash', {
          kind: 'alert',
          id: `${id}/${part}`,
          body: documentBody({ id, part, filler: 'x'.repeat(200) }),
        });
      }
      await leases.acquire(`lease of ${id}`, run, 1000);
    });
    acknowledged(`group ${id}`);
  }
}

async function writeOwners(writer: number): Promise<never> {
  for (let n = 0; ; n++) {
    const id = `${run}-${writer}-${n}`;
    await store.documents.insert('crash', {
      kind: 'dashboard',
      id,
      body: documentBody(),
      references: [
        { kind: 'source', id: 'one' },
        { kind: 'source', id: 'two' },
      ],
    });
    acknowledged(`owner ${id}`);
    if (n % 3 === 0 && (await store.documents.remove('crash', 'dashboard', id))) {
      acknowledged(`gone ${id}`);
    }
  }
}

async function raiseCounter(): Promise<never> {
  for (;;) {
    const now =
      (await store.documents.get('crash', 'webhook', 'counter')) ??
      (await store.documents.insert('crash', {
        kind: 'webhook',
        id: 'counter',
        body: documentBody({ count: 0 }),
      }));
    const count = Number(documentFields(now.body)['count']) + 1;
    if (
      await store.documents.update('crash', 'webhook', 'counter', now.version, {
        body: documentBody({ count }),
      })
    ) {
      acknowledged(`count ${count}`);
    }
  }
}

await Promise.all([
  writeGroups(0),
  writeGroups(1),
  writeGroups(2),
  writeOwners(3),
  writeOwners(4),
  raiseCounter(),
]);
