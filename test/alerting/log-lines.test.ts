import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestTelemetry, type TestTelemetry } from '../kit/telemetry.ts';
import { startTimeline, type Timeline } from '../kit/timeline.ts';

let engine: TestTelemetry;
beforeAll(async () => {
  engine = await openTestTelemetry();
});
afterAll(() => engine.close());

interface Line {
  level: string;
  message: string;
  [field: string]: unknown;
}

const linesOf = (t: Timeline, message: string): Line[] =>
  t.logLines.map((line) => JSON.parse(line) as Line).filter((line) => line.message === message);

describe('what an operator sees of alerts', () => {
  it('a line for each transition and for the leases', async () => {
    const t = await startTimeline({ engine });
    const alertId = await t.alert({
      name: 'Checkout errors',
      savedSearchId: await t.search('ServiceName:"one-alert"'),
      interval: '1m',
    });
    await t.logs('12:00:30', 12, { ServiceName: 'one-alert' });
    await t.runUntil('12:03:10');
    expect(linesOf(t, 'alert state changed')).toMatchObject([
      {
        level: 'info',
        workspaceId: t.workspaceId,
        alertId,
        name: 'Checkout errors',
        from: 'inactive',
        to: 'firing',
        reason: 'breached',
        windowEnd: '2026-03-14T12:01:00.000Z',
      },
      {
        from: 'firing',
        to: 'inactive',
        reason: 'recovered',
        windowEnd: '2026-03-14T12:02:00.000Z',
      },
    ]);
    expect(linesOf(t, 'alert leases won')).toMatchObject([
      {
        level: 'info',
        holder: 'embedded',
        shards: Array.from({ length: 16 }, (_, shard) => shard),
      },
    ]);
    await t.close();
  });

  it('a line for a lease that another process takes over', async () => {
    const t = await startTimeline({ engine });
    await t.settle();
    t.jump('12:00:20');
    await t.store.leases.acquire('alerts/3', 'another process', 60_000);
    await t.settle();
    expect(linesOf(t, 'alert leases lost')).toMatchObject([
      { level: 'info', holder: 'embedded', shards: [3] },
    ]);
    await t.close();
  });

  it('one line for ten thousand transitions in a tick', async () => {
    const t = await startTimeline({ engine });
    const savedSearchId = await t.search('ServiceName:"many-alerts"');
    for (let chunk = 0; chunk < 20; chunk++) {
      await Promise.all(
        Array.from({ length: 500 }, () => t.alert({ savedSearchId, interval: '1m' })),
      );
    }
    await t.logs('12:00:30', 12, { ServiceName: 'many-alerts' });
    t.jump('12:01:06');
    await t.settle();
    expect(linesOf(t, 'alert states changed')).toMatchObject([
      { level: 'info', transitions: 10_000, to: { firing: 10_000, pending: 0, inactive: 0 } },
    ]);
    expect(linesOf(t, 'alert state changed')).toEqual([]);
    await t.close();
  }, 120_000);
});
