import { expect } from 'vitest';
import { createIds } from '../../src/adapters/ambient/ids.ts';
import { createLog } from '../../src/adapters/ambient/log.ts';
import type { JsonObject } from '../../src/ports/store/document-store.ts';
import type { Store } from '../../src/ports/store/store.ts';
import { startTestApp } from '../kit/app.ts';
import type { TestTelemetry } from '../kit/telemetry.ts';
import { documentBody } from '../kit/document-body.ts';
import { insertWorkspace } from '../kit/workspace.ts';

export interface ManyOptions {
  engine: TestTelemetry;
  /** One for each evaluator: the same store, or connections of their own to one. */
  stores: Store[];
  clock: { nowMs: number };
  alerts: number;
  windows: number;
}

const firstMs = Date.parse('2026-03-14T12:01:05Z');

/**
 * Several evaluators at once over the same alerts, one of which dies in the middle; every window is
 * to be recorded by exactly one of them.
 */
export async function manyEvaluators({
  engine,
  stores,
  clock,
  alerts,
  windows,
}: ManyOptions): Promise<void> {
  clock.nowMs = firstMs;
  const ids = createIds({ now: () => clock.nowMs });
  const workspaceId = ids.object();
  await insertWorkspace(stores[0]!, workspaceId, engine.database);
  await define(stores[0]!, workspaceId, engine.database, alerts, ids);
  await engine.insert(
    'otel_logs',
    Array.from({ length: 2000 }, (_, index) => ({
      Timestamp: `2026-03-14 12:${String(Math.floor(index / 100)).padStart(2, '0')}:30`,
      ServiceName: `service-${index % 50}`,
      Body: 'x',
    })),
  );

  const recorded = new Map<string, number>();
  const byEvaluator = stores.map(() => 0);
  const evaluators: Awaited<ReturnType<typeof evaluator>>[] = [];
  for (const [index, store] of stores.entries()) {
    const counted = counting(store, (keys) => {
      byEvaluator[index]! += keys.length;
      for (const key of keys) {
        recorded.set(key, (recorded.get(key) ?? 0) + 1);
      }
    });
    evaluators.push(await evaluator(counted, `evaluator-${index}`, engine, clock));
  }

  for (let window = 0; window < windows; window++) {
    clock.nowMs = firstMs + window * 60_000;
    // The second look gives shards that were given back to whoever should have them.
    for (let look = 0; look < 3; look++) {
      await Promise.all(evaluators.map((one) => one.tick()));
      clock.nowMs += 6000;
    }
    if (window === Math.floor(windows / 2) && evaluators.length > 2) {
      await evaluators.pop()!.stop();
    }
  }
  await Promise.all(evaluators.map((one) => one.stop()));
  expect([...recorded.values()].filter((times) => times !== 1)).toEqual([]);
  expect(recorded.size).toBe(alerts * windows);
  for (const count of byEvaluator) {
    expect(count).toBeGreaterThan(0);
  }
}

async function define(
  store: Store,
  workspaceId: string,
  database: string,
  alerts: number,
  ids: ReturnType<typeof createIds>,
): Promise<void> {
  const sourceId = ids.object();
  const put = (kind: 'source' | 'savedSearch' | 'alert', id: string, body: JsonObject) =>
    store.documents.insert(workspaceId, { kind, id, body: documentBody(body) });
  await put('source', sourceId, {
    kind: 'log',
    name: 'Logs',
    from: { databaseName: database, tableName: 'otel_logs' },
    timestampValueExpression: 'Timestamp',
    bodyExpression: 'Body',
  });
  const searches = Array.from({ length: 100 }, () => ids.object());
  await Promise.all(
    searches.map((id, index) =>
      put('savedSearch', id, {
        name: 's',
        sourceId,
        where: `ServiceName:"service-${index}"`,
        whereLanguage: 'lucene',
        filters: [],
      }),
    ),
  );
  for (let start = 0; start < alerts; start += 100) {
    await Promise.all(
      Array.from({ length: Math.min(100, alerts - start) }, (_, offset) => start + offset).map(
        (index) =>
          put('alert', ids.object(), {
            name: `alert ${index}`,
            threshold: 1 + (index % 5),
            thresholdType: 'above',
            interval: '1m',
            source: 'search',
            savedSearchId: searches[index % 100]!,
            channels: [],
          }),
      ),
    );
  }
}

/** Tells of every (alert, window) after its transaction has committed. */
function counting(store: Store, onCommit: (keys: string[]) => void): Store {
  return {
    ...store,
    async transaction(work) {
      let keys: string[] = [];
      const value = await store.transaction((parts) =>
        work({
          ...parts,
          alerts: {
            ...parts.alerts,
            record: (written) => {
              keys = written.evaluations.map(
                ({ alertId, windowEndMs }) => `${alertId}/${windowEndMs}`,
              );
              return parts.alerts.record(written);
            },
            recordCalm: (windows) => {
              keys = windows.flatMap(({ windowEndMs, alerts }) =>
                alerts.map(([alertId]) => `${alertId}/${windowEndMs}`),
              );
              return parts.alerts.recordCalm(windows);
            },
          },
        }),
      );
      onCommit(keys);
      return value;
    },
  };
}

async function evaluator(
  store: Store,
  holder: string,
  { telemetry, database }: TestTelemetry,
  time: { nowMs: number },
): Promise<{ tick(): Promise<void>; stop(): Promise<void> }> {
  const { alerting, stop } = await startTestApp({
    folder: '',
    roles: ['alerts'],
    config: { clickhouseDatabase: database },
    log: createLog({ level: 'error', destination: process.stderr }),
    clock: { now: () => time.nowMs },
    holder,
    parts: {
      store,
      telemetry,
      sender: {
        send: () => Promise.reject(new Error('nothing is sent here')),
        close: async () => {},
      },
    },
    tuning: { ticksByHand: true },
  });
  return { tick: async () => alerting?.tick(), stop };
}
