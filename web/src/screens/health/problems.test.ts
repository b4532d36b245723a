import { describe, expect, it } from 'vitest';
import type { Status } from '../../api/queries/status.ts';
import { problemsOf } from './problems.ts';

type Server = NonNullable<Status['server']>;

const time = '2026-11-20T12:00:00.000Z';
const before = (seconds: number): string =>
  new Date(Date.parse(time) - seconds * 1000).toISOString();
const gib = 2 ** 30;

const node = (over: Partial<Server['nodes'][number]> = {}): Server['nodes'][number] => ({
  id: 'embedded',
  host: 'web-1',
  processId: 7,
  version: '1.0.0',
  roles: ['api'],
  state: 'running',
  startedAt: before(3600),
  lastSeenAt: before(2),
  memoryBytes: gib,
  disk: { freeBytes: 60 * gib, totalBytes: 100 * gib },
  alertShards: [],
  pipeReaders: 0,
  pipes: [],
  ...over,
});
const engine = (over: Partial<Server['engines'][number]> = {}): Server['engines'][number] => ({
  disks: [{ name: 'default', freeBytes: 60 * gib, totalBytes: 100 * gib }],
  memory: { usedBytes: gib, limitBytes: 4 * gib },
  parts: { active: 400, mostInPartition: 9, broken: 0, detached: 3 },
  errors: [],
  ...over,
});
const server = (over: Partial<Server> = {}): { server: Server } => ({
  server: { nodes: [node()], freeAlertShards: [], engines: [engine()], ...over },
});
const status = (over: Partial<Status> = {}): Status => ({
  version: '1.0.0',
  time,
  alerts: { total: 3, lateCount: 0, late: [], brokenCount: 0, broken: [] },
  outbox: { waiting: 0, webhooks: [] },
  pipes: { total: 2, failingCount: 0, failing: [] },
  ingest: {
    windowSeconds: 300,
    storedRecords: 1,
    recordsPerSecond: 0,
    rejectedRecords: 0,
    refusedRequests: 0,
  },
  ...server(),
  ...over,
});
const lines = (over: Partial<Status>): string[] =>
  problemsOf(status(over), []).map(({ level, title }) => `${level}: ${title}`);

describe('problems', () => {
  it('there are none if everything works, also for a person who does not see the server', () => {
    expect(problemsOf(status(), [])).toEqual([]);
    const { server: _, ...own } = status();
    expect(problemsOf(own, [])).toEqual([]);
    expect(problemsOf(undefined, [])).toEqual([]);
  });

  it('the worst comes first', () => {
    const found = lines({
      pipes: {
        total: 2,
        failingCount: 3,
        failing: [
          { id: 'p1', name: 'orders', state: 'Degraded', message: '', since: time },
          { id: 'p2', name: 'users', state: 'Failed', message: '', since: time },
        ],
      },
      ...server({ nodes: [node(), node({ id: 'two', version: '1.1.0' })] }),
    });
    expect(found).toEqual([
      'error: The pipe “users” has failed.',
      'warning: The pipe “orders” has a problem and retries.',
      'warning: 1 more pipe does not work.',
      'note: Processes run different versions: 1.0.0, 1.1.0.',
    ]);
  });

  it('a part that does not respond is named without the state, and the engine once', () => {
    const titles = [
      'The metadata store does not respond.',
      'The disk of the data directory is full.',
    ];
    expect(problemsOf(undefined, ['store', 'disk']).map(({ title }) => title)).toEqual(titles);
    const away = server({ engines: [{ errors: ['The telemetry engine does not respond.'] }] });
    expect(problemsOf(status(away), ['engine']).map(({ title }) => title)).toEqual([
      'The telemetry engine does not respond.',
    ]);
    expect(lines(away)).toEqual(['error: Figures of the engine are missing.']);
  });

  it('a pipe, an alert and a webhook have the reason and a link', () => {
    const found = problemsOf(
      status({
        pipes: {
          total: 1,
          failingCount: 2,
          failing: [
            { id: 'p1', name: '<b>', state: 'Failed', message: 'no such topic', since: time },
            { id: 'p2', name: 'gone', state: 'Deleting', message: 'No rights.', since: time },
          ],
        },
        alerts: {
          total: 1,
          lateCount: 0,
          late: [],
          brokenCount: 1,
          broken: [
            { id: 'a1', name: '', type: 'QUERY_ERROR', message: 'no column x', since: time },
          ],
        },
        outbox: {
          waiting: 5,
          webhooks: [
            { id: 'w1', name: 'ops', waiting: 3, oldestAt: before(720) },
            { id: 'w2', name: 'quick', waiting: 2, oldestAt: before(119) },
          ],
        },
      }),
      [],
    );
    expect(found.map(({ title, text, links }) => [title, text, links?.[0]?.path])).toEqual([
      ['The pipe “<b>” has failed.', 'No such topic.', '/pipes/p1'],
      ['The alert “Unnamed” does not work.', 'The query fails: no column x.', '/alerts/a1'],
      ['The deleted pipe “gone” cannot be removed from its source.', 'No rights.', undefined],
      [
        '3 notifications wait for the webhook “ops”, the oldest for 12 min.',
        'Its receiver does not accept them. The deliveries of the webhook have the reason.',
        '/settings/webhooks/w1',
      ],
    ]);
  });

  it('late alerts are one problem, which names five', () => {
    const late = Array.from({ length: 7 }, (_, index) => ({
      id: `a${index}`,
      name: `alert ${index}`,
      lateSeconds: 500 - index,
    }));
    const alerts = { total: 40, lateCount: 30, late, brokenCount: 0, broken: [] };
    const [problem, ...others] = problemsOf(status({ alerts }), []);
    expect([problem?.level, problem?.title, problem?.links?.length, others]).toEqual([
      'warning',
      '30 alerts are late, “alert 0” by 8 min.',
      5,
      [],
    ]);
    const one = [{ id: 'a', name: 'only', lateSeconds: 7200 }];
    expect(lines({ alerts: { ...alerts, lateCount: 1, late: one } })).toEqual([
      'error: The alert “only” is late by 2 h.',
    ]);
  });

  it('refused telemetry has its last reason', () => {
    const ingest = { ...status().ingest, refusedRequests: 4, rejectedRecords: 1 };
    const lastRefusal = { reason: 'the disk is full', at: time };
    const [problem] = problemsOf(status({ ingest: { ...ingest, lastRefusal } }), []);
    expect([problem?.title, problem?.text]).toEqual([
      'Telemetry was refused in the last 5 min: 4 requests and 1 record.',
      'The sender was told: the disk is full.',
    ]);
  });

  it('shards without a process, and lost processes', () => {
    const all = Array.from({ length: 16 }, (_, shard) => shard);
    const lost = node({ id: 'lost', state: 'lost', version: '0.9.0', lastSeenAt: before(200) });
    expect(lines(server({ freeAlertShards: all, nodes: [node(), lost] }))).toEqual([
      'error: No process evaluates alerts.',
      'warning: The process 7 on web-1 was last seen 3 min ago.',
    ]);
    expect(lines(server({ freeAlertShards: [3] }))).toEqual([
      'error: No process evaluates 1 of 16 shards of alerts.',
    ]);
  });

  it('disks, memory and parts, each past its limit', () => {
    const disk = (free: number) => [
      { name: 'default', freeBytes: free * gib, totalBytes: 100 * gib },
    ];
    expect(lines(server({ engines: [engine({ disks: disk(16) })] }))).toEqual([]);
    // The disk of an embedded engine is that of its process.
    const full = { freeBytes: 4 * gib, totalBytes: 100 * gib };
    expect(
      lines(server({ nodes: [node({ disk: full })], engines: [engine({ disks: disk(4) })] })),
    ).toEqual(['error: The disk “default” of the engine has 4 GiB of 100 GiB left.']);
    expect(lines(server({ nodes: [node({ disk: full })], engines: [] }))).toEqual([
      'error: The disk of the data directory on web-1 has 4 GiB of 100 GiB left.',
    ]);
    const worn = engine({
      shard: 'ch-2:9000',
      disks: disk(14),
      memory: { usedBytes: 3.9 * gib, limitBytes: 4 * gib },
      parts: { active: 3000, mostInPartition: 1000, broken: 2, detached: 0 },
      errors: ['The ClickHouse user may not read it.'],
    });
    expect(lines(server({ engines: [worn] }))).toEqual([
      'error: The shard ch-2:9000 cannot read 2 parts of its tables.',
      'warning: Figures of the shard ch-2:9000 are missing.',
      'warning: The disk “default” of the shard ch-2:9000 has 14 GiB of 100 GiB left.',
      'warning: The shard ch-2:9000 uses 3.9 GiB of 4 GiB memory.',
      'warning: A partition of the shard ch-2:9000 has 1,000 parts.',
    ]);
  });
});
