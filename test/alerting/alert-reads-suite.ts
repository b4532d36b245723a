import { describe, expect, it } from 'vitest';
import type {
  AlertProgress,
  CalmWindow,
  DeliveryMark,
  HistoryLine,
  OutboxEntry,
  StoredAttempt,
  StoredDelivery,
} from '../../src/ports/store/alert-store.ts';
import type { Store } from '../../src/ports/store/store.ts';
import { documentBody } from '../kit/document-body.ts';
import { shortestLongTurnMs } from '../kit/event-loop.ts';
import { seeded } from '../kit/random-input.ts';

const workspaceId = 'a1'.repeat(12);
const minuteMs = 60_000;
/** Stands for the number of calm windows after a gap, which is none. */
const afterGap = 1000;

/** What callers read of alerts, the same on every database. */
export function alertReadsSuite(store: Store): void {
  recentTests(store);
  lastEvaluationTests(store);
  deliveryTests(store);
  tagTests(store);
}

function recentTests(store: Store): void {
  describe('the last evaluations of many alerts', () => {
    it.each([1, 2, 3])(
      'are the beginning of each history, however windows were recorded (seed %i)',
      async (seed) => {
        const random = seeded(seed);
        const ids = Array.from(
          { length: 40 },
          (_, index) => `${seed}${index.toString(16).padStart(23, '0')}`,
        );
        await recordRandomly(store, ids, random);
        for (const limit of [1, 2, 20, 100]) {
          const recent = await store.alerts.recent(workspaceId, ids, limit);
          for (const id of ids) {
            const page = { limit, beforeMs: Number.MAX_SAFE_INTEGER };
            const history = await store.alerts.history(workspaceId, id, page);
            expect(recent.get(id)).toEqual(history.map((line) => ({ ...line, groups: null })));
          }
        }
        expect(await store.alerts.recent('f'.repeat(24), ids, 5)).toEqual(new Map());
        await store.alerts.forget(ids);
      },
    );

    it('are none of an alert that was never evaluated, and of no alert', async () => {
      expect(await store.alerts.recent(workspaceId, ['b'.repeat(24)], 5)).toEqual(new Map());
      expect(await store.alerts.recent(workspaceId, [], 5)).toEqual(new Map());
    });
  });
}

/** Lines of their own, runs of calm windows and gaps, as the recorder writes them. */
async function recordRandomly(
  store: Store,
  ids: readonly string[],
  random: () => number,
): Promise<void> {
  const calmSince = new Map(ids.map((id) => [id, 0]));
  for (let window = 1; window <= 90; window++) {
    const windowEndMs = window * minuteMs;
    const lines: HistoryLine[] = [];
    const calm = new Map<number, [string, number | null][]>();
    for (const [index, id] of ids.entries()) {
      const since = calmSince.get(id) ?? 0;
      const isCalm = window > 1 && since < 30 && random() < 0.85;
      if (isCalm) {
        const value = random() < 0.2 ? null : window;
        calm.set(index % 2, [...(calm.get(index % 2) ?? []), [id, value]]);
        calmSince.set(id, since + 1);
        continue;
      }
      const skipped = window > 1 && random() < 0.1 ? 2 : 0;
      lines.push(lineOf(id, windowEndMs, skipped, since));
      calmSince.set(id, 0);
    }
    const progress = lines.map(({ alertId }) =>
      progressOf(alertId, ids.indexOf(alertId) % 2, windowEndMs),
    );
    await store.alerts.record({ progress, evaluations: lines, outbox: [] });
    await store.alerts.recordCalm(
      [...calm].map(([shard, alerts]) => calmOf(shard, window, alerts)),
    );
    // After a gap, the next window has a line of its own.
    for (const { alertId, skipped } of lines) {
      if (skipped > 0) {
        calmSince.set(alertId, afterGap);
      }
    }
  }
}

const lineOf = (
  alertId: string,
  windowEndMs: number,
  skipped: number,
  calmBefore: number,
): HistoryLine => ({
  workspaceId,
  alertId,
  windowStartMs: windowEndMs - minuteMs,
  windowEndMs,
  evaluatedAtMs: windowEndMs + 5000,
  state: 'inactive',
  value: 1,
  durationMs: 2.5,
  rowsRead: 10,
  reason: skipped > 0 ? 'skipped' : null,
  groups: '[]',
  skipped,
  calmBefore: calmBefore === afterGap ? 0 : calmBefore,
});

const progressOf = (alertId: string, shard: number, lastEndMs: number): AlertProgress => ({
  workspaceId,
  alertId,
  shard,
  intervalMs: minuteMs,
  lastEndMs,
  lineEndMs: lastEndMs,
  state: 'inactive',
  lastValue: 1,
  lastEvaluatedAtMs: lastEndMs + 5000,
  groupBy: '',
  groups: '[]',
  executionErrors: [],
  deliveryErrors: [],
});

const calmOf = (
  shard: number,
  window: number,
  alerts: readonly [string, number | null][],
): CalmWindow => ({
  shard,
  intervalMs: minuteMs,
  windowEndMs: window * minuteMs,
  evaluatedAtMs: window * minuteMs + 5000,
  durationMs: 2.5,
  rowsRead: 10,
  alerts,
});

function lastEvaluationTests(store: Store): void {
  describe('the last evaluation of every alert of a workspace', () => {
    const error = (message: string) => ({ type: 'QUERY_ERROR' as const, message, sinceMs: 7 });
    const insert = (id: string, workspace = workspaceId, interval = '1m') =>
      store.documents.insert(workspace, { kind: 'alert', id, body: documentBody({ interval }) });
    const remove = async (ids: readonly string[]) => {
      for (const id of ids) {
        await store.documents.remove(workspaceId, 'alert', id);
      }
      await store.alerts.forget(ids);
    };

    it.each([4, 5])(
      'is that of its status, however windows were recorded (seed %i)',
      async (seed) => {
        const ids = Array.from(
          { length: 40 },
          (_, index) => `${seed}${index.toString(16).padStart(23, '0')}`,
        );
        await recordRandomly(store, ids, seeded(seed));
        await Promise.all(ids.map((id) => insert(id)));
        const evaluations = await store.alerts.evaluations(workspaceId);
        const statuses = await store.alerts.status(workspaceId, ids);
        expect(evaluations.map(({ id, evaluatedAtMs }) => [id, evaluatedAtMs])).toEqual(
          ids.map((id) => [id, statuses.get(id)?.lastEvaluatedAtMs]),
        );
        await remove(ids);
      },
    );

    it('has the first error, the alert if it changed later, and nothing of another workspace', async () => {
      const [never, broken, unsent, changed, theirs] = ['1', '2', '3', '4', '5'].map((digit) =>
        digit.repeat(24),
      ) as [string, string, string, string, string];
      await Promise.all([never, broken, unsent].map((id) => insert(id)));
      const before = await insert(changed, workspaceId, '5m');
      await insert(theirs, 'a2'.repeat(12));
      const lateMs = before.updatedAtMs + 3_600_000;
      const progress = (alertId: string, change: Partial<AlertProgress>) => ({
        ...progressOf(alertId, 9, lateMs),
        state: 'firing' as const,
        ...change,
      });
      await store.alerts.record({
        progress: [
          progress(broken, { executionErrors: [error('first'), error('second')] }),
          progress(unsent, {}),
          progress(changed, { lastEvaluatedAtMs: before.updatedAtMs - 1 }),
          progress(theirs, { workspaceId: 'a2'.repeat(12) }),
        ],
        evaluations: [],
        outbox: [],
      });
      await store.alerts.setDeliveryErrors(unsent, [error('not sent')]);
      const evaluatedAtMs = lateMs + 5000;
      const all = await store.alerts.evaluations(workspaceId);
      expect(all.map(({ id, changed }) => [id, changed?.interval])).toEqual([
        [never, '1m'],
        [broken, undefined],
        [unsent, undefined],
        [changed, '5m'],
      ]);
      expect(all).toMatchObject([
        { id: never, evaluatedAtMs: null, intervalMs: null, error: null },
        { id: broken, evaluatedAtMs, intervalMs: minuteMs, error: error('first') },
        { id: unsent, evaluatedAtMs, intervalMs: minuteMs, error: error('not sent') },
        { id: changed, evaluatedAtMs: before.updatedAtMs - 1, intervalMs: minuteMs, error: null },
      ]);
      expect(all[3]?.updatedAtMs).toBe(before.updatedAtMs);
      await store.documents.remove('a2'.repeat(12), 'alert', theirs);
      await store.alerts.forget([theirs]);
      await remove([never, broken, unsent, changed]);
    });

    it('of ten thousand is read without a turn of 50 ms', async () => {
      const ids = Array.from(
        { length: 10_000 },
        (_, index) => `6${index.toString(16).padStart(23, '0')}`,
      );
      await store.transaction(async ({ documents }) => {
        const body = { interval: '1m', message: 'x'.repeat(400) };
        for (const id of ids) {
          await documents.insert(workspaceId, { kind: 'alert', id, body: documentBody(body) });
        }
      });
      const shards = Array.from({ length: 16 }, (_, shard) => shard);
      await store.alerts.record({
        progress: ids.map((id, index) => progressOf(id, index % 16, minuteMs)),
        evaluations: [],
        outbox: [],
      });
      await store.alerts.recordCalm(
        shards.map((shard) =>
          calmOf(
            shard,
            2,
            ids.filter((_, index) => index % 16 === shard).map((id) => [id, 1]),
          ),
        ),
      );
      const read = async () => {
        const evaluations = await store.alerts.evaluations(workspaceId);
        expect(evaluations).toHaveLength(ids.length);
        expect(new Set(evaluations.map(({ evaluatedAtMs }) => evaluatedAtMs))).toEqual(
          new Set([2 * minuteMs + 5000]),
        );
      };
      await read();
      expect(await shortestLongTurnMs(read, 50)).toBeLessThan(50);
    });
  });
}

function deliveryTests(store: Store): void {
  describe('the deliveries of an alert and of a webhook', () => {
    const owner = 'e1'.repeat(12);
    const ids = { alert: 'e2'.repeat(12), other: 'e3'.repeat(12) };
    const webhooks = ['e4'.repeat(12), 'e5'.repeat(12)] as const;
    const entry = (number: number, change: Partial<OutboxEntry> = {}): OutboxEntry => ({
      workspaceId: owner,
      alertId: ids.alert,
      shard: 4,
      eventId: `evt_${number.toString(16).padStart(32, '0')}`,
      webhookId: webhooks[0],
      windowEndMs: number * minuteMs,
      event: `{"n":${number}}`,
      // Three share a time, so that pages have to look at the ids, too.
      createdAtMs: 1000 + Math.floor(number / 3),
      ...change,
    });
    const attempt = (change: Partial<StoredAttempt> = {}): StoredAttempt => ({
      atMs: 5000,
      status: 500,
      elapsedMs: 12.5,
      body: 'no "room"\n\0 \ud800 🙂',
      error: 'returned 500',
      ...change,
    });
    const mark = (number: number, change: Partial<DeliveryMark>): DeliveryMark => ({
      eventId: entry(number).eventId,
      webhookId: webhooks[0],
      attempts: 1,
      outcome: 'pending',
      nextAttemptMs: 9000,
      error: 'returned 500',
      ...change,
    });

    it('keep every attempt, whatever the receiver responds', async () => {
      await store.alerts.record({ progress: [], evaluations: [], outbox: [entry(1), entry(2)] });
      await store.alerts.recordMarks([mark(1, { attempt: attempt() })]);
      const taken = attempt({ atMs: 6000, status: 200, body: null, error: null });
      await store.alerts.recordMarks([
        mark(1, { attempts: 2, outcome: 'delivered', error: null, attempt: taken }),
        mark(2, { outcome: 'failed', error: 'the webhook does not exist' }),
      ]);
      const page = { limit: 10, after: undefined };
      const [second, first] = await store.alerts.deliveries(owner, { alertId: ids.alert }, page);
      expect(first).toMatchObject({
        eventId: entry(1).eventId,
        event: '{"n":1}',
        status: 'delivered',
        attemptCount: 2,
        attempts: [attempt({ body: 'no "room"\n\uFFFD \uFFFD 🙂' }), taken],
        error: null,
        settledMs: expect.any(Number) as number,
      });
      expect(second).toMatchObject({ status: 'failed', attempts: [], attemptCount: 1 });
      expect(await store.alerts.deliveries('f'.repeat(24), { alertId: ids.alert }, page)).toEqual(
        [],
      );
    });

    it('come in pages, newest first, each once', async () => {
      const outbox = Array.from({ length: 20 }, (_, index) =>
        entry(index + 10, { webhookId: webhooks[index % 2]! }),
      );
      outbox.push(entry(40, { alertId: ids.other, webhookId: webhooks[1] }));
      await store.alerts.record({ progress: [], evaluations: [], outbox });
      for (const of of [{ alertId: ids.alert }, { webhookId: webhooks[1] }]) {
        const all = await store.alerts.deliveries(owner, of, { limit: 100, after: undefined });
        expect(all).toHaveLength('alertId' in of ? 22 : 11);
        const times = all.map(({ createdAtMs }) => createdAtMs);
        expect(times).toEqual(times.toSorted((a, b) => b - a));
        const paged: StoredDelivery[] = [];
        for (let more = true; more;) {
          const next = await store.alerts.deliveries(owner, of, { limit: 4, after: paged.at(-1) });
          paged.push(...next);
          more = next.length === 4;
        }
        expect(paged).toEqual(all);
      }
    });

    it('of an alert with many, the oldest settled ones go; those that wait stay', async () => {
      const of = { alertId: ids.alert };
      const eventsOf = async () =>
        (await store.alerts.deliveries(owner, of, { limit: 100, after: undefined })).map(
          ({ windowEndMs }) => windowEndMs / minuteMs,
        );
      await store.alerts.recordMarks(
        [10, 12, 28].map((number) => mark(number, { outcome: 'delivered', error: null })),
      );
      await store.alerts.sweepBefore({ evaluationsMs: 0, deliveriesMs: 0, deliveriesMax: 10 });
      const waiting = Array.from({ length: 20 }, (_, index) => index + 10).filter(
        (number) => number !== 10 && number !== 12,
      );
      expect((await eventsOf()).toSorted((a, b) => a - b)).toEqual(waiting);
      await store.alerts.forget([ids.alert, ids.other]);
      expect(await eventsOf()).toEqual([]);
    });
  });
}

function tagTests(store: Store): void {
  describe('documents with tags', () => {
    it('are listed by all of their tags, in pages, of their workspace only', async () => {
      const owner = 'd1'.repeat(12);
      const put = (id: string, tags: string[] | undefined, workspace = owner) =>
        store.documents.insert(workspace, {
          kind: 'alert',
          id: id.repeat(24),
          body: documentBody({ name: id, ...(tags && { tags }) }),
        });
      await put('1', ['shop', 'night']);
      await put('2', ['shop']);
      await put('3', undefined);
      await put('4', ["sh'op", 'night', 'shop']);
      await put('5', ['shop', 'night'], 'd2'.repeat(12));
      const listed = async (tags: string[], limit = 10, offset = 0) => {
        const { items, total } = await store.documents.list(owner, 'alert', {
          limit,
          offset,
          tags,
        });
        return [items.map(({ id }) => id[0]).join(''), total];
      };
      expect(await listed(['shop'])).toEqual(['124', 3]);
      expect(await listed(['night', 'shop'])).toEqual(['14', 2]);
      expect(await listed(["sh'op"])).toEqual(['4', 1]);
      expect(await listed(['%'])).toEqual(['', 0]);
      expect(await listed([])).toEqual(['1234', 4]);
      expect(await listed(['shop'], 1, 1)).toEqual(['2', 3]);
      for (const id of ['1', '2', '3', '4']) {
        await store.documents.remove(owner, 'alert', id.repeat(24));
      }
      await store.documents.remove('d2'.repeat(12), 'alert', '5'.repeat(24));
    });
  });
}
