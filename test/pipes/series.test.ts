import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createConnectors } from '../../src/adapters/connectors/registry.ts';
import type { PipeMetrics } from '../../src/contract/pipe/pipe-reports.ts';
import { Fault } from '../../src/contract/errors.ts';
import { TelemetryError, type Telemetry } from '../../src/ports/telemetry.ts';
import { qualified, sql } from '../../src/sql/sql.ts';
import { MemoryLog } from '../conformance/memory-log.ts';
import { until } from '../kit/eventually.ts';
import { insertWorkspace } from '../kit/workspace.ts';
import { pipeWorld, type PipeWorld } from './pipe-world.ts';

/** The figures of pipes by minute, on the real store and engine. */

const minuteMs = 60_000;
const log = new MemoryLog(1);
let world: PipeWorld;
let pipeId: string;
let stored = 0;
/** A minute begins soon after the pipes start. */
let offsetMs = 0;
/** Whether the table of the pipe takes no rows. */
let isDown = false;
const failing = (engine: Telemetry): Telemetry =>
  new Proxy(engine, {
    get(target, name) {
      if (name === 'insert') {
        return (...args: Parameters<Telemetry['insert']>) =>
          isDown && args[1] === 'log'
            ? Promise.reject(new TelemetryError('unavailable', 'cut for the test'))
            : target.insert(...args);
      }
      const member = Reflect.get(target, name) as unknown;
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
const clock = { now: () => Date.now() + offsetMs };
beforeAll(async () => {
  const connectors = {
    ...createConnectors(),
    kafka: (context: Parameters<typeof log.connector>[0]) => log.connector(context),
  };
  world = await pipeWorld({ connectors, tickMs: 50, clock, wrapTelemetry: failing });
  await insertWorkspace(world.store, world.principal.workspace.id, 'shop');
  const pipe = await world.create({
    source: { kafka: { brokers: '127.0.0.1:9', topics: 'log' } },
    destination: { database: 'shop', table: 'log', columns: [{ name: 'n', type: 'UInt32' }] },
    settings: { streaming_max_insert_wait_ms: 500 },
  });
  pipeId = pipe.id;
  offsetMs = minuteMs - 4000 - (Date.now() % minuteMs);
  world.pipes.start();
});
afterAll(() => world?.close());
const metrics = async (query: object): Promise<PipeMetrics> =>
  (await world.call('getPipeMetrics', { params: { pipeId }, query })).value;
const iso = (ms: number): string => new Date(ms).toISOString();
/** Stores more records. */
async function store(count: number, waiting = 0): Promise<void> {
  log.append(Array.from({ length: count }, (_, n) => `{"n":${n}}`));
  stored += count + waiting;
  const isStored = async () => (await world.metrics(pipeId)).rows === stored;
  await until(`${stored} rows`, isStored, 60_000);
}
const begin = Math.floor(Date.now() / minuteMs) * minuteMs - 600_000;

describe('the figures of a pipe by minute', () => {
  it('are empty before the first sample, and absent unless they are asked for', async () => {
    expect((await metrics({ from: iso(begin) })).series).toEqual([]);
    expect(await world.metrics(pipeId)).not.toHaveProperty('series');
  });

  it('are stored at the begin of a minute', async () => {
    await store(2);
    const from = clock.now();
    const points = await until(
      'a sample',
      async () => {
        const { series = [] } = await metrics({ from: iso(from) });
        return series.length > 0 && series;
      },
      90_000,
    );
    expect(points.map(({ at, rows }) => [at, rows])).toEqual([
      [iso(Math.ceil(from / minuteMs) * minuteMs), 2],
    ]);
  }, 100_000);

  it('are those of each minute, the last ones if a minute was sampled twice', async () => {
    await store(3);
    await world.pipes.sample(begin);
    await store(4);
    await world.pipes.sample(begin + minuteMs + 1);
    await store(5);
    await world.pipes.sample(begin + minuteMs + 900);
    const { series = [], bytes } = await metrics({
      from: iso(begin),
      to: iso(begin + 5 * minuteMs),
    });
    expect(series.map(({ at, rows, errors }) => [at, rows, errors])).toEqual([
      [iso(begin), 5, 0],
      [iso(begin + minuteMs), 14, 0],
    ]);
    expect(series[1]).toEqual({
      at: iso(begin + minuteMs),
      rows: 14,
      bytes,
      errors: 0,
      lag: 0,
      retainedBytes: null,
      oldestUnprocessedAt: null,
    });
    const first = await metrics({ from: iso(begin), to: iso(begin + minuteMs) });
    expect(first.series?.map(({ at }) => at)).toEqual([iso(begin)]);
  });

  it('tell how far the pipe is behind', async () => {
    isDown = true;
    log.append(['{"n":1}', '{"n":2}']);
    await until('a backlog', async () => (await world.metrics(pipeId)).lag === 2);
    await world.pipes.sample(begin + 2 * minuteMs);
    isDown = false;
    await store(0, 2);
    const { series = [] } = await metrics({
      from: iso(begin + 2 * minuteMs),
      to: iso(begin + 3 * minuteMs),
    });
    expect(series).toMatchObject([
      { rows: 14, lag: 2, oldestUnprocessedAt: '2023-11-14T22:13:20.000Z' },
    ]);
  });

  it('end with the sample after the pipe stopped', async () => {
    await store(1);
    await world.call('changePipeState', { params: { pipeId }, body: { command: 'stop' } });
    await until('stopped', async () => (await world.get(pipeId)).state === 'Stopped');
    for (const minute of [3, 4, 5]) {
      await world.pipes.sample(begin + minute * minuteMs);
    }
    const range = { from: iso(begin + 3 * minuteMs), to: iso(begin + 6 * minuteMs) };
    const { series = [] } = await metrics(range);
    expect(series.map(({ at, rows }) => [at, rows])).toEqual([[iso(begin + 3 * minuteMs), 17]]);
  });

  it('are kept for a day', async () => {
    const table = qualified('shop', 'sightline_pipe_minutes');
    const options = { purpose: 'admin', timeoutMs: 20_000 } as const;
    await world.engine.command(
      sql`INSERT INTO ${table} (pipe_id, minute) VALUES (${pipeId}, now() - INTERVAL 26 HOUR)`,
      options,
    );
    await world.engine.command(sql`OPTIMIZE TABLE ${table} FINAL`, options);
    expect(
      await world.rows(sql`SELECT count(), min(minute) > now() - INTERVAL 1 HOUR FROM ${table}`),
    ).toEqual([['5', 1]]);
  });

  it.each([
    [{ to: iso(begin) }, 'from', 'is required with to'],
    [{ from: iso(begin), to: iso(begin) }, 'from', 'must be before to'],
    [{ from: iso(Date.now() + 600_000) }, 'from', 'must be in the past'],
    [{ from: iso(begin - 86_400_000) }, 'from', 'must be at most 24 hours before to'],
    [{ from: 'yesterday' }, 'from', 'must be an ISO 8601 date-time with an offset'],
  ])('of a range that makes no sense are refused: %j', async (query, path, message) => {
    const fault = await metrics(query).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(fault).toBeInstanceOf(Fault);
    expect((fault as Fault).issues).toEqual([{ path, message }]);
  });
});
