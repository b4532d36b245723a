import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Status, listedMax } from '../../src/contract/status.ts';
import type { AlertProgress } from '../../src/ports/store/alert-store.ts';
import type { IngestReport, Node } from '../../src/ports/store/node-store.ts';
import { startApi, type ApiKit, type TestCaller } from '../kit/api.ts';
import { documentBody } from '../kit/document-body.ts';
import { newAlert, newSavedSearch, newWebhook } from '../kit/stack-objects.ts';
import { movableClock } from '../kit/store.ts';

let api: ApiKit;
/** A member of the team of `api`. */
let member: TestCaller;
/** The admin of another organization on the same server. */
let guest: TestCaller;
const clock = movableClock(Date.UTC(2026, 2, 14, 12));
const minute = 60_000;

beforeAll(async () => {
  api = await startApi({ clock });
  member = await api.newCaller(api.teamId);
  // The first organization is the oldest one.
  clock.nowMs += 5 * minute;
  guest = await api.newCaller((await api.newOrganization()).teamId);
  await api.store.identity.updateUser(guest.teamId, guest.userId, { name: null, role: 'admin' });
  api.identityChanged();
});
afterAll(() => api.stop());

async function statusOf(caller: Pick<TestCaller, 'call'>): Promise<Status> {
  const { status, json, text } = await caller.call('GET', '/status');
  expect([status, text]).toEqual([200, text]);
  return Status.parse(json.data);
}
const serverOf = async () => (await statusOf(api)).server!;
const at = (ms: number): string => new Date(ms).toISOString();

async function newPipe(teamId: string, name: string): Promise<string> {
  const id = randomUUID();
  await api.store.documents.insert(teamId, { kind: 'pipe', id, body: documentBody({ name }) });
  await api.store.pipes.insert(teamId, id);
  return id;
}

const progress = (alertId: string, change: Partial<AlertProgress> = {}): AlertProgress => ({
  workspaceId: api.teamId,
  alertId,
  shard: 0,
  intervalMs: 5 * minute,
  lastEndMs: clock.nowMs,
  lineEndMs: clock.nowMs,
  state: 'firing',
  lastValue: 1,
  lastEvaluatedAtMs: clock.nowMs,
  groupBy: '',
  groups: '[]',
  executionErrors: [],
  deliveryErrors: [],
  ...change,
});
const record = (...entries: AlertProgress[]) =>
  api.store.alerts.record({ progress: entries, evaluations: [], outbox: [] });

describe('who sees what', () => {
  it('admins of the first organization see the machines, members and guests their own work', async () => {
    expect(Object.keys(await statusOf(api)).toSorted()).toEqual(
      ['alerts', 'ingest', 'outbox', 'pipes', 'server', 'time', 'version'].toSorted(),
    );
    for (const caller of [member, guest]) {
      const { server, ...own } = await statusOf(caller);
      expect([server, own.version]).toEqual([undefined, '0.0.0-test']);
    }
  });

  it('a key of the organization reads the work for a service, and no machines', async () => {
    const { status, json } = await api.managed.organization(
      'GET',
      `/services/${api.managed.serviceId}/status`,
    );
    expect([status, json.status, json.result?.server]).toEqual([200, 200, undefined]);
    const { server: _, time: __, ...own } = await statusOf(api);
    const { time, ...ofService } = Status.parse(json.result);
    expect(ofService).toEqual(own);
    expect(Date.parse(time)).not.toBeNaN();
  });

  it('nothing of a team reaches another one', async () => {
    const name = 'canary of a guest';
    const alert = await newAlert(guest, { name });
    const webhook = await newWebhook(guest, { name });
    const pipeId = await newPipe(guest.teamId, name);
    await api.store.pipes.report(guest.teamId, pipeId, 1, 'Failed', name);
    await api.store.leases.acquire(`pipe/${pipeId}/0`, 'embedded', 60 * minute);
    await api.store.alerts.record({
      progress: [],
      evaluations: [],
      outbox: [
        {
          workspaceId: guest.teamId,
          alertId: alert.id,
          shard: 0,
          eventId: 'guest',
          webhookId: webhook.id,
          windowEndMs: 0,
          event: '{}',
          createdAtMs: clock.nowMs,
        },
      ],
    });
    const report = ingestReport({ stored: 7, last: { reason: name, atMs: 1 } });
    await api.store.nodes.beat(node('guest ingest', { elsewhere: report }));
    clock.nowMs += 10 * minute;
    await api.store.nodes.beat(node('guest ingest', { elsewhere: report }));
    const theirs = JSON.stringify(await statusOf(guest));
    expect(theirs.split(name).length).toBeGreaterThan(5);
    for (const caller of [api, member]) {
      const ours = JSON.stringify(await statusOf(caller));
      for (const text of [name, alert.id, webhook.id, pipeId]) {
        expect(ours).not.toContain(text);
      }
    }
    await api.store.nodes.leave('guest ingest');
  });

  it('needs a credential', async () => {
    const { status } = await api.call('GET', '/status', { headers: { authorization: '' } });
    expect(status).toBe(401);
  });
});

/** An alert that names what it evaluates. */
const completeAlert = async (name: string) =>
  newAlert(api, { name, savedSearchId: (await newSavedSearch(api)).id });

describe('alerts', () => {
  it('one that is due for more than a minute is late, the latest first', async () => {
    const before = await statusOf(api);
    const evaluated = await completeAlert('evaluated');
    const never = await completeAlert('<img src=x onerror=alert(1)>');
    // Windows of 5 minutes, and 5 seconds for late telemetry.
    await record(progress(evaluated.id, { lastEvaluatedAtMs: clock.nowMs + 5_000 }));
    clock.nowMs += 5 * minute + 5_000 + minute;
    const { alerts } = await statusOf(member);
    expect(alerts.total).toBe(before.alerts.total + 2);
    expect(alerts.late).toEqual([
      { id: never.id, name: '<img src=x onerror=alert(1)>', lateSeconds: 365 },
    ]);
    clock.nowMs += 1000;
    expect((await statusOf(api)).alerts.late[1]).toEqual({
      id: evaluated.id,
      name: 'evaluated',
      lateSeconds: 61,
    });
    // A change makes it due now.
    await api.call('PUT', `/alerts/${evaluated.id}`, { body: { threshold: 11 } });
    expect((await statusOf(api)).alerts.lateCount).toBe(1);
    await api.call('DELETE', `/alerts/${evaluated.id}`);
    await api.call('DELETE', `/alerts/${never.id}`);
  });

  it('one with an error is broken and not late, the oldest error first, and lists are limited', async () => {
    const made = [];
    for (let index = 0; index <= listedMax; index++) {
      made.push(await completeAlert(`broken ${index}`));
    }
    await record(
      ...made.map(({ id }, index) =>
        progress(id, {
          executionErrors: [
            { type: 'QUERY_ERROR', message: `reason ${index}`, sinceMs: clock.nowMs - index },
          ],
        }),
      ),
    );
    clock.nowMs += 60 * minute;
    const { alerts } = await statusOf(api);
    expect([alerts.lateCount, alerts.brokenCount, alerts.broken.length]).toEqual([
      0,
      listedMax + 1,
      listedMax,
    ]);
    expect(alerts.broken[0]).toEqual({
      id: made[listedMax].id,
      name: `broken ${listedMax}`,
      type: 'QUERY_ERROR',
      message: `reason ${listedMax}`,
      since: at(clock.nowMs - 60 * minute - listedMax),
    });
    for (const { id } of made) {
      await api.call('DELETE', `/alerts/${id}`);
    }
  });
});

describe('an alert that names nothing to evaluate', () => {
  it('is broken and not late, with the error of its record, also if it was evaluated once', async () => {
    const made = await newAlert(api, { name: 'new' });
    const once = await completeAlert('once');
    await record(progress(once.id));
    clock.nowMs += 1000;
    await api.call('PUT', `/alerts/${once.id}`, { body: { savedSearchId: null } });
    clock.nowMs += 10 * minute;
    const shown = async ({ id, name }: { id: string; name: string }, ageMs: number) => {
      const { json } = await api.call('GET', `/alerts/${id}`);
      const { message } = json.data.executionErrors[0];
      return { id, name, type: 'INVALID_ALERT', message, since: at(clock.nowMs - ageMs) };
    };
    const { alerts } = await statusOf(api);
    expect([alerts.lateCount, alerts.broken]).toEqual([
      0,
      [await shown(made, 10 * minute + 1000), await shown(once, 10 * minute)],
    ]);
    await api.call('DELETE', `/alerts/${made.id}`);
    await api.call('DELETE', `/alerts/${once.id}`);
  });
});

describe('notifications', () => {
  it('that wait are counted by webhook, the oldest first', async () => {
    expect((await statusOf(api)).outbox).toEqual({ waiting: 0, webhooks: [] });
    const [one, two] = [await newWebhook(api), await newWebhook(api)];
    const entry = (eventId: string, webhookId: string, ageMs: number) => ({
      workspaceId: api.teamId,
      alertId: 'b'.repeat(24),
      shard: 0,
      eventId,
      webhookId,
      windowEndMs: 0,
      event: '{}',
      createdAtMs: clock.nowMs - ageMs,
    });
    await api.store.alerts.record({
      progress: [],
      evaluations: [],
      outbox: [entry('a', one.id, 1000), entry('b', one.id, 2000), entry('c', two.id, 3000)],
    });
    expect((await statusOf(member)).outbox).toEqual({
      waiting: 3,
      oldestAt: at(clock.nowMs - 3000),
      webhooks: [
        { id: two.id, name: two.name, waiting: 1, oldestAt: at(clock.nowMs - 3000) },
        { id: one.id, name: one.name, waiting: 2, oldestAt: at(clock.nowMs - 2000) },
      ],
    });
  });
});

describe('pipes', () => {
  it('that failed, retry or cannot be removed are named with the reason', async () => {
    const names = ['running', 'degraded', 'failed', 'deleted', 'being deleted'];
    const [running, degraded, failed, deleted, leaving] = await Promise.all(
      names.map((name) => newPipe(api.teamId, name)),
    );
    const report = (
      id = '',
      ...said: ['Running' | 'Degraded' | 'Failed' | 'Deleting', string | null]
    ) => api.store.pipes.report(api.teamId, id, 1, ...said);
    await report(running, 'Running', 'a note');
    await report(degraded, 'Degraded', 'the broker does not respond');
    await report(failed, 'Failed', 'no such topic');
    await report(deleted, 'Deleting', 'the slot cannot be dropped');
    await report(leaving, 'Deleting', null);
    // The document of a deleted pipe is gone; a copy has its name.
    await api.store.pipes.markDeleted(api.teamId, deleted!, {
      body: documentBody({ name: 'deleted' }),
      sealed: null,
    });
    await api.store.documents.remove(api.teamId, 'pipe', deleted!);
    const since = at(clock.nowMs);
    expect((await statusOf(member)).pipes).toEqual({
      total: 4,
      failingCount: 3,
      failing: [
        { id: failed, name: 'failed', state: 'Failed', message: 'no such topic', since },
        {
          id: degraded,
          name: 'degraded',
          state: 'Degraded',
          message: 'the broker does not respond',
          since,
        },
        {
          id: deleted,
          name: 'deleted',
          state: 'Deleting',
          message: 'the slot cannot be dropped',
          since,
        },
      ],
    });
  });
});

const ingestReport = (figures: Partial<IngestReport> = {}): IngestReport => ({
  stored: 0,
  rejected: 0,
  refused: 0,
  last: null,
  ...figures,
});
const node = (id: string, ingest?: NonNullable<Node['report']['ingest']>): Node => ({
  id,
  roles: ['ingest'],
  version: '1.0.0',
  startedAtMs: clock.nowMs,
  report: { host: 'web-2', processId: 8, memoryBytes: 1000, ...(ingest && { ingest }) },
});

describe('telemetry received', () => {
  it('adds up what all processes report for the database of the team', async () => {
    const last = (reason: string, atMs: number) => ({ reason, atMs });
    await api.store.nodes.beat(
      node('one', {
        telemetry: ingestReport({ stored: 3000, rejected: 2, last: last('older', 1000) }),
        another: ingestReport({ stored: 1 }),
      }),
    );
    await api.store.nodes.beat(
      node('two', {
        telemetry: ingestReport({ stored: 150, refused: 4, last: last('newer', 2000) }),
      }),
    );
    expect((await statusOf(member)).ingest).toEqual({
      windowSeconds: 300,
      storedRecords: 3150,
      recordsPerSecond: 10.5,
      rejectedRecords: 2,
      refusedRequests: 4,
      lastRefusal: { reason: 'newer', at: at(2000) },
    });
    clock.nowMs += 31_000;
    await api.store.nodes.beat(node('two', { telemetry: ingestReport({ stored: 150 }) }));
    expect((await statusOf(member)).ingest.storedRecords).toBe(150);
    await Promise.all(['one', 'two'].map((id) => api.store.nodes.leave(id)));
  });
});

describe('the server', () => {
  it('lists its processes with their leases; one without a heartbeat is lost', async () => {
    await api.store.nodes.beat(node('other'));
    const own = await newPipe(api.teamId, 'own');
    const acquire = (name: string, holder: string) =>
      api.store.leases.acquire(name, holder, 60 * minute);
    await Promise.all([
      acquire('alerts/3', 'other'),
      acquire('alerts/11', 'other'),
      acquire('alerts/4', 'somebody unknown'),
      acquire(`pipe/${own}/0`, 'other'),
      acquire(`pipe/${own}/1`, 'other'),
      acquire(`pipe/${randomUUID()}/0`, 'other'),
    ]);
    clock.nowMs += 30_000;
    const { nodes, freeAlertShards } = await serverOf();
    expect(nodes.find(({ id }) => id === 'other')).toEqual({
      id: 'other',
      host: 'web-2',
      processId: 8,
      version: '1.0.0',
      roles: ['ingest'],
      state: 'running',
      startedAt: at(clock.nowMs - 30_000),
      lastSeenAt: at(clock.nowMs - 30_000),
      memoryBytes: 1000,
      alertShards: [3, 11],
      pipeReaders: 3,
      pipes: [own],
    });
    expect(freeAlertShards).toEqual([0, 1, 2, 5, 6, 7, 8, 9, 10, 12, 13, 14, 15]);
    clock.nowMs += 1;
    expect((await serverOf()).nodes.find(({ id }) => id === 'other')?.state).toBe('lost');
  });

  it('shows the process that responds, with its disk and without a path or an address', async () => {
    const { nodes } = await serverOf();
    const [self] = nodes.filter(({ processId }) => processId === process.pid);
    expect(self).toMatchObject({ id: 'embedded', roles: ['api'], version: '0.0.0-test' });
    expect(self!.memoryBytes).toBeGreaterThan(2 ** 20);
    expect(self!.disk!.totalBytes).toBeGreaterThan(self!.disk!.freeBytes);
    const text = JSON.stringify(await statusOf(api));
    expect(text).not.toContain(api.directory);
    expect(text).not.toContain('127.0.0.1');
  });
});
