import { describe, expect, it } from 'vitest';
import type {
  StoredEvaluation,
  HistoryLine,
  AlertProgress,
  OutboxEntry,
} from '../../src/ports/store/alert-store.ts';
import type { Store } from '../../src/ports/store/store.ts';
import type { MovableClock } from '../kit/store.ts';
import { documentBody } from '../kit/document-body.ts';

const workspaceId = 'a'.repeat(24);
const alertId = 'b'.repeat(24);

const progress = (change: Partial<AlertProgress> = {}): AlertProgress => ({
  workspaceId,
  alertId,
  shard: 3,
  intervalMs: 60_000,
  lastEndMs: 120_000,
  lineEndMs: 120_000,
  state: 'firing',
  lastValue: 1.5,
  lastEvaluatedAtMs: 125_000,
  groupBy: '',
  groups: '[]',
  executionErrors: [],
  deliveryErrors: [],
  ...change,
});
const line = (windowEndMs: number, change: Partial<HistoryLine> = {}): HistoryLine => ({
  ...evaluation(windowEndMs, change),
  calmBefore: 0,
  ...change,
});
const evaluation = (
  windowEndMs: number,
  change: Partial<StoredEvaluation> = {},
): StoredEvaluation => ({
  workspaceId,
  alertId,
  windowStartMs: windowEndMs - 60_000,
  windowEndMs,
  evaluatedAtMs: windowEndMs + 5000,
  state: 'inactive',
  value: 1,
  durationMs: 2.5,
  rowsRead: 10,
  reason: null,
  groups: null,
  skipped: 0,
  ...change,
});
const event = (eventId: string, change: Partial<OutboxEntry> = {}): OutboxEntry => ({
  workspaceId,
  alertId,
  shard: 3,
  eventId,
  webhookId: 'w',
  windowEndMs: 60_000,
  event: '{}',
  createdAtMs: 1,
  ...change,
});

/**
 * The alerting part of a store, the same on every database. In order: each case goes on from the
 * one before.
 */
export function alertStoreSuite(store: Store, clock: MovableClock): void {
  recordTests(store);
  deliveryTests(store);
  revisionTests(store, clock);
  newestTests(store);
  pageTests(store, clock);
  historyTests(store);
}

function recordTests(store: Store): void {
  describe('the record of an alert', () => {
    it('an alert that was never evaluated has no status', async () => {
      expect(await store.alerts.status(workspaceId, [alertId])).toEqual(new Map());
    });

    it('what is recorded is read again, by its own workspace only', async () => {
      await store.alerts.record({
        progress: [progress()],
        evaluations: [
          line(60_000),
          line(120_000, { value: null, state: 'firing', reason: 'breached', groups: '[1]' }),
        ],
        outbox: [event('e1')],
      });
      expect((await store.alerts.status(workspaceId, [alertId])).get(alertId)).toEqual({
        state: 'firing',
        executionErrors: [],
        lastEvaluatedAtMs: 125_000,
        lastValue: 1.5,
      });
      expect(
        await store.alerts.history(workspaceId, alertId, { limit: 10, beforeMs: 1e15 }),
      ).toEqual([
        evaluation(120_000, { value: null, state: 'firing', reason: 'breached', groups: '[1]' }),
        evaluation(60_000),
      ]);
      expect(
        await store.alerts.history(workspaceId, alertId, { limit: 10, beforeMs: 120_000 }),
      ).toHaveLength(1);
      expect(
        await store.alerts.history('f'.repeat(24), alertId, { limit: 10, beforeMs: 1e15 }),
      ).toEqual([]);
      expect(await store.alerts.status('f'.repeat(24), [alertId])).toEqual(new Map());
      expect(await store.alerts.progress([3])).toEqual([progress()]);
      expect(await store.alerts.progress([4])).toEqual([]);
    });

    it('a window recorded again has one row, the later; an event recorded again is not sent again', async () => {
      await store.alerts.recordMarks([
        {
          eventId: 'e1',
          webhookId: 'w',
          attempts: 1,
          outcome: 'delivered',
          nextAttemptMs: 0,
          error: null,
        },
      ]);
      expect(
        await store.alerts.record({
          progress: [progress({ state: 'inactive' })],
          evaluations: [line(120_000, { value: 7 })],
          outbox: [event('e1'), event('e1', { webhookId: 'w2' })],
        }),
      ).toEqual([event('e1', { webhookId: 'w2' })]);
      expect(
        (await store.alerts.history(workspaceId, alertId, { limit: 10, beforeMs: 1e15 })).map(
          ({ value }) => value,
        ),
      ).toEqual([7, 1]);
      expect(
        (await store.alerts.pending([3])).map(({ eventId, webhookId }) => [eventId, webhookId]),
      ).toEqual([['e1', 'w2']]);
    });

    it('what is settled stays settled', async () => {
      await store.alerts.recordMarks([
        {
          eventId: 'e1',
          webhookId: 'w',
          attempts: 1,
          outcome: 'pending',
          nextAttemptMs: 5,
          error: 'late news of another process',
        },
      ]);
      expect((await store.alerts.pending([3])).map(({ webhookId }) => webhookId)).toEqual(['w2']);
    });

    it('remembers which version of a webhook is gone', async () => {
      await store.alerts.disableWebhook('w9', 1);
      await store.alerts.disableWebhook('w9', 3);
      expect(await store.alerts.disabledWebhooks()).toEqual(new Map([['w9', 3]]));
    });

    it('nothing of a failed transaction stays', async () => {
      await expect(
        store.transaction(async (parts) => {
          await parts.alerts.record({
            progress: [progress({ lastValue: 99 })],
            evaluations: [line(180_000)],
            outbox: [event('e2')],
          });
          throw new Error('power cut');
        }),
      ).rejects.toThrow('power cut');
      expect((await store.alerts.progress([3]))[0]!.lastValue).toBe(1.5);
      expect(await store.alerts.pending([3])).toHaveLength(1);
    });

    it('errors of delivery and of evaluation do not overwrite each other', async () => {
      const delivery = { type: 'WEBHOOK_ERROR' as const, message: 'answered 500', sinceMs: 1 };
      const query = { type: 'QUERY_ERROR' as const, message: 'unknown column', sinceMs: 2 };
      await store.alerts.setDeliveryErrors(alertId, [delivery]);
      await store.alerts.record({
        progress: [progress({ executionErrors: [query] })],
        evaluations: [],
        outbox: [],
      });
      expect(
        (await store.alerts.status(workspaceId, [alertId])).get(alertId)!.executionErrors,
      ).toEqual([query, delivery]);
    });
  });
}

function deliveryTests(store: Store): void {
  describe('deliveries of an alert', () => {
    it('deliveries wait in the order of their windows', async () => {
      await store.alerts.record({
        progress: [],
        evaluations: [],
        outbox: [event('late', { windowEndMs: 300_000 }), event('early', { windowEndMs: 30_000 })],
      });
      await store.alerts.recordMarks([
        {
          eventId: 'late',
          webhookId: 'w',
          attempts: 2,
          outcome: 'pending',
          nextAttemptMs: 77,
          error: 'reset',
        },
      ]);
      expect(
        (await store.alerts.pending([1, 3])).map(({ eventId, attempts, nextAttemptMs }) => [
          eventId,
          attempts,
          nextAttemptMs,
        ]),
      ).toEqual([
        ['early', 0, 1],
        ['e1', 0, 1],
        ['late', 2, 77],
      ]);
    });

    it('those that wait are counted by webhook, of one workspace, the longest waiting first', async () => {
      const workspace = 'c'.repeat(24);
      const own = (eventId: string, webhookId: string, createdAtMs: number) =>
        event(eventId, { workspaceId: workspace, shard: 11, webhookId, createdAtMs });
      await store.alerts.record({
        progress: [],
        evaluations: [],
        outbox: [own('c1', 'w1', 30), own('c2', 'w1', 20), own('c3', 'w2', 10), own('c4', 'w3', 5)],
      });
      await store.alerts.recordMarks([
        {
          eventId: 'c4',
          webhookId: 'w3',
          attempts: 1,
          outcome: 'delivered',
          nextAttemptMs: 0,
          error: null,
        },
      ]);
      expect(await store.alerts.waiting(workspace)).toEqual([
        { webhookId: 'w2', count: 1, oldestMs: 10 },
        { webhookId: 'w1', count: 2, oldestMs: 20 },
      ]);
      expect(await store.alerts.waiting('d'.repeat(24))).toEqual([]);
    });

    it("each of many marks is its own delivery's, whatever became of it and whatever its error holds", async () => {
      const ids = ['taken', 'refused', 'later', 'untouched'];
      await store.alerts.record({
        progress: [],
        evaluations: [],
        outbox: ids.flatMap((id, index) =>
          ['w', 'v'].map((webhookId) => event(id, { shard: 9, webhookId, windowEndMs: index })),
        ),
      });
      await store.alerts.recordMarks([
        {
          eventId: 'taken',
          webhookId: 'w',
          attempts: 1,
          outcome: 'delivered',
          nextAttemptMs: 0,
          error: null,
        },
        {
          eventId: 'refused',
          webhookId: 'w',
          attempts: 8,
          outcome: 'failed',
          nextAttemptMs: 0,
          error: 'webhook "a\\b\'; -- \ud800 \0 🙂 (id): answered 500',
        },
        {
          eventId: 'later',
          webhookId: 'w',
          attempts: 3,
          outcome: 'pending',
          nextAttemptMs: 1e12 + 1,
          error: 'answered 503',
        },
        {
          eventId: 'unknown',
          webhookId: 'w',
          attempts: 1,
          outcome: 'delivered',
          nextAttemptMs: 0,
          error: null,
        },
      ]);
      await store.alerts.recordMarks([]);
      expect(
        (await store.alerts.pending([9]))
          .filter(({ webhookId }) => webhookId === 'w')
          .map(({ eventId, attempts, nextAttemptMs }) => [eventId, attempts, nextAttemptMs]),
      ).toEqual([
        ['later', 3, 1e12 + 1],
        ['untouched', 0, 1],
      ]);
      expect(
        (await store.alerts.pending([9])).filter(({ webhookId }) => webhookId === 'v'),
      ).toHaveLength(4);
    });

    it('of events written again only those that still wait are to be delivered', async () => {
      const again = ['taken', 'later', 'new'].map((id) => event(id, { shard: 9 }));
      expect(
        (await store.alerts.record({ progress: [], evaluations: [], outbox: again })).map(
          ({ eventId }) => eventId,
        ),
      ).toEqual(['later', 'new']);
      expect(
        (
          await store.alerts.record({
            progress: [],
            evaluations: [],
            outbox: [event('newer', { shard: 9 })],
          })
        ).map(({ eventId }) => eventId),
      ).toEqual(['newer']);
    });
  });
}

function revisionTests(store: Store, clock: MovableClock): void {
  describe('the revision', () => {
    it('knows who is alive, also after the clock was set back', async () => {
      expect(await store.alerts.heartbeat('one', 15_000)).toEqual(['one']);
      clock.nowMs += 10_000;
      expect(await store.alerts.heartbeat('two', 15_000)).toEqual(['one', 'two']);
      clock.nowMs += 10_000;
      expect(await store.alerts.heartbeat('two', 15_000)).toEqual(['two']);
      clock.nowMs -= 3_600_000;
      expect(await store.alerts.heartbeat('three', 15_000)).toEqual(['three']);
      await store.alerts.leave('three');
      expect(await store.alerts.heartbeat('four', 15_000)).toEqual(['four']);
      clock.nowMs += 3_600_000;
    });

    it('the revision moves with every change of a document that alerts are made from', async () => {
      const before = await store.alerts.documentRevision();
      const stored = await store.documents.insert(workspaceId, {
        kind: 'alert',
        id: alertId,
        body: documentBody({ name: 'x' }),
      });
      const inserted = await store.alerts.documentRevision();
      clock.nowMs += 5;
      await store.documents.update(workspaceId, 'alert', alertId, stored.version, {
        body: documentBody({ name: 'y' }),
      });
      const updated = await store.alerts.documentRevision();
      expect(inserted).not.toEqual(before);
      expect(updated).not.toEqual(inserted);
      expect(
        (await store.alerts.documentsChangedSince(clock.nowMs)).map(({ body }) => body),
      ).toEqual([{ name: 'y' }]);
      expect(await store.alerts.documentStamps()).toEqual([
        { kind: 'alert', id: alertId, version: 2 },
      ]);
      await store.documents.remove(workspaceId, 'alert', alertId);
      expect((await store.alerts.documentRevision()).count).toBe(before.count);
    });

    it('the revision is what the documents add up to, whatever became of them', async () => {
      const { documents, alerts } = store;
      const id = (number: number): string => String(number).padStart(24, '9');
      const addsUp = async () => {
        const stamps = await alerts.documentStamps();
        expect(await alerts.documentRevision()).toMatchObject({
          count: stamps.length,
          versions: stamps.reduce((sum, { version }) => sum + version, 0),
        });
        return stamps.length;
      };
      const before = await addsUp();
      for (const [number, kind] of (
        ['alert', 'dashboard', 'savedSearch', 'source', 'webhook', 'pipe'] as const
      ).entries()) {
        await documents.insert(workspaceId, { kind, id: id(number), body: documentBody() });
      }
      expect(await addsUp()).toBe(before + 5);
      await expect(
        documents.insert(workspaceId, { kind: 'alert', id: id(0), body: documentBody() }),
      ).rejects.toMatchObject({ code: 'conflict' });
      await documents.update(workspaceId, 'source', id(3), 1, {
        body: documentBody({ name: 'x' }),
      });
      expect(
        await documents.update(workspaceId, 'source', id(3), 1, {
          body: documentBody({ name: 'too late' }),
        }),
      ).toBeUndefined();
      await documents.update(workspaceId, 'pipe', id(5), 1, { body: documentBody({ name: 'x' }) });
      await expect(
        store.transaction(async (parts) => {
          await parts.documents.insert(workspaceId, {
            kind: 'alert',
            id: id(7),
            body: documentBody(),
          });
          await parts.documents.remove(workspaceId, 'alert', id(0));
          throw new Error('undone');
        }),
      ).rejects.toThrow('undone');
      expect(await addsUp()).toBe(before + 5);
      const { latestMs } = await alerts.documentRevision();
      for (const [number, kind] of (
        ['alert', 'dashboard', 'savedSearch', 'source', 'webhook', 'pipe'] as const
      ).entries()) {
        await documents.remove(workspaceId, kind, id(number));
      }
      expect(await addsUp()).toBe(before);
      expect(latestMs).toBeGreaterThan(0);
    });
  });
}

function newestTests(store: Store): void {
  describe('the newest values', () => {
    it('the newest calm value is found among thousands, whatever the order and number of scans', async () => {
      const id = (number: number): string => `e${number.toString(16).padStart(23, '0')}`;
      const numbers = Array.from({ length: 2000 }, (_, index) => (index * 777) % 2000);
      await store.alerts.record({
        progress: numbers.map((number) =>
          progress({
            alertId: id(number),
            shard: 7,
            state: 'inactive',
            lastEndMs: 60_000,
            lineEndMs: 60_000,
          }),
        ),
        evaluations: [],
        outbox: [],
      });
      for (const window of [2, 3]) {
        // Two scans of one window, with ids of each between those of the other.
        for (const scan of [0, 1]) {
          await store.alerts.recordCalm([
            {
              shard: 7,
              intervalMs: 60_000,
              windowEndMs: window * 60_000,
              evaluatedAtMs: window,
              durationMs: 1,
              rowsRead: 1,
              alerts: numbers
                .filter((number) => number % 2 === scan && (window === 2 || number % 3 !== 0))
                .map((number) => [id(number), number * window]),
            },
          ]);
        }
      }
      const statuses = await store.alerts.status(workspaceId, numbers.map(id));
      for (const number of numbers) {
        expect([number, statuses.get(id(number))?.lastValue]).toEqual([
          number,
          number * (number % 3 === 0 ? 2 : 3),
        ]);
      }
      await store.alerts.forget(numbers.map(id));
    });

    it('a page of alerts shows the newest value of each: stopped, failed, firing or waiting', async () => {
      const id = (number: number): string => `f${number.toString(16).padStart(23, '0')}`;
      const error = { type: 'QUERY_ERROR' as const, message: 'away', sinceMs: 1 };
      const numbers = Array.from({ length: 600 }, (_, index) => index);
      const calm = (shard: number, window: number, alertNumbers: number[]) =>
        store.alerts.recordCalm([
          {
            shard,
            intervalMs: 60_000,
            windowEndMs: window * 60_000,
            evaluatedAtMs: window,
            durationMs: 1,
            rowsRead: 1,
            alerts: alertNumbers.map((number) => [
              id(number),
              number % 3 === 0 ? null : number * window,
            ]),
          },
        ]);
      await store.alerts.record({
        progress: numbers.map((number) =>
          progress({
            alertId: id(number),
            shard: number % 2,
            state: number === 5 ? 'firing' : 'inactive',
            lastEndMs: 600_000,
            lineEndMs: 600_000,
            lastValue: -1,
            executionErrors: number === 6 ? [error] : [],
          }),
        ),
        evaluations: [],
        outbox: [],
      });
      for (const shard of [0, 1]) {
        const own = numbers.filter(
          (number) => number % 2 === shard && number !== 5 && number !== 6 && number !== 7,
        );
        await calm(shard, 11, own);
        await calm(
          shard,
          12,
          own.filter((number) => number < 100 || number > 120),
        );
        for (let window = 13; window <= 20; window++) {
          await calm(
            shard,
            window,
            own.filter((number) => number > 40 && (number < 100 || number > 120)),
          );
        }
      }
      const lastWindow = (number: number): number => {
        if (number >= 100 && number <= 120) {
          return 11;
        }
        return number <= 40 ? 12 : 20;
      };
      const expected = (number: number): number | null => {
        if (number >= 5 && number <= 7) {
          return -1;
        }
        return number % 3 === 0 ? null : number * lastWindow(number);
      };
      const statuses = await store.alerts.status(workspaceId, numbers.map(id));
      for (const number of numbers) {
        expect([number, statuses.get(id(number))!.lastValue]).toEqual([number, expected(number)]);
      }
      for (const number of [3, 5, 6, 7, 40, 41, 110, 121]) {
        expect([
          number,
          (await store.alerts.status(workspaceId, [id(number)])).get(id(number))!.lastValue,
        ]).toEqual([number, expected(number)]);
      }
      await store.alerts.forget(numbers.map(id));
    });
  });
}

function pageTests(store: Store, clock: MovableClock): void {
  describe('documents in pages, and what goes', () => {
    it('documents are read in pages, each once, however many and of however many kinds', async () => {
      const id = (number: number): string => number.toString(16).padStart(24, '0');
      const before = (await store.alerts.documentStamps()).length;
      await store.transaction(async ({ documents }) => {
        for (let number = 0; number < 1300; number++) {
          for (const kind of ['alert', 'savedSearch', 'pipe'] as const) {
            await documents.insert(number % 2 === 0 ? workspaceId : 'f'.repeat(24), {
              kind,
              id: id(number),
              body: documentBody({ number }),
            });
          }
        }
      });
      const read = (await store.alerts.documentsChangedSince(0)).filter(
        ({ body }) => 'number' in body,
      );
      expect(
        new Set(read.map(({ workspaceId: owner, kind, id: one }) => `${owner} ${kind} ${one}`))
          .size,
      ).toBe(2600);
      expect(read).toHaveLength(2600);
      expect(await store.alerts.documentStamps()).toHaveLength(before + 2600);
      await store.transaction(async ({ documents }) => {
        for (let number = 0; number < 1300; number++) {
          for (const kind of ['alert', 'savedSearch', 'pipe'] as const) {
            await documents.remove(
              number % 2 === 0 ? workspaceId : 'f'.repeat(24),
              kind,
              id(number),
            );
          }
        }
      });
    });

    it('what is too old goes, and everything of an alert that is gone', async () => {
      await store.alerts.sweepBefore({ evaluationsMs: 120_000, deliveriesMs: clock.nowMs + 1 });
      expect(
        (await store.alerts.history(workspaceId, alertId, { limit: 10, beforeMs: 1e15 })).map(
          ({ windowEndMs }) => windowEndMs,
        ),
      ).toEqual([120_000]);
      await store.alerts.forget([alertId]);
      expect(
        await store.alerts.history(workspaceId, alertId, { limit: 10, beforeMs: 1e15 }),
      ).toEqual([]);
      expect(await store.alerts.pending([3])).toEqual([]);
    });
  });
}

function historyTests(store: Store): void {
  describe('the history', () => {
    it('calm windows stand in the history between the lines, in pages, are counted, and are progress', async () => {
      const id = 'c'.repeat(24);
      const other = 'd'.repeat(24);
      const historyLine = (windowEndMs: number, change: Partial<HistoryLine> = {}): HistoryLine =>
        line(windowEndMs, { alertId: id, ...change });
      const calm = (windowEndMs: number, value: number | null) => ({
        shard: 5,
        intervalMs: 60_000,
        windowEndMs,
        evaluatedAtMs: windowEndMs + 5000,
        durationMs: 2.5,
        rowsRead: 10,
        alerts: [
          [other, 7],
          [id, value],
        ] as [string, number | null][],
      });
      await store.alerts.record({
        progress: [
          progress({
            alertId: id,
            shard: 5,
            state: 'inactive',
            lastEndMs: 60_000,
            lineEndMs: 60_000,
          }),
        ],
        evaluations: [historyLine(60_000)],
        outbox: [],
      });
      for (const [end, value] of [
        [120_000, 0.5],
        [180_000, null],
      ] as const) {
        await store.alerts.recordCalm([calm(end, value)]);
      }
      expect(
        (await store.alerts.progress([5])).find(({ alertId: one }) => one === id),
      ).toMatchObject({
        lastEndMs: 180_000,
        lineEndMs: 60_000,
        lastValue: null,
        lastEvaluatedAtMs: 185_000,
      });
      expect((await store.alerts.status(workspaceId, [id])).get(id)).toEqual({
        state: 'inactive',
        executionErrors: [],
        lastEvaluatedAtMs: 185_000,
        lastValue: null,
      });
      await store.alerts.record({
        progress: [
          progress({
            alertId: id,
            shard: 5,
            state: 'firing',
            lastEndMs: 240_000,
            lineEndMs: 240_000,
          }),
        ],
        evaluations: [historyLine(240_000, { state: 'firing', reason: 'breached', calmBefore: 2 })],
        outbox: [],
      });
      await store.alerts.record({
        progress: [
          progress({
            alertId: id,
            shard: 5,
            state: 'inactive',
            lastEndMs: 300_000,
            lineEndMs: 300_000,
          }),
        ],
        evaluations: [historyLine(300_000, { reason: 'recovered' })],
        outbox: [],
      });
      await store.alerts.recordCalm([calm(360_000, 3)]);
      const all = await store.alerts.history(workspaceId, id, { limit: 10, beforeMs: 1e15 });
      expect(
        all.map(({ windowEndMs, state, value }) => [windowEndMs / 60_000, state, value]),
      ).toEqual([
        [6, 'inactive', 3],
        [5, 'inactive', 1],
        [4, 'firing', 1],
        [3, 'inactive', null],
        [2, 'inactive', 0.5],
        [1, 'inactive', 1],
      ]);
      expect(all[0]).toEqual(evaluation(360_000, { alertId: id, value: 3 }));
      expect(await store.alerts.history(workspaceId, id, { limit: 2, beforeMs: 240_000 })).toEqual(
        all.slice(3, 5),
      );
      expect(await store.alerts.historyCount(workspaceId, id)).toBe(6);
      expect((await store.alerts.status(workspaceId, [id, other])).get(id)!.lastValue).toBe(3);
      expect(await store.alerts.history('f'.repeat(24), id, { limit: 10, beforeMs: 1e15 })).toEqual(
        [],
      );
      await store.alerts.sweepBefore({ evaluationsMs: 240_000, deliveriesMs: 0 });
      expect(await store.alerts.history(workspaceId, id, { limit: 10, beforeMs: 1e15 })).toEqual(
        all.slice(0, 3),
      );
    });

    it('ten thousand alerts are recorded in far less than a second', async () => {
      const ids = Array.from({ length: 10_000 }, (_, index) =>
        index.toString(16).padStart(24, '0'),
      );
      const started = performance.now();
      await store.alerts.record({
        progress: ids.map((id) => progress({ alertId: id })),
        evaluations: ids.map((id) => line(60_000, { alertId: id })),
        outbox: [],
      });
      const elapsed = performance.now() - started;
      console.log(`10k alerts recorded in ${Math.round(elapsed)} ms`);
      expect(await store.alerts.progress([3])).toHaveLength(10_000);
    });
  });
}
