import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSqliteStore } from '../../src/adapters/store/drivers/sqlite.ts';
import type { WebhookEvent } from '../../src/contract/webhook/webhook-event.ts';
import { childScript } from '../kit/child-script.ts';
import { insertWorkspace } from '../kit/workspace.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../kit/webhook-receiver.ts';

/** Alerts whose data alternates, so that every window is a transition. */
const alertIds = ['1', '2', '3'].map((digit) => digit.repeat(24));
const workspaceId = 'a'.repeat(24);
const firstMs = Date.parse('2026-03-14T12:01:05Z');
const lastMs = firstMs + 5 * 60_000;
const points = ['lease', 'query', 'state', 'outbox', 'commit', 'send', '2xx', 'mark'];

let receiver: WebhookReceiver;
let prepared: string;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
  prepared = mkdtempSync(join(tmpdir(), 'sightline-crash-'));
  await prepare(prepared);
});
afterAll(async () => {
  await receiver.close();
  rmSync(prepared, { recursive: true });
});

/**
 * A folder with a store, an engine and telemetry, as the first worker finds it. Made in a process
 * of its own: an engine belongs to one.
 */
async function prepare(folder: string): Promise<void> {
  writeFileSync(join(folder, 'clock'), String(firstMs));
  const clock = { now: () => firstMs };
  const store = await openSqliteStore({ path: join(folder, 'metadata.db'), clock });
  await insertWorkspace(store, workspaceId, 'sightline');
  const put = (kind: 'source' | 'savedSearch' | 'webhook' | 'alert', id: string, body: object) =>
    store.documents.insert(workspaceId, { kind, id, body: body as never });
  await put('source', 'c'.repeat(24), {
    kind: 'log',
    name: 'Logs',
    from: { databaseName: 'sightline', tableName: 'otel_logs' },
    timestampValueExpression: 'Timestamp',
    bodyExpression: 'Body',
  });
  await put('webhook', 'e'.repeat(24), { name: 'on-call', service: 'generic', url: receiver.url });
  for (const [index, id] of alertIds.entries()) {
    await put('savedSearch', `d${String(index).repeat(23)}`, {
      name: 's',
      sourceId: 'c'.repeat(24),
      where: `ServiceName:"service-${index}"`,
      whereLanguage: 'lucene',
      filters: [],
    });
    await put('alert', id, {
      name: `alert ${index}`,
      threshold: 1,
      thresholdType: 'above',
      interval: '1m',
      source: 'search',
      savedSearchId: `d${String(index).repeat(23)}`,
      channel: { type: 'webhook', webhookId: 'e'.repeat(24) },
    });
  }
  await store.close();
  await run('alerting-telemetry', [folder]);
}

/** Runs a script to its end; its exit code, or the signal that ended it. */
function run(
  script: Parameters<typeof childScript>[0],
  args: string[],
): Promise<string | number | null> {
  const child = spawn(process.execPath, [childScript(script), ...args], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return new Promise((resolve) =>
    child.on('exit', (code, signal) => {
      resolve(signal ?? code);
    }),
  );
}

describe.each(points)('kill -9 at: %s', (point) => {
  it.each([1, 2, 3, 4, 5])(
    'kill %i: each window is recorded once, each transition delivered; without repeats nothing differs',
    async (nth) => {
      const folder = mkdtempSync(join(tmpdir(), 'sightline-crash-'));
      receiver.received.length = 0;
      cpSync(prepared, folder, { recursive: true });
      expect(await run('alerting-worker', [folder, point, String(nth), String(lastMs)])).toBe(
        'SIGKILL',
      );
      expect(await run('alerting-worker', [folder, '', '0', String(lastMs)])).toBe(0);

      const store = await openSqliteStore({ path: join(folder, 'metadata.db') });
      for (const alertId of alertIds) {
        const windows = (
          await store.alerts.history(workspaceId, alertId, {
            limit: 100,
            beforeMs: Number.MAX_SAFE_INTEGER,
          })
        ).toReversed();
        expect(
          windows.map(
            ({ windowEndMs, state }) =>
              `${new Date(windowEndMs).toISOString().slice(11, 16)} ${state}`,
          ),
        ).toEqual([
          '12:01 firing',
          '12:02 inactive',
          '12:03 firing',
          '12:04 inactive',
          '12:05 firing',
          '12:06 inactive',
        ]);
      }
      expect(await store.alerts.pending(Array.from({ length: 16 }, (_, shard) => shard))).toEqual(
        [],
      );
      await store.close();

      const events = receiver.received.map(({ json }) => json as WebhookEvent);
      const once = new Map(
        events.map((event) => [
          event.id,
          `${event.data.alert.id[0]} ${event.data.window.end.slice(11, 16)} ${event.data.state}`,
        ]),
      );
      expect([...once.values()].sort()).toEqual(
        alertIds
          .flatMap(([digit]) =>
            [
              '12:01 firing',
              '12:02 inactive',
              '12:03 firing',
              '12:04 inactive',
              '12:05 firing',
              '12:06 inactive',
            ].map((line) => `${digit} ${line}`),
          )
          .sort(),
      );
      for (const alertId of alertIds) {
        const heard = events
          .filter(({ data }) => data.alert.id === alertId)
          .map(({ data }) => data.window.end);
        expect(heard).toEqual(heard.toSorted());
      }
      rmSync(folder, { recursive: true, force: true });
    },
  );
});
