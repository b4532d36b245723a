import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { openPostgresStore } from '../../src/adapters/store/drivers/postgres.ts';
import { openSqliteStore } from '../../src/adapters/store/drivers/sqlite.ts';
import type { Store } from '../../src/ports/store/store.ts';
import { childScript } from '../kit/child-script.ts';
import { postgresMissing, startPostgres } from '../kit/postgres.ts';
import { documentFields } from '../kit/document-body.ts';

const kills = 30;
const data = mkdtempSync(join(tmpdir(), 'sightline-crash-'));
afterAll(() => {
  rmSync(data, { recursive: true, force: true });
});

/** What the writers were told is stored, over all runs. */
class Acknowledged {
  readonly groups: string[] = [];
  readonly owners = new Set<string>();
  readonly gone = new Set<string>();
  count = 0;

  add(line: string): void {
    const [what, id = ''] = line.split(' ');
    if (what === 'group') {
      this.groups.push(id);
    } else if (what === 'owner') {
      this.owners.add(id);
    } else if (what === 'gone') {
      this.gone.add(id);
    } else if (what === 'count') {
      this.count = Math.max(this.count, Number(id));
    } else {
      throw new Error(`unknown line ${line}`);
    }
  }
}

/** Runs a writer, lets it acknowledge something, and ends it by `strike` at a moment of chance. */
async function crash(
  kind: string,
  address: string,
  run: number,
  seen: Acknowledged,
  strike: (kill: () => void) => void | Promise<void>,
): Promise<void> {
  const child = spawn(process.execPath, [childScript('store-writer'), kind, address, `r${run}`], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk) => void (output += String(chunk)));
  child.stderr.on('data', (chunk) => void (errors += String(chunk)));
  const closed = once(child, 'close');
  await Promise.race([once(child.stdout, 'data'), closed]);
  if (child.exitCode !== null) {
    throw new Error(`the writer ended by itself: ${errors}`);
  }
  await pause(Math.random() * 120);
  await strike(() => void child.kill('SIGKILL'));
  await closed;
  // The last line may be cut off: it was not acknowledged to anybody.
  for (const line of output.split('\n').slice(0, -1)) {
    seen.add(line);
  }
}

async function verify(store: Store, seen: Acknowledged): Promise<void> {
  const all = { limit: 10_000_000, offset: 0 };
  const parts = new Map<string, number>();
  for (const { body } of (await store.documents.list('crash', 'alert', all)).items) {
    parts.set(
      String(documentFields(body)['id']),
      (parts.get(String(documentFields(body)['id'])) ?? 0) + 1,
    );
  }
  expect(
    [...parts].filter(([, count]) => count !== 3),
    'half-written transactions',
  ).toEqual([]);
  expect(
    seen.groups.filter((id) => !parts.has(id)),
    'lost transactions',
  ).toEqual([]);

  const owners = new Set(
    (await store.documents.list('crash', 'dashboard', all)).items.map(({ id }) => id),
  );
  expect(
    [...seen.owners].filter((id) => !owners.has(id) && !removedPerhaps(id)),
    'lost documents',
  ).toEqual([]);
  expect(
    [...seen.gone].filter((id) => owners.has(id)),
    'removed documents that came back',
  ).toEqual([]);
  for (const source of ['one', 'two']) {
    const referrers = new Set(
      (await store.documents.referrers('crash', 'source', source)).map(({ id }) => id),
    );
    expect(
      referrers,
      'documents without their references, or references without their document',
    ).toEqual(owners);
  }

  const counter = await store.documents.get('crash', 'webhook', 'counter');
  expect(documentFields(counter?.body)['count'] ?? 0, 'lost changes').toBeGreaterThanOrEqual(
    seen.count,
  );
  if (counter) {
    expect(counter.version).toBe(Number(documentFields(counter.body)['count']) + 1);
  }
}

/**
 * Every third is removed right after; the kill may have come between the removal and its
 * acknowledgement.
 */
function removedPerhaps(id: string): boolean {
  return Number(id.split('-').at(-1)) % 3 === 0;
}

function expectWork(seen: Acknowledged): void {
  console.log(
    `acknowledged: ${seen.groups.length} transactions, ${seen.owners.size} documents, ` +
      `${seen.count} changes, ${seen.gone.size} removals`,
  );
  expect(Math.min(seen.groups.length, seen.owners.size, seen.count)).toBeGreaterThan(kills);
  expect(seen.gone.size).toBeGreaterThan(0);
}

// Both at once: each spends most of its time waiting for processes to start.
describe.concurrent('kill -9', () => {
  test('of a writer on SQLite: nothing acknowledged is lost, nothing is half-written', async () => {
    const path = join(data, 'meta.db');
    const seen = new Acknowledged();
    for (let run = 0; run < kills; run++) {
      await crash('sqlite', path, run, seen, (kill) => kill());
      const store = await openSqliteStore({ path });
      await verify(store, seen);
      await store.close();
    }
    expectWork(seen);
  });

  test.skipIf(postgresMissing())(
    'of a writer on PostgreSQL, and of the server: nothing acknowledged is lost, nothing is half-written',
    async () => {
      const peer = await startPostgres();
      const url = await peer.createDatabase();
      const seen = new Acknowledged();
      try {
        for (let run = 0; run < kills; run++) {
          const serverCrashes = run % 6 === 5;
          await crash('postgres', url, run, seen, async (kill) => {
            if (serverCrashes) {
              await peer.stop('immediate');
            }
            kill();
          });
          if (serverCrashes) {
            await peer.start();
          }
          const store = await openPostgresStore({ url });
          await verify(store, seen);
          await store.close();
        }
        expectWork(seen);
      } finally {
        await peer.remove();
      }
    },
  );
});
