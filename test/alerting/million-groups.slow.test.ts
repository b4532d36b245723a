import { expect, it } from 'vitest';
import { sql } from '../../src/sql/sql.ts';
import { openTestTelemetry } from '../kit/telemetry.ts';
import { startTimeline } from '../kit/timeline.ts';

it('a million groups are a clear error, take bounded memory, and delay no other alert', async () => {
  const engine = await openTestTelemetry();
  const t = await startTimeline({ engine });
  await engine.command(
    sql`INSERT INTO sightline.otel_logs (Timestamp, ServiceName, SeverityText, TraceId, Body)
      SELECT toDateTime64('2026-03-14 12:00:30', 9), 'checkout', 'ERROR',
        concat('trace-', toString(number)), 'x'
      FROM numbers(1000000)`,
  );
  const savedSearchId = await t.search('');
  const many = await t.alert({ savedSearchId, groupBy: 'TraceId', interval: '1m', threshold: 1 });
  const other = await t.alert({ savedSearchId, interval: '1m', threshold: 1 });
  const heapBefore = process.memoryUsage().heapUsed;
  await t.runUntil('12:01:10');
  const grownMb = (process.memoryUsage().heapUsed - heapBefore) / 2 ** 20;
  const statuses = await t.store.alerts.status(t.workspaceId, [many, other]);
  expect(statuses.get(many)).toMatchObject({
    state: 'inactive',
    executionErrors: [
      {
        type: 'TOO_MANY_GROUPS',
        message: expect.stringContaining('more than 1000 groups') as string,
      },
    ],
  });
  expect(statuses.get(other)).toMatchObject({
    state: 'firing',
    lastValue: 1_000_000,
    executionErrors: [],
  });
  expect(grownMb).toBeLessThan(64);
  await t.close();
  await engine.close();
});
