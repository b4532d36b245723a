import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createIds } from '../../src/adapters/ambient/ids.ts';
import { createLog } from '../../src/adapters/ambient/log.ts';
import { scopes } from '../../src/contract/operation.ts';
import { egressGuard } from '../../src/adapters/webhook/egress-guard.ts';
import { workspaceDatabases } from '../../src/app/workspace-databases.ts';
import { createQuery } from '../../src/core/query/index.ts';
import { alertingVerbs } from '../../src/core/alerting/api/verbs.ts';
import { AuditTrail } from '../../src/core/audit/audit-trail.ts';
import { alertVerbs } from '../../src/core/resources/alert.ts';
import type { Verb } from '../../src/core/verb/verb.ts';
import { qualified, sql } from '../../src/sql/sql.ts';
import { openTestTelemetry, type TestTelemetry } from '../kit/telemetry.ts';
import { clockText, startTimeline, type Timeline } from '../kit/timeline.ts';

let engine: TestTelemetry;
let t: Timeline;
beforeAll(async () => {
  engine = await openTestTelemetry();
});
afterAll(() => engine.close());
afterEach(async () => {
  await t.close();
  for (const table of ['otel_logs', 'otel_logs_1m']) {
    await engine.command(sql`TRUNCATE TABLE ${qualified(engine.database, table)}`);
  }
});

const minutes = (count: number): number => count * 60_000;

describe.each([
  ['10 minutes behind', minutes(-10)],
  ['10 minutes ahead', minutes(10)],
  ['3 days behind', minutes(-3 * 1440)],
])('a clock %s the store', (_, nodeAheadMs) => {
  it('changes nothing about when notifications and their retries are sent', async () => {
    t = await startTimeline({ engine, nodeAheadMs });
    await t.logs('12:00:30', 10);
    await t.alert({
      savedSearchId: await t.search(''),
      interval: '1m',
      channel: { type: 'webhook', webhookId: await t.webhook() },
    });
    t.receiver.react(503);
    await t.runUntil('12:01:45');
    t.receiver.react(200);
    await t.runUntil('12:03:45');
    expect(t.deliveries()).toEqual([
      '12:01:05 firing fired 10',
      '12:01:10 firing fired 10',
      '12:01:40 firing fired 10',
      '12:03:40 firing fired 10',
      '12:03:40 inactive resolved -',
    ]);
    const [first] = t.receiver.received;
    expect(clockText(Number(first!.headers['webhook-timestamp']) * 1000)).toBe('12:01:05');
  });

  it('changes nothing about silences, previews and test events', async () => {
    t = await startTimeline({ engine, nodeAheadMs });
    const { call, verbs } = verbsOn(t, nodeAheadMs);
    const savedSearchId = await t.search('');
    const id = await t.alert({ savedSearchId, interval: '1m' });
    const silence = (time: string) =>
      call(verbs.silenceAlert, { params: { id }, body: { until: time } });
    await expect(silence('2026-03-14T11:59:59Z')).rejects.toMatchObject({ code: 'bad_request' });
    await silence('2026-03-14T12:00:30Z');
    expect(await call(verbs.getAlert, { params: { id } })).toMatchObject({ silenced: true });
    t.jump('12:00:31');
    expect(await call(verbs.getAlert, { params: { id } })).toMatchObject({ silenced: false });
    const preview = await call(verbs.previewAlert, {
      body: {
        threshold: 1,
        thresholdType: 'above',
        interval: '1m',
        source: 'search',
        savedSearchId,
        channel: { type: 'webhook', webhookId: await t.webhook({ name: 'other' }) },
        windows: 1,
      },
    });
    expect(preview).toMatchObject({ windows: [{ windowEnd: '2026-03-14T12:00:00.000Z' }] });
    await call(verbs.testWebhook, { params: { id: await t.webhook({ name: 'tested' }) } });
    expect(t.events()).toMatchObject([{ timestamp: '2026-03-14T12:00:31.000Z' }]);
  });
});

function verbsOn(timeline: Timeline, nodeAheadMs: number) {
  const { store, telemetry, sender, vault, workspaceId } = timeline;
  const clock = { now: () => timeline.now() + nodeAheadMs };
  const log = createLog({ level: 'silent' });
  const ids = createIds(clock);
  const trail = new AuditTrail({ store, clock, ids, log });
  const query = createQuery({
    telemetry,
    workspaceDatabase: workspaceDatabases(store),
    clock,
    limits: { timeoutMs: 5000 },
  });
  const egress = egressGuard({ allow: [] });
  const deps = { store: trail.store, ids, query, sender, vault, egress, ingestDelayMs: 5000 };
  const verbs = {
    ...alertingVerbs(deps),
    ...alertVerbs({ store: trail.store, ids, query }),
  };
  const call = async (verb: Verb, input: { params?: object; body?: unknown }): Promise<unknown> => {
    const answer = await trail.invoke(verb, {
      principal: {
        workspace: {
          id: workspaceId,
          name: 'w',
          serviceId: '',
          organizationId: '',
          database: engine.database,
          listedDatabases: [],
        },
        scopes: new Set(scopes),
        subject: { kind: 'system', id: 'test' },
      },
      requestId: 'r',
      params: input.params ?? {},
      query: {},
      body: input.body,
    });
    return answer.value;
  };
  return { call, verbs };
}
