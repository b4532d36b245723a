/**
 * The metadata store against the same statements on bare libsql, side by side in alternating
 * rounds: `npx tsx bench/store.ts [rounds]`. Figures are operations a second (median of the rounds)
 * and the ratio.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { openPostgresStore } from '../src/adapters/store/drivers/postgres.ts';
import { openSqliteStore } from '../src/adapters/store/drivers/sqlite.ts';
import type { Store } from '../src/ports/store/store.ts';
import { findPostgres, startPostgres } from '../test/kit/postgres.ts';
import { documentBody } from '../test/kit/document-body.ts';

const rounds = Number(process.argv[2] ?? 5);
const body = {
  name: 'High error rate',
  message: 'x'.repeat(120),
  threshold: 5,
  interval: '5m',
  source: 'tile',
  thresholdType: 'above',
  channel: { type: 'webhook', webhookId: '65f0c1d2e3a4b5c6d7e8f901' },
};
const folder = mkdtempSync(join(tmpdir(), 'sightline-bench-'));
let ids = 0;
const id = () => (++ids).toString(16).padStart(24, '0');

interface Side {
  name: string;
  run(): Promise<void>;
}

/** Operations a second of each side, a round of one after a round of the other. */
async function compare(title: string, operations: number, sides: Side[]): Promise<void> {
  const rates = sides.map(() => [] as number[]);
  for (let round = -1; round < rounds; round++) {
    for (const [index, side] of sides.entries()) {
      const startedAt = performance.now();
      await side.run();
      if (round >= 0) {
        rates[index]?.push(operations / ((performance.now() - startedAt) / 1000));
      }
    }
  }
  const medians = rates.map((each) => each.sort((a, b) => a - b)[Math.floor(each.length / 2)] ?? 0);
  const rateTexts = sides
    .map(({ name }, index) => `${name} ${Math.round(medians[index] ?? 0).toLocaleString('en')}/s`)
    .join(', ');
  const ratio = ((medians[0] ?? 0) / (medians[1] ?? 1)).toFixed(2);
  console.log(`${title}: ${rateTexts}${medians.length > 1 ? `, ratio ${ratio}` : ''}`);
}

async function times(count: number, work: () => unknown): Promise<void> {
  for (let n = 0; n < count; n++) {
    await work();
  }
}

/** Runs `work` `count` times, `width` at once, as that many clients would. */
async function concurrently(
  count: number,
  width: number,
  work: () => Promise<unknown>,
): Promise<void> {
  await Promise.all(Array.from({ length: width }, () => times(count / width, work)));
}

/** What creating an alert does: the webhook it names is there, and stays. */
function createAlert(store: Store): Promise<unknown> {
  const references = [{ kind: 'webhook', id: 'hook' }] as const;
  return store.transaction(async ({ documents }) => {
    await documents.existing('w', references);
    await documents.insert('w', { kind: 'alert', id: id(), body: documentBody(body), references });
  });
}

async function sqlite(): Promise<void> {
  const store = await openSqliteStore({ path: join(folder, 'store.db') });
  await store.documents.insert('w', { kind: 'webhook', id: 'hook', body: documentBody() });
  await store.documents.insert('w', { kind: 'alert', id: 'known', body: documentBody(body) });
  // The same tables and indexes: what is compared is the way to them.
  await (await openSqliteStore({ path: join(folder, 'bare.db') })).close();
  const bare = new Database(join(folder, 'bare.db'));
  bare.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on');
  const insert = bare.prepare(
    'insert into documents (workspace_id, kind, id, version, created_at_ms, ' +
      'updated_at_ms, body) values (?, ?, ?, 1, ?, ?, ?)',
  );
  const bareInsert = () =>
    insert.run(['w', 'alert', id(), Date.now(), Date.now(), JSON.stringify(body)]);
  insert.run(['w', 'alert', 'known', 0, 0, JSON.stringify(body)]);
  const select = bare.prepare(
    'select * from documents where workspace_id = ? and kind = ? and id = ?',
  );
  const bareGet = () =>
    JSON.parse((select.get(['w', 'alert', 'known']) as { body: string }).body) as unknown;

  await compare('SQLite, get by id', 20_000, [
    { name: 'store', run: () => times(20_000, () => store.documents.get('w', 'alert', 'known')) },
    { name: 'bare', run: () => times(20_000, bareGet) },
  ]);
  await compare('SQLite, durable insert, one at a time', 300, [
    {
      name: 'store',
      run: () =>
        times(300, () =>
          store.documents.insert('w', { kind: 'alert', id: id(), body: documentBody(body) }),
        ),
    },
    { name: 'bare', run: () => times(300, bareInsert) },
  ]);
  await compare(
    'SQLite, create an alert (check, insert, reference; one transaction), one at a time, against one bare INSERT',
    300,
    [
      { name: 'store', run: () => times(300, () => createAlert(store)) },
      { name: 'bare', run: () => times(300, bareInsert) },
    ],
  );
  await compare('SQLite, create an alert, 32 clients, against bare INSERTs', 3200, [
    { name: 'store', run: () => concurrently(3200, 32, () => createAlert(store)) },
    { name: 'bare', run: () => times(3200, bareInsert) },
  ]);
  bare.close();
  await store.close();
}

async function postgres(): Promise<void> {
  const peer = await startPostgres();
  const store = await openPostgresStore({ url: await peer.createDatabase() });
  await store.documents.insert('w', { kind: 'webhook', id: 'hook', body: documentBody() });
  await store.documents.insert('w', { kind: 'alert', id: 'known', body: documentBody(body) });
  await compare('PostgreSQL, get by id', 1000, [
    {
      name: 'one at a time',
      run: () => times(1000, () => store.documents.get('w', 'alert', 'known')),
    },
  ]);
  await compare('PostgreSQL, get by id, 32 clients', 3200, [
    {
      name: 'store',
      run: () => concurrently(3200, 32, async () => store.documents.get('w', 'alert', 'known')),
    },
  ]);
  await compare('PostgreSQL, create an alert', 100, [
    { name: 'one at a time', run: () => times(100, () => createAlert(store)) },
  ]);
  await compare('PostgreSQL, create an alert, 32 clients', 640, [
    { name: 'store', run: () => concurrently(640, 32, () => createAlert(store)) },
  ]);
  await store.close();
  await peer.remove();
}

try {
  await sqlite();
  if (findPostgres()) {
    await postgres();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
