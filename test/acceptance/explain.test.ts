import { beforeEach, describe, expect, it } from 'vitest';
import { seeded } from '../kit/random-input.ts';
import { timelineVerbs } from '../kit/timeline-verbs.ts';
import { setStage, t } from './stage.ts';

setStage();

let api: ReturnType<typeof timelineVerbs>;
beforeEach(() => {
  api = timelineVerbs(t);
});

const at = (time: string): string => `2026-03-14T${time}.000Z`;
const minute = (number: number): string => `12:${String(number).padStart(2, '0')}`;

const explain = (id: string, time?: string, group?: string[]) =>
  api.call(api.verbs.explainAlert, {
    params: { id },
    query: {
      ...(time !== undefined && { window: at(time) }),
      ...(group && { group: JSON.stringify(group) }),
    },
  });
const stopped = async (id: string, time: string): Promise<string> => {
  const { verdict, reason, steps } = await explain(id, time);
  const stops = steps.filter(({ outcome }) => outcome === 'stopped').map(({ step }) => step);
  return [verdict, reason, ...stops].filter((word) => word !== undefined).join(' ');
};

/** What people do while alerts run, in the given minute. */
const actions: ((number: number, params: { id: string }) => Promise<unknown>)[] = [
  (_, params) => api.call(api.verbs.acknowledgeAlert, { params, body: {} }),
  (_, params) => api.call(api.verbs.unacknowledgeAlert, { params }),
  (number, params) =>
    api.call(api.verbs.silenceAlert, {
      params,
      body: { until: at(`${minute(number + 2)}:00`) },
    }),
  (number, { id }) =>
    api.call(api.verbs.createMaintenanceWindow, {
      body: {
        name: 'random',
        schedule: {
          type: 'once',
          from: at(`${minute(number)}:00`),
          to: at(`${minute(number + 2)}:30`),
        },
        alerts: { ids: [id] },
      },
    }),
];

async function watched(change: Record<string, unknown> = {}): Promise<string> {
  const webhookId = await t.webhook();
  return t.alert({
    savedSearchId: await t.search(''),
    interval: '1m',
    channel: { type: 'webhook', webhookId },
    ...change,
  } as never);
}

const errors = (number: number, count = 10, row: object = {}) =>
  t.logs(`${minute(number)}:30`, count, { ...row });

describe('why an alert did or did not notify', () => {
  it('names the step that stopped it', async () => {
    const id = await watched({ numConsecutiveWindows: 2, renotifyInterval: '2m' });
    for (const number of [1, 2, 3, 4, 5, 8, 9]) {
      await errors(number);
    }
    await t.runUntil('12:03:30');
    await api.call(api.verbs.acknowledgeAlert, { params: { id }, body: {} });
    await t.runUntil('12:08:30');
    await api.call(api.verbs.silenceAlert, { params: { id }, body: { until: at('12:10:30') } });
    await t.runUntil('12:11:30');
    const times = Array.from({ length: 11 }, (_, index) => `${minute(index + 1)}:00`);
    const answers: string[] = [];
    for (const time of times) {
      answers.push(`${time} ${await stopped(id, time)}`);
    }
    expect(answers).toEqual([
      '12:01:00 not_due threshold',
      '12:02:00 not_due windows',
      '12:03:00 notified fired',
      '12:04:00 not_due incident',
      '12:05:00 muted still_firing acknowledgement',
      '12:06:00 muted still_firing acknowledgement',
      '12:07:00 notified resolved',
      '12:08:00 not_due threshold',
      '12:09:00 not_due windows',
      '12:10:00 muted fired silence',
      '12:11:00 not_due threshold',
    ]);
  });

  it('tells value, threshold and attempts in sentences, as they were then', async () => {
    const id = await watched();
    await errors(0, 12);
    t.receiver.reactOnce(500);
    await t.runUntil('12:01:06');
    const first = await explain(id);
    expect(first).toMatchObject({ verdict: 'pending', windowEnd: at('12:01:00'), group: [] });
    await t.runUntil('12:01:30');
    await t.change('alert', id, { threshold: 99 });
    const { verdict, steps, deliveries } = await explain(id, '12:00:20');
    expect(verdict).toBe('notified');
    expect(steps.map(({ step, outcome }) => `${step} ${outcome}`)).toEqual([
      'evaluation passed',
      'rows info',
      'value info',
      'threshold passed',
      'windows passed',
      'incident passed',
      'silence passed',
      'maintenance passed',
      'acknowledgement passed',
      'delivery passed',
    ]);
    const texts = steps.map(({ text }) => text).join('\n');
    expect(texts).toContain('The value is 12.');
    expect(texts).toContain('at or above 10');
    expect(texts).toContain('accepted the notification after 2 attempts.');
    expect(deliveries[0]!.attempts.map(({ status }) => status)).toEqual([500, 200]);
  });

  it('says that a window has no evaluation, and why', async () => {
    const id = await watched();
    await t.runUntil('12:02:30');
    expect(await stopped(id, '12:30:00')).toBe('not_evaluated evaluation');
    t.jump('18:00:00');
    await t.settle();
    const { verdict, steps } = await explain(id, '13:00:30');
    expect(verdict).toBe('not_evaluated');
    expect(steps[0]!.text).toMatch(/skipped \d+ windows/);
    const broken = await t.alert({ source: 'search', interval: '1m' } as never);
    expect(await stopped(broken, '12:01:00')).toBe('not_evaluated evaluation');
    await expect(explain('f'.repeat(24))).rejects.toMatchObject({ code: 'not_found' });
  });

  it.each([1, 2, 3])('agrees with what was sent in a random run (seed %i)', async (seed) => {
    const random = seeded(seed);
    const chance = (share: number): boolean => random() < share;
    const ids = [
      await watched({ renotifyInterval: '2m' }),
      await watched({ groupBy: 'ServiceName', numConsecutiveWindows: 2 }),
      await watched({ groupBy: 'ServiceName', renotifyInterval: '1m', noData: 'firing' }),
    ];
    const call = async (work: Promise<unknown> | undefined): Promise<void> => {
      await work?.catch((error: unknown) => {
        // Nothing fires, so nothing can be acknowledged.
        expect(error).toMatchObject({ code: 'conflict' });
      });
    };
    for (let number = 0; number < 14; number++) {
      for (const ServiceName of ['cart', 'search']) {
        if (chance(0.55)) {
          await errors(number, 10, { ServiceName });
        }
      }
      const params = { id: ids[Math.floor(random() * ids.length)]! };
      await call(actions[Math.floor(random() * 2 * actions.length)]?.(number, params));
      await t.runUntil(`${minute(number + 1)}:10`, 10_000);
    }
    const sent = t.events().map(({ data }) => `${data.alert.id} ${data.window.end} ${data.group}`);
    const explained: string[] = [];
    for (const id of ids) {
      const history = await api.call(api.verbs.getAlertHistory, { params: { id } });
      for (const { windowEnd, groups = [{ group: [] }] } of history) {
        for (const { group } of groups) {
          const query = { window: windowEnd, group: JSON.stringify(group) };
          const answer = await api.call(api.verbs.explainAlert, { params: { id }, query });
          const stops = answer.steps.filter(({ outcome }) => outcome === 'stopped');
          expect(stops).toHaveLength(answer.verdict === 'notified' ? 0 : 1);
          if (answer.verdict === 'notified') {
            explained.push(`${id} ${windowEnd} ${group.join(', ')}`);
          }
        }
      }
    }
    expect(sent.length).toBeGreaterThan(3);
    expect(explained.toSorted()).toEqual(sent.toSorted());
  });
});
