import { describe, expect, it } from 'vitest';
import { Fault } from '../../src/contract/errors.ts';
import { TelemetryError, type Telemetry } from '../../src/ports/telemetry.ts';
import { engine, setStage, statusOf, t } from './stage.ts';

setStage();

describe('an alert on a saved search', () => {
  it('fires at the end of its window, resolves at the end of the next, and tells its receiver once each', async () => {
    const webhookId = await t.webhook();
    const alertId = await t.alert({
      savedSearchId: await t.search('SeverityText:"ERROR" payment'),
      channel: { type: 'webhook', webhookId },
    });
    await t.logs('12:06:00', 12);
    await t.logs('12:07:00', 50, { SeverityText: 'INFO' });
    await t.runUntil('12:20:00');
    expect(t.deliveries()).toEqual(['12:10:05 firing fired 12', '12:15:05 inactive resolved -']);
    expect(await t.history(alertId)).toEqual([
      '12:00 inactive -',
      '12:05 inactive -',
      '12:10 firing 12 breached',
      '12:15 inactive - recovered',
    ]);
    const [fired, resolved] = t.events();
    expect(resolved!.data.incidentId).toBe(fired!.data.incidentId);
    expect(resolved!.id).not.toBe(fired!.id);
    expect(fired).toMatchObject({
      type: 'alert.firing',
      data: {
        threshold: 10,
        window: { start: '2026-03-14T12:05:00.000Z', end: '2026-03-14T12:10:00.000Z' },
        alert: { id: alertId, name: 'Errors' },
        links: { alert: `https://sightline.test/alerts/${alertId}` },
      },
    });
    expect(t.receiver.received[0]!.headers['webhook-id']).toBe(fired!.id);
  });

  it('shows state, last value and time of evaluation', async () => {
    const alertId = await t.alert({ savedSearchId: await t.search(''), interval: '1m' });
    await t.logs('12:00:30', 11);
    await t.runUntil('12:01:10');
    expect(await statusOf(alertId)).toEqual({
      state: 'firing',
      lastValue: 11,
      lastEvaluatedAtMs: Date.parse('2026-03-14T12:01:05Z'),
      executionErrors: [],
    });
  });

  it('keeps a state for each group; a group that vanishes is no data, the others are untouched', async () => {
    const webhookId = await t.webhook();
    const alertId = await t.alert({
      savedSearchId: await t.search(''),
      groupBy: 'ServiceName',
      interval: '1m',
      channel: { type: 'webhook', webhookId },
    });
    await t.logs('12:00:30', 11, { ServiceName: 'checkout' });
    await t.logs('12:00:31', 12, { ServiceName: 'cart' });
    await t.logs('12:00:32', 1, { ServiceName: 'search' });
    await t.logs('12:01:30', 13, { ServiceName: 'cart' });
    await t.runUntil('12:02:10');
    expect(t.deliveries().sort()).toEqual([
      '12:01:05 firing fired 11 [checkout]',
      '12:01:05 firing fired 12 [cart]',
      '12:02:05 inactive resolved - [checkout]',
    ]);
    expect(await t.history(alertId)).toEqual([
      '12:00 inactive -',
      '12:01 firing 12 breached',
      '12:02 firing 13 recovered',
    ]);
    expect(new Set(t.events().map(({ data }) => data.groupId)).size).toBe(2);
  });

  it('applies the filters of the search as well', async () => {
    const alertId = await t.alert({
      savedSearchId: await t.search('', {
        filters: [
          { type: 'sql', condition: "ServiceName = 'cart'" },
          { type: 'lucene', condition: 'SeverityText:"WARN"' },
          { type: 'field', field: 'Body', op: 'is_not', values: ['noise'] },
        ],
      }),
      interval: '1m',
      threshold: 3,
    });
    await t.logs('12:00:10', 3, { ServiceName: 'cart', SeverityText: 'WARN' });
    await t.logs('12:00:10', 4, { ServiceName: 'cart', SeverityText: 'WARN', Body: 'noise' });
    await t.logs('12:00:10', 5, { ServiceName: 'cart', SeverityText: 'INFO' });
    await t.runUntil('12:01:10');
    expect(await t.history(alertId)).toEqual(['12:00 inactive -', '12:01 firing 3 breached']);
  });

  it('waits for numConsecutiveWindows, reminds after renotifyInterval', async () => {
    const webhookId = await t.webhook();
    await t.alert({
      savedSearchId: await t.search(''),
      interval: '1m',
      numConsecutiveWindows: 2,
      renotifyInterval: '2m',
      channel: { type: 'webhook', webhookId },
    });
    for (let minute = 0; minute < 6; minute++) {
      await t.logs(`12:0${minute}:30`, 10);
    }
    await t.runUntil('12:07:10');
    expect(t.deliveries()).toEqual([
      '12:02:05 firing fired 10',
      '12:04:05 firing still_firing 10',
      '12:06:05 firing still_firing 10',
      '12:07:05 inactive resolved -',
    ]);
  });
});

describe('an alert on a tile', () => {
  it.each([
    [
      'the last value column decides',
      {
        displayType: 'line',
        select: [{ aggFn: 'count' }, { aggFn: 'max', valueExpression: 'SeverityNumber' }],
      },
      { threshold: 17 },
      '12:01 firing 17 breached',
    ],
    [
      'number tiles too',
      { displayType: 'number', select: [{ aggFn: 'count', where: 'SeverityText:"ERROR"' }] },
      { threshold: 4 },
      '12:01 firing 4 breached',
    ],
    [
      'a ratio is one value',
      {
        displayType: 'line',
        asRatio: true,
        select: [{ aggFn: 'count', where: 'SeverityText:"ERROR"' }, { aggFn: 'count' }],
      },
      { threshold: 0.4 },
      '12:01 firing 0.4 breached',
    ],
    [
      'a ratio of nothing is 0',
      {
        displayType: 'line',
        asRatio: true,
        select: [{ aggFn: 'count', where: 'SeverityText:"FATAL"' }, { aggFn: 'count' }],
      },
      { threshold: 0.1, thresholdType: 'below' },
      '12:01 firing 0 breached',
    ],
    [
      'NULL does not decide',
      { displayType: 'line', select: [{ aggFn: 'avg', valueExpression: 'LogAttributes.nothing' }] },
      { threshold: 1, thresholdType: 'below' },
      '12:01 inactive -',
    ],
  ] as const)('%s', async (_, config, change, expected) => {
    const { dashboardId, tileId } = await t.tile(config as never);
    const alertId = await t.alert({
      source: 'tile',
      dashboardId,
      tileId,
      interval: '1m',
      noData: 'ok',
      ...change,
    });
    await t.logs('12:00:10', 4, { SeverityNumber: 17 });
    await t.logs('12:00:11', 6, { SeverityText: 'INFO', SeverityNumber: 9 });
    await t.runUntil('12:01:10');
    expect((await t.history(alertId)).at(-1)).toBe(expected);
  });

  it('follows the tile when it is changed, and keeps its state', async () => {
    const { dashboardId, tileId } = await t.tile({
      displayType: 'number',
      select: [{ aggFn: 'count' }],
    });
    const alertId = await t.alert({
      source: 'tile',
      dashboardId,
      tileId,
      interval: '1m',
      numConsecutiveWindows: 2,
    });
    await t.logs('12:00:10', 10);
    await t.logs('12:01:10', 10, { ServiceName: 'cart' });
    await t.runUntil('12:01:10');
    const board = (await t.store.documents.get(t.workspaceId, 'dashboard', dashboardId))!.body as {
      tiles: { config: object }[];
    };
    await t.change('dashboard', dashboardId, {
      tiles: [
        {
          ...board.tiles[0],
          config: {
            ...board.tiles[0]!.config,
            select: [{ aggFn: 'count', where: 'ServiceName:"cart"' }],
          },
        },
      ],
    } as never);
    await t.runUntil('12:02:10');
    expect(await t.history(alertId)).toEqual([
      '12:00 inactive -',
      '12:01 pending 10 breached',
      '12:02 firing 10 breached_repeatedly',
    ]);
  });
});

describe('an alert that cannot be evaluated', () => {
  it.each([
    [
      'a saved search that does not exist',
      { savedSearchId: 'f'.repeat(24) },
      /saved search f+ does not exist/,
    ],
    [
      'a dashboard that does not exist',
      { source: 'tile', dashboardId: 'f'.repeat(24), tileId: 'f'.repeat(24) },
      /dashboard f+ does not exist/,
    ],
  ])('%s: the alert stays inactive and says why', async (_, body, message) => {
    const alertId = await t.alert({ ...body, interval: '1m' });
    await t.runUntil('12:02:00');
    const status = await statusOf(alertId);
    expect(status).toMatchObject({
      state: 'inactive',
      executionErrors: [
        { type: 'INVALID_ALERT', message: expect.stringMatching(message) as string },
      ],
    });
    expect(await t.history(alertId)).toEqual([]);
  });

  it('an alert that names nothing to watch is never evaluated (its record says so)', async () => {
    const ids = [
      await t.alert({ interval: '1m' }),
      await t.alert({ source: 'tile', dashboardId: 'f'.repeat(24), interval: '1m' }),
    ];
    await t.runUntil('12:02:00');
    expect(await t.store.alerts.status(t.workspaceId, ids)).toEqual(new Map());
  });

  it('an expression that fails keeps the state, delays no other alert, and clears once repaired', async () => {
    const broken = await t.search('', {
      where: "toUInt8(Body) > 1 AND ServiceName = 'checkout'",
      whereLanguage: 'sql',
    });
    const alertId = await t.alert({ savedSearchId: broken, interval: '1m' });
    const other = await t.alert({
      savedSearchId: await t.search('payment'),
      interval: '1m',
      threshold: 1,
    });
    await t.logs('12:00:10', 3);
    await t.runUntil('12:01:30');
    expect(await statusOf(alertId)).toMatchObject({
      state: 'inactive',
      executionErrors: [{ type: 'QUERY_ERROR' }],
    });
    expect((await t.history(other)).at(-1)).toBe('12:01 firing 3 breached');
    await t.change('savedSearch', broken, { where: "ServiceName = 'checkout'" });
    await t.logs('12:01:40', 10);
    await t.runUntil('12:02:30');
    expect(await statusOf(alertId)).toMatchObject({
      state: 'firing',
      executionErrors: [],
    });
  });

  it('more groups than can be followed is an error that says so, and the state is left alone', async () => {
    const alertId = await t.alert({
      savedSearchId: await t.search(''),
      groupBy: 'TraceId',
      interval: '1m',
      threshold: 1,
    });
    const rows = Array.from({ length: 1001 }, (_, index) => ({
      Timestamp: '2026-03-14 12:00:10',
      TraceId: `trace-${index}`,
    }));
    await engine.insert('otel_logs', rows);
    await t.runUntil('12:01:30');
    expect(await statusOf(alertId)).toMatchObject({
      state: 'inactive',
      executionErrors: [{ type: 'TOO_MANY_GROUPS' }],
    });
  });
});

describe('an alert through an outage', () => {
  it('an engine that is away makes no false resolve: the missed windows are evaluated when it is back', async () => {
    const webhookId = await t.webhook();
    let away = false;
    const flaky = new Proxy(t.telemetry, {
      get: (target, name: keyof Telemetry) =>
        name === 'query' && away
          ? () => Promise.reject(new TelemetryError('unavailable', 'connection refused'))
          : ((target[name] as () => unknown).bind?.(target) ?? target[name]),
    });
    await t.restart({ telemetry: flaky });
    const alertId = await t.alert({
      savedSearchId: await t.search(''),
      interval: '1m',
      channel: { type: 'webhook', webhookId },
    });
    for (const minute of ['00', '01', '02', '03']) {
      await t.logs(`12:${minute}:30`, 10);
    }
    await t.runUntil('12:01:10');
    away = true;
    await t.runUntil('12:03:40');
    expect(t.deliveries()).toEqual(['12:01:05 firing fired 10']);
    expect(await statusOf(alertId)).toMatchObject({
      state: 'firing',
      executionErrors: [{ type: 'QUERY_ERROR' }],
    });
    away = false;
    await t.runUntil('12:05:10');
    expect(t.deliveries()).toEqual(['12:01:05 firing fired 10', '12:05:05 inactive resolved -']);
    expect(await t.history(alertId)).toEqual([
      '12:00 inactive -',
      '12:01 firing 10 breached',
      '12:02 firing 10',
      '12:03 firing 10',
      '12:04 firing 10',
      '12:05 inactive - recovered',
    ]);
  });

  it('half a minute without the store causes no false resolve, no repeat and no gap', async () => {
    const webhookId = await t.webhook();
    let away = false;
    const guarded = <T extends object>(part: T): T =>
      new Proxy(part, {
        get: (target, name: keyof T & string) => {
          const value = target[name];
          if (typeof value === 'object' && value !== null) {
            return guarded(value);
          }
          return typeof value !== 'function'
            ? value
            : (...call: unknown[]) =>
                away
                  ? Promise.reject(new Fault('unavailable', 'the metadata store is not available'))
                  : (value as (...call: unknown[]) => unknown).apply(target, call);
        },
      });
    await t.restart({ store: guarded(t.store) });
    const alertId = await t.alert({
      savedSearchId: await t.search(''),
      interval: '1m',
      channel: { type: 'webhook', webhookId },
    });
    for (const minute of ['00', '01', '02']) {
      await t.logs(`12:${minute}:30`, 10);
    }
    await t.runUntil('12:01:50');
    away = true;
    for (const second of ['55', '00', '05', '10', '15', '20']) {
      t.jump(second === '55' ? '12:01:55' : `12:02:${second}`);
      await expect(t.alerting.tick()).rejects.toThrow('not available');
    }
    away = false;
    await t.runUntil('12:04:10');
    expect(t.deliveries()).toEqual(['12:01:05 firing fired 10', '12:04:05 inactive resolved -']);
    expect(await t.history(alertId)).toEqual([
      '12:00 inactive -',
      '12:01 firing 10 breached',
      '12:02 firing 10',
      '12:03 firing 10',
      '12:04 inactive - recovered',
    ]);
  });
});

describe('time', () => {
  const minutes = async (from: number, to: number): Promise<void> => {
    for (let minute = from; minute <= to; minute++) {
      await t.logs(`12:${String(minute).padStart(2, '0')}:30`, 10);
    }
  };

  it('after a restart goes on where it stopped, in order, and says nothing twice', async () => {
    const webhookId = await t.webhook();
    const alertId = await t.alert({
      savedSearchId: await t.search(''),
      interval: '1m',
      channel: { type: 'webhook', webhookId },
    });
    await minutes(0, 3);
    await t.runUntil('12:02:10');
    await t.restart();
    t.jump('12:06:10');
    await t.settle();
    expect(t.deliveries()).toEqual(['12:01:05 firing fired 10', '12:06:10 inactive resolved -']);
    expect(await t.history(alertId)).toEqual([
      '12:00 inactive -',
      '12:01 firing 10 breached',
      '12:02 firing 10',
      '12:03 firing 10',
      '12:04 firing 10',
      '12:05 inactive - recovered',
      '12:06 inactive -',
    ]);
  });

  it('a long pause is caught up within bounds, and the gap is recorded', async () => {
    const alertId = await t.alert({ savedSearchId: await t.search(''), interval: '1m' });
    await t.runUntil('12:01:10');
    t.jump('14:00:30');
    await t.settle();
    const history = await t.history(alertId);
    expect(history.slice(0, 4)).toEqual([
      '12:00 inactive -',
      '12:01 inactive -',
      '13:10 skipped 69',
      '13:11 inactive -',
    ]);
    expect(history).toHaveLength(3 + 50);
  });

  it.each([
    ['+1h', 3_600_000],
    ['-1h', -3_600_000],
    ['+24h', 86_400_000],
    ['-24h', -86_400_000],
  ])(
    'a clock that jumps %s and back: every window once, nobody told twice, nothing missed',
    async (_, jumpMs) => {
      const webhookId = await t.webhook();
      const alertId = await t.alert({
        savedSearchId: await t.search(''),
        interval: '1m',
        channel: { type: 'webhook', webhookId },
      });
      await minutes(0, 1);
      await minutes(4, 5);
      await t.runUntil('12:02:20');
      t.jump(new Date(t.now() + jumpMs).toISOString());
      await t.settle();
      await t.settle();
      t.jump('12:02:40');
      await t.runUntil('12:07:10');
      const history = (
        await t.store.alerts.history(t.workspaceId, alertId, {
          limit: 1000,
          beforeMs: Date.parse('2026-03-14T12:07:01Z'),
        })
      )
        .filter(({ windowEndMs }) => windowEndMs > Date.parse('2026-03-14T11:59:59Z'))
        .toReversed();
      expect(
        history.map(
          ({ windowEndMs, state }) =>
            `${new Date(windowEndMs).toISOString().slice(11, 16)} ${state}`,
        ),
      ).toEqual([
        '12:00 inactive',
        '12:01 firing',
        '12:02 firing',
        '12:03 inactive',
        '12:04 inactive',
        '12:05 firing',
        '12:06 firing',
        '12:07 inactive',
      ]);
      const ids = t.events().map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      expect(t.events().at(-1)!.data.state).toBe('inactive');
    },
  );
});

describe('changes', () => {
  it('a silence suppresses sending, not evaluation; what is still true is said when it ends', async () => {
    const webhookId = await t.webhook();
    const alertId = await t.alert({
      savedSearchId: await t.search(''),
      interval: '1m',
      silenced: true,
      silencedUntil: '2026-03-14T12:03:00Z',
      channel: { type: 'webhook', webhookId },
    });
    for (const minute of ['00', '01', '02']) {
      await t.logs(`12:${minute}:30`, 10);
    }
    await t.runUntil('12:04:10');
    expect(t.deliveries()).toEqual([
      '12:03:05 firing silence_ended 10',
      '12:04:05 inactive resolved -',
    ]);
    expect((await t.history(alertId))[1]).toBe('12:01 firing 10 breached');
  });

  it('a deleted alert is evaluated no more, and leaves nothing behind', async () => {
    const alertId = await t.alert({ savedSearchId: await t.search(''), interval: '1m' });
    await t.runUntil('12:01:10');
    await t.remove('alert', alertId);
    await t.runUntil('12:03:10');
    expect(await t.history(alertId)).toEqual([]);
    expect(await t.store.alerts.status(t.workspaceId, [alertId])).toEqual(new Map());
  });

  it('another groupBy ends what the old groups began', async () => {
    const webhookId = await t.webhook();
    const alertId = await t.alert({
      savedSearchId: await t.search(''),
      groupBy: 'ServiceName',
      interval: '1m',
      channel: { type: 'webhook', webhookId },
    });
    for (const minute of ['00', '01']) {
      await t.logs(`12:${minute}:30`, 10);
    }
    await t.runUntil('12:01:10');
    await t.change('alert', alertId, { groupBy: 'SeverityText' });
    await t.runUntil('12:02:10');
    expect(t.deliveries().sort()).toEqual([
      '12:01:05 firing fired 10 [checkout]',
      '12:02:05 firing fired 10 [ERROR]',
      '12:02:05 inactive group_by_changed - [checkout]',
    ]);
  });

  it('another interval takes effect at its next window and misses nothing of its own', async () => {
    const alertId = await t.alert({ savedSearchId: await t.search(''), interval: '1m' });
    await t.runUntil('12:02:10');
    await t.change('alert', alertId, { interval: '5m' });
    await t.runUntil('12:10:10');
    expect(await t.history(alertId)).toEqual([
      '12:00 inactive -',
      '12:01 inactive -',
      '12:02 inactive -',
      '12:05 inactive -',
      '12:10 inactive -',
    ]);
  });
});
