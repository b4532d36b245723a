import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HistoryLine } from '../../src/ports/store/alert-store.ts';
import { startApi, type ApiKit } from '../kit/api.ts';
import type { JsonAnswer } from '../kit/http.ts';
import { newAlert } from '../kit/stack-objects.ts';

let api: ApiKit;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const minuteMs = 60_000;

describe('the last evaluations in the list', () => {
  it('come with each alert, newest first and without groups, only if asked for', async () => {
    const [evaluated, waiting] = [await newAlert(api), await newAlert(api)];
    const lines = [1, 2, 3].map((window): HistoryLine => ({
      workspaceId: api.teamId,
      alertId: evaluated.id,
      windowStartMs: (window - 1) * minuteMs,
      windowEndMs: window * minuteMs,
      evaluatedAtMs: window * minuteMs + 5000,
      state: window === 3 ? 'firing' : 'inactive',
      value: window,
      durationMs: 1,
      rowsRead: 5,
      reason: window === 3 ? 'breached' : null,
      groups: window === 3 ? '[]' : null,
      skipped: window === 2 ? 4 : 0,
      calmBefore: 0,
    }));
    await api.store.alerts.record({
      progress: [
        {
          workspaceId: api.teamId,
          alertId: evaluated.id,
          shard: 1,
          intervalMs: minuteMs,
          lastEndMs: 3 * minuteMs,
          lineEndMs: 3 * minuteMs,
          state: 'firing',
          lastValue: 3,
          lastEvaluatedAtMs: 3 * minuteMs,
          groupBy: '',
          groups: '[]',
          executionErrors: [],
          deliveryErrors: [],
        },
      ],
      evaluations: lines,
      outbox: [],
    });
    const listed = await list('?recent=2');
    expect(listed.get(evaluated.id).recent).toEqual([
      {
        windowStart: '1970-01-01T00:02:00.000Z',
        windowEnd: '1970-01-01T00:03:00.000Z',
        state: 'firing',
        value: 3,
        reason: 'breached',
      },
      {
        windowStart: '1970-01-01T00:01:00.000Z',
        windowEnd: '1970-01-01T00:02:00.000Z',
        state: 'inactive',
        value: 2,
        reason: null,
        skipped: 4,
      },
    ]);
    expect(listed.get(waiting.id).recent).toEqual([]);
    expect((await list('')).get(evaluated.id)).not.toHaveProperty('recent');
    const managed = await api.managed.stack('GET', '/alerts?recent=100');
    expect(
      managed.json.result.find(({ id }: JsonAnswer) => id === evaluated.id).recent,
    ).toHaveLength(3);
  });

  it.each(['0', '101', '-1', 'x', '', '2.5'])(
    'recent=%s is a 400 that names it',
    async (recent) => {
      const { status, json } = await api.call('GET', `/alerts?recent=${recent}`);
      expect(status).toBe(400);
      expect(json.errors).toMatchObject([{ path: 'recent' }]);
    },
  );
});

describe('tags of an alert', () => {
  it('are a set that a change replaces and null clears', async () => {
    const alert = await newAlert(api, { tags: ['shop', 'night', 'shop'] });
    expect(alert.tags).toEqual(['shop', 'night']);
    const put = async (tags: string[] | null) =>
      (await api.call('PUT', `/alerts/${alert.id}`, { body: { tags } })).json.data;
    expect((await put(['day'])).tags).toEqual(['day']);
    expect((await put([])).tags).toBeUndefined();
    expect((await put(['day'])).tags).toEqual(['day']);
    expect((await put(null)).tags).toBeUndefined();
  });

  it('filter the list: alerts that have all of them', async () => {
    const both = await newAlert(api, { tags: ['checkout', 'team a'] });
    const one = await newAlert(api, { tags: ['checkout'] });
    expect([...(await list('?tags=checkout')).keys()]).toEqual([both.id, one.id]);
    const { json } = await api.call('GET', '/alerts?tags=checkout,team%20a&limit=1');
    expect(json.data.map(({ id }: JsonAnswer) => id)).toEqual([both.id]);
    expect(json.meta).toEqual({ total: 1, limit: 1, offset: 0 });
    expect((await list('?tags=nobody')).size).toBe(0);
  });

  it.each([
    [{ tags: ['a,b'] }],
    [{ tags: [''] }],
    [{ tags: ['x'.repeat(33)] }],
    [{ tags: Array.from({ length: 51 }, (_, index) => `${index}`) }],
    [{ tags: 'shop' }],
  ])('%j is a 400 that names it', async (body) => {
    const alert = await newAlert(api);
    const { status, json } = await api.call('PUT', `/alerts/${alert.id}`, { body });
    expect(status).toBe(400);
    expect(json.errors[0].path).toMatch(/^tags/);
  });

  it.each(['', 'a,', ','])('tags=%s is a 400 that names it', async (tags) => {
    const { status, json } = await api.call('GET', `/alerts?tags=${tags}`);
    expect(status).toBe(400);
    expect(json.errors[0].path).toMatch(/^tags/);
  });
});

async function list(query: string): Promise<Map<string, JsonAnswer>> {
  const { json } = await api.call('GET', `/alerts${query}`);
  return new Map(json.data.map((alert: JsonAnswer) => [alert.id, alert]));
}
