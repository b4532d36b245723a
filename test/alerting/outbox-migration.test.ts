import Database from 'libsql';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openSqliteStore } from '../../src/adapters/store/drivers/sqlite.ts';
import type { OutboxEntry } from '../../src/ports/store/alert-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'sightline-outbox-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const event = (eventId: string, windowEndMs: number): OutboxEntry => ({
  workspaceId: 'a'.repeat(24),
  alertId: 'b'.repeat(24),
  shard: 3,
  eventId,
  webhookId: 'w',
  windowEndMs,
  event: `{"id":"${eventId}"}`,
  createdAtMs: 1,
});

it('the migration of the outbox keeps pending deliveries pending and settled ones settled', async () => {
  const path = join(folder, 'metadata.db');
  const store = await openSqliteStore({ path });
  await store.alerts.record({
    progress: [],
    evaluations: [],
    outbox: [event('e3', 300), event('e1', 100), event('e2', 200)],
  });
  await store.alerts.recordMarks([
    {
      eventId: 'e2',
      webhookId: 'w',
      attempts: 1,
      outcome: 'delivered',
      nextAttemptMs: 0,
      error: null,
    },
  ]);
  const waiting = await store.alerts.pending([3]);
  await store.close();
  asBefore(path);

  const again = await openSqliteStore({ path });
  expect(waiting.map(({ eventId }) => eventId)).toEqual(['e1', 'e3']);
  expect(await again.alerts.pending([3])).toEqual(waiting);
  expect(
    await again.alerts.record({
      progress: [],
      evaluations: [],
      outbox: [event('e2', 200), event('e3', 300)],
    }),
  ).toEqual([event('e3', 300)]);
  await again.close();
});

/** Rows in the order of their key, as the first version had them. */
function asBefore(path: string): void {
  const database = new Database(path);
  database.exec('alter table alert_outbox drop column attempt_log');
  const { sql } = database
    .prepare(`select sql from sqlite_master where name = 'alert_outbox'`)
    .get() as { sql: string };
  expect(sql).not.toMatch(/without rowid/i);
  database.exec(
    `alter table alert_outbox rename to moved; ${sql} without rowid; ` +
      'insert into alert_outbox select * from moved; drop table moved',
  );
  for (const [name, on] of [
    ['pending', `(shard, window_end_ms) where status = 'pending'`],
    ['by_alert', '(alert_id)'],
    ['settled', '(settled_ms) where settled_ms is not null'],
  ]) {
    database.exec(`create index alert_outbox_${name} on alert_outbox ${on}`);
  }
  database.exec(`delete from migrations where name in ('outbox-1', 'outbox-2')`);
  database.close();
}
