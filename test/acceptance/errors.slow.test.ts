import { describe, expect, it } from 'vitest';
import { errorsOf, setStage, statusOf, t } from './stage.ts';

setStage();

describe('every error is shown, leaves the state alone, and goes when its cause does', () => {
  it('QUERY_TIMEOUT', async () => {
    const alertId = await t.alert({ savedSearchId: await t.search(''), interval: '1m' });
    await t.logs('12:00:30', 10);
    await t.runUntil('12:01:10');
    // A millisecond is not enough for any query.
    await t.restart({ queryTimeoutMs: 1 });
    await t.runUntil('12:02:10');
    expect(await statusOf(alertId)).toMatchObject({
      state: 'firing',
      executionErrors: [{ type: 'QUERY_TIMEOUT' }],
    });
    await t.restart();
    await t.runUntil('12:02:20');
    expect(await statusOf(alertId)).toMatchObject({ state: 'inactive', executionErrors: [] });
  });

  it('TOO_MANY_GROUPS', async () => {
    const alertId = await t.alert({
      savedSearchId: await t.search(''),
      interval: '1m',
      threshold: 1,
      groupBy: 'ServiceName',
    });
    await t.logs('12:00:30', 3);
    await t.runUntil('12:01:10');
    await t.manyLogs(
      '12:01:30',
      Array.from({ length: 1100 }, (_, index) => ({ ServiceName: `service-${index}` })),
    );
    await t.runUntil('12:02:10');
    expect(await statusOf(alertId)).toMatchObject({
      state: 'firing',
      executionErrors: [
        {
          type: 'TOO_MANY_GROUPS',
          message: expect.stringContaining('more than 1000 groups') as string,
        },
      ],
    });
    await t.change('alert', alertId, { groupBy: 'SeverityText' });
    await t.runUntil('12:02:20');
    expect(await statusOf(alertId)).toMatchObject({
      state: 'firing',
      executionErrors: [],
      lastValue: 1100,
    });
  });

  it('INVALID_ALERT: the tile, the dashboard, the search or the source does not exist', async () => {
    const { dashboardId, tileId } = await t.tile({
      displayType: 'number',
      select: [{ aggFn: 'count' }],
    });
    const savedSearchId = await t.search('');
    const onTile = await t.alert({ source: 'tile', dashboardId, tileId, interval: '1m' });
    const onSearch = await t.alert({ savedSearchId, interval: '1m' });
    await t.logs('12:00:30', 10);
    await t.runUntil('12:01:10');
    const board = (await t.store.documents.get(t.workspaceId, 'dashboard', dashboardId))!;
    const search = (await t.store.documents.get(t.workspaceId, 'savedSearch', savedSearchId))!;
    await t.change('dashboard', dashboardId, { tiles: [] });
    await t.change('savedSearch', savedSearchId, { sourceId: 'f'.repeat(24) });
    await t.runUntil('12:02:10');
    expect(await errorsOf(onTile)).toEqual([
      `INVALID_ALERT the tile ${tileId} does not exist on its dashboard`,
    ]);
    expect(await errorsOf(onSearch)).toEqual([
      `INVALID_ALERT the source ${'f'.repeat(24)} does not exist`,
    ]);
    await t.remove('dashboard', dashboardId);
    await t.remove('savedSearch', savedSearchId);
    await t.runUntil('12:02:20');
    expect(await errorsOf(onTile)).toEqual([
      `INVALID_ALERT the dashboard ${dashboardId} does not exist`,
    ]);
    expect(await errorsOf(onSearch)).toEqual([
      `INVALID_ALERT the saved search ${savedSearchId} does not exist`,
    ]);
    for (const id of [onTile, onSearch]) {
      expect((await statusOf(id)).state).toBe('firing');
    }
    await t.store.documents.insert(t.workspaceId, {
      kind: 'dashboard',
      id: dashboardId,
      body: board.body,
    });
    await t.store.documents.insert(t.workspaceId, {
      kind: 'savedSearch',
      id: savedSearchId,
      body: search.body,
    });
    await t.runUntil('12:02:30');
    for (const id of [onTile, onSearch]) {
      expect(await statusOf(id)).toMatchObject({ state: 'inactive', executionErrors: [] });
    }
  });
});

describe('missing data, for each group by itself', () => {
  it.each([
    ['zero', ['12:02:05 inactive resolved - [cart]']],
    ['ok', ['12:02:05 inactive resolved - [cart]']],
    ['firing', []],
    ['keep', []],
  ])('noData %s: one group sends nothing more, the other goes on', async (noData, ends) => {
    await t.alert({
      savedSearchId: await t.search(''),
      groupBy: 'ServiceName',
      interval: '1m',
      noData,
      channel: { type: 'webhook', webhookId: await t.webhook() },
    });
    await t.logs('12:00:30', 10, { ServiceName: 'cart' });
    for (const minute of ['00', '01', '02']) {
      await t.logs(`12:${minute}:31`, 10);
    }
    await t.runUntil('12:03:10');
    expect(t.deliveries().toSorted()).toEqual([
      '12:01:05 firing fired 10 [cart]',
      '12:01:05 firing fired 10 [checkout]',
      ...ends,
    ]);
  });
});

describe('a change of an alert that fires', () => {
  it.each([
    ['threshold', { threshold: 20 }, ['12:02:05 inactive resolved 10']],
    ['name and message', { name: 'Other', message: 'Look' }, []],
    ['numConsecutiveWindows', { numConsecutiveWindows: 5 }, []],
    ['search', undefined, ['12:02:05 inactive resolved -']],
  ])('%s takes effect at the next window and resets nothing else', async (_, change, ends) => {
    const savedSearchId = await t.search('');
    const alertId = await t.alert({
      savedSearchId,
      interval: '1m',
      channel: { type: 'webhook', webhookId: await t.webhook() },
    });
    for (const minute of ['00', '01']) {
      await t.logs(`12:${minute}:30`, 10);
    }
    await t.runUntil('12:01:30');
    if (change) {
      await t.change('alert', alertId, change);
    } else {
      await t.change('savedSearch', savedSearchId, { where: 'ServiceName:"nobody"' });
    }
    await t.runUntil('12:02:10');
    expect(t.deliveries()).toEqual(['12:01:05 firing fired 10', ...ends]);
    expect((await t.history(alertId)).slice(0, 2)).toEqual([
      '12:00 inactive -',
      '12:01 firing 10 breached',
    ]);
  });
});

describe('calm windows', () => {
  it('stand in the history as every other, across a restart, and are evaluated once', async () => {
    const alertId = await t.alert({ savedSearchId: await t.search(''), interval: '1m' });
    await t.logs('12:02:30', 3);
    await t.logs('12:05:30', 12);
    await t.runUntil('12:04:10');
    await t.restart();
    await t.runUntil('12:08:10');
    const expected = [
      '12:00 inactive -',
      '12:01 inactive -',
      '12:02 inactive -',
      '12:03 inactive 3',
      '12:04 inactive -',
      '12:05 inactive -',
      '12:06 firing 12 breached',
      '12:07 inactive - recovered',
      '12:08 inactive -',
    ];
    expect(await t.history(alertId)).toEqual(expected);
    expect(await t.store.alerts.historyCount(t.workspaceId, alertId)).toBe(expected.length);
    expect((await statusOf(alertId)).lastEvaluatedAtMs).toBe(Date.parse('2026-03-14T12:08:05Z'));
  });
});
