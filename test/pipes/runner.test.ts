import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Registry } from 'prom-client';
import { createConnectors } from '../../src/adapters/connectors/registry.ts';
import type { Pipe } from '../../src/contract/pipe/pipe.ts';
import type { PipeError } from '../../src/contract/pipe/pipe-reports.ts';
import { ConnectionLost, type Connector } from '../../src/ports/connector.ts';
import { TelemetryError, type Telemetry } from '../../src/ports/telemetry.ts';
import { measurePipes } from '../../src/app/metrics/pipe-metrics.ts';
import { qualified, sql } from '../../src/sql/sql.ts';
import { MemoryLog } from '../conformance/memory-log.ts';
import { until } from '../kit/eventually.ts';
import { pipeWorld, type PipeWorld } from './pipe-world.ts';

/** The runner itself, on the real store and engine; only the source is a log in memory. */

let world: PipeWorld;
const logs = new Map<string, MemoryLog>();
let down = false;
/** How many records of which source the runner was done with. */
const released = new Map<string, number>();
const inserts: string[] = [];
/** The engine, with a line to it that can be cut. */
const failing = (engine: Telemetry): Telemetry => ({
  embedded: engine.embedded,
  guardsEgress: engine.guardsEgress,
  relayFor: (...args) => engine.relayFor(...args),
  rollupExactFrom: (...args) => engine.rollupExactFrom(...args),
  query: (...args) => engine.query(...args),
  stream: (...args) => engine.stream(...args),
  command: (...args) => engine.command(...args),
  columns: (...args) => engine.columns(...args),
  forgetColumns: (...args) => engine.forgetColumns(...args),
  migrate: (...args) => engine.migrate(...args),
  ping: (...args) => engine.ping(...args),
  close: () => engine.close(),
  async insert(...args) {
    if (down) {
      throw new TelemetryError('unavailable', 'cut for the test');
    }
    if (args[3]?.deduplicationToken !== undefined) {
      inserts.push(args[3].deduplicationToken);
    }
    await engine.insert(...args);
  },
});
/** What the removal at the source of a deleted pipe does. */
const removals = new Map<string, () => Promise<void>>();
const noting = (topic: string, connector: Connector): Connector => ({
  check: (signal) => connector.check(signal),
  commit: (...args) => connector.commit(...args),
  explorer: () => connector.explorer(),
  close: () => connector.close(),
  remove: async () => removals.get(topic)?.(),
  async *read(from, signal) {
    for await (const batch of connector.read(from, signal)) {
      yield {
        ...batch,
        release: () => {
          released.set(
            topic,
            (released.get(topic) ?? 0) + (batch.kind === 'records' ? batch.records.length : 0),
          );
        },
      };
    }
  },
});
beforeAll(async () => {
  const connectors = {
    ...createConnectors(),
    kafka: (context: Parameters<ReturnType<typeof createConnectors>['kafka']>[0]) =>
      noting(context.source.topics, logs.get(context.source.topics)!.connector(context)),
  };
  world = await pipeWorld({ connectors, wrapTelemetry: failing, tickMs: 50, leaseMs: 3000 });
  world.pipes.start();
  measurePipes(registry, world.pipes);
});
afterAll(() => world?.close());
const columns = [
  { name: 'n', type: 'UInt32' },
  { name: 'text', type: 'String' },
];
function bodyOf(name: string, partitions: number, rest: object = {}, destination: object = {}) {
  const log = new MemoryLog(partitions);
  logs.set(name, log);
  return {
    log,
    body: {
      source: { kafka: { brokers: '127.0.0.1:9', topics: name } },
      destination: { database: 'shop', table: name, columns, ...destination },
      settings: { streaming_max_insert_wait_ms: 500 },
      ...rest,
    },
  };
}
const values = (from: number, to: number): string[] =>
  Array.from(
    { length: to - from },
    (_, index) => `{"n":${from + index},"text":"t${from + index}"}`,
  );
const count = async (table: string): Promise<number> =>
  Number((await world.rows(sql`SELECT count() FROM ${qualified('shop', table)}`))[0]?.[0]);
const state = async (id: string): Promise<string> => (await world.get(id)).state;
const command = (pipeId: string, name: string): Promise<unknown> =>
  world.call('changePipeState', { params: { pipeId }, body: { command: name } });
const registry = new Registry();
/** What `/metrics` says. */
const page = (): Promise<string> => registry.metrics();
const stateIs = (id: string, wanted: string): Promise<true> =>
  until(`state ${wanted}`, async () => (await state(id)) === wanted, 20_000);

describe('the runner and its records', () => {
  it('stores every record once, commits what is stored, and counts it', async () => {
    const { log, body } = bodyOf('once', 4);
    log.append(values(0, 3000));
    const pipe = await world.create(body);
    expect(pipe).toMatchObject({
      state: 'Provisioning',
      serviceId: world.principal.workspace.serviceId,
    });
    await until('rows', async () => (await count('once')) === 3000);
    expect(
      (
        await world.rows(
          sql`SELECT uniqExact(n), sum(n), countIf(text = concat('t', toString(n))) FROM shop.once`,
        )
      )[0],
    ).toEqual(['3000', String((3000 * 2999) / 2), '3000']);
    await until('commits', () =>
      Promise.resolve(
        [...log.committed.values()].every((position) => position === '750') &&
          log.committed.size === 4,
      ),
    );
    expect(await world.metrics(pipe.id)).toMatchObject({
      rows: 3000,
      errors: 0,
      lag: 0,
      bytes: values(0, 3000).join('').length,
    });
    await stateIs(pipe.id, 'Running');
  });

  it('puts records that cannot be stored into the error table with reason and place, exactly those', async () => {
    const { log, body } = bodyOf('poison', 2);
    const bad = [
      'not json',
      '{"n":1',
      '{"n":1}{"n":2}',
      '',
      '{"n":"many","text":"x"}',
      '{"n":7,"text":"unclosed}',
      '{"n":[1]}',
      '[1]',
      '{"n":4294967296,"text":"too large"}',
      '{"text":"too small","n":-1}',
    ];
    log.append(
      values(0, 400).flatMap((value, index) =>
        index % 40 === 0 && index / 40 < bad.length ? [bad[index / 40]!, value] : [value],
      ),
    );
    const pipe = await world.create(body);
    await until(
      'rows',
      async () => (await count('poison')) === 400 && (await world.metrics(pipe.id)).rows === 400,
    );
    const { value: errors } = (await world.call('listPipeErrors', {
      params: { pipeId: pipe.id },
    })) as { value: PipeError[] };
    expect(errors.map(({ raw }) => raw).sort()).toEqual([...bad].sort());
    const plain = (error: PipeError): boolean =>
      error.reason.length > 5 &&
      !/DB::|\n|__sightline/.test(error.reason) &&
      /^\d+$/.test(error.position) &&
      /^[01]$/.test(error.partition);
    expect(errors.filter((error) => !plain(error))).toEqual([]);
    expect(
      errors.filter(({ reason }) => reason === 'a value is out of range for n (UInt32)'),
    ).toHaveLength(2);
    expect(await world.metrics(pipe.id)).toMatchObject({ rows: 400, errors: bad.length });
  });

  it('stores the good half where every second record is bad, and every bad one in the error table', async () => {
    const { log, body } = bodyOf('flood', 1);
    log.append(
      values(0, 800).map((value, index) => {
        if (index % 2 === 0) {
          return value;
        }
        return index % 4 === 1 ? `{"n":"no number ${index}"}` : `{"n":${2 ** 32 + index}}`;
      }),
    );
    const pipe = await world.create(body);
    await until(
      'rows',
      async () =>
        (await world.metrics(pipe.id)).rows + (await world.metrics(pipe.id)).errors === 800,
    );
    expect(
      (await world.rows(sql`SELECT count(), countIf(n % 2 = 0), uniqExact(n) FROM shop.flood`))[0],
    ).toEqual(['400', '400', '400']);
    expect(
      (
        await world.rows(
          sql`SELECT uniqExact(raw), countIf(reason LIKE '%out of range for n%'),
              countIf(length(reason) < 10)
            FROM shop.flood_pipe_errors`,
        )
      )[0],
    ).toEqual(['400', '200', '0']);
  });

  it('maps dotted paths and virtual fields, keeps 64-bit digits, leaves out what is missing', async () => {
    const wide = [
      { name: 'id', type: 'UInt64' },
      { name: 'city', type: 'String' },
      { name: 'place', type: 'UInt64' },
      { name: 'time', type: "DateTime64(3, 'UTC')" },
      { name: 'note', type: 'Nullable(String)' },
      { name: 'raw', type: 'String' },
    ];
    const fields = {
      id: 'order.id',
      city: 'order.address.city',
      place: '_offset',
      time: '_timestamp',
      note: 'note',
      raw: '_raw_message',
    };
    const { log, body } = bodyOf(
      'mapped',
      1,
      {
        fieldMappings: Object.entries(fields).map(([destinationField, sourceField]) => ({
          sourceField,
          destinationField,
        })),
      },
      { columns: wide },
    );
    const record =
      '{"order":{"id":18446744073709551615,"address":{"city":"K\\u00f6ln \\"x\\""}},"junk":[{"id":1}]}';
    log.append([record, '{"order.id":5,"note":"n"}']);
    await world.create(body);
    await until('rows', async () => (await count('mapped')) === 2);
    expect(
      await world.rows(
        sql`SELECT toString(id), city, place, toString(time), note, raw FROM shop.mapped ORDER BY place`,
      ),
    ).toEqual([
      ['18446744073709551615', 'Köln "x"', '0', '2023-11-14 22:13:20.000', null, record],
      ['5', '', '1', '2023-11-14 22:13:20.000', 'n', '{"order.id":5,"note":"n"}'],
    ]);
  });
});

describe('the runner and faults', () => {
  it('loses nothing and holds little while the destination is away, says so, and recovers', async () => {
    const { log, body } = bodyOf('away', 2);
    const pipe = await world.create(body);
    await stateIs(pipe.id, 'Running');
    down = true;
    try {
      log.append(values(0, 1000));
      await stateIs(pipe.id, 'Degraded');
      expect((await world.get(pipe.id)).stateMessage).toMatch(/destination does not respond/);
      // The log gives every record this time.
      expect(await world.metrics(pipe.id)).toMatchObject({
        rows: 0,
        oldestUnprocessedAt: '2023-11-14T22:13:20.000Z',
      });
      expect((await world.metrics(pipe.id)).lag).toBeGreaterThan(0);
      const waiting = await page();
      expect(waiting).toContain(
        `sightline_pipe_oldest_unprocessed_timestamp_seconds{pipe="${pipe.id}"} 1700000000\n`,
      );
      expect(waiting).toMatch(
        new RegExp(`sightline_pipe_lag_records\\{pipe="${pipe.id}"\\} [1-9]`),
      );
    } finally {
      down = false;
    }
    await until('rows', async () => (await count('away')) === 1000, 90_000);
    await stateIs(pipe.id, 'Running');
    await until(
      'nothing to wait',
      async () => (await world.metrics(pipe.id)).oldestUnprocessedAt === null,
    );
    expect(await world.metrics(pipe.id)).toMatchObject({ rows: 1000, lag: 0 });
    const [rows, lag, oldest] = [
      'rows_total',
      'lag_records',
      'oldest_unprocessed_timestamp_seconds',
    ].map((name) => new RegExp(`^sightline_pipe_${name}\\{pipe="${pipe.id}"\\} (.*)$`, 'm'));
    const calm = await page();
    expect([rows!.exec(calm)?.[1], lag!.exec(calm)?.[1], oldest!.exec(calm)?.[1]]).toEqual([
      '1000',
      '0',
      undefined,
    ]);
  });

  it('releases the memory of stored records, but not after an insert that failed', async () => {
    const { log, body } = bodyOf('memory', 1);
    log.append(values(0, 400));
    const pipe = await world.create(body);
    await until('the first to be free', () => Promise.resolve(released.get('memory') === 400));
    expect(await count('memory')).toBe(400);
    down = true;
    try {
      log.append(values(400, 450));
      await stateIs(pipe.id, 'Degraded');
      expect(released.get('memory')).toBe(400);
    } finally {
      down = false;
    }
    await until('rows', async () => (await count('memory')) === 450, 90_000);
    await stateIs(pipe.id, 'Running');
    log.append(values(450, 500));
    await until('the last to be free', () => Promise.resolve(released.get('memory') === 450));
    expect(await count('memory')).toBe(500);
  });

  it('goes on where it stopped', async () => {
    const { log, body } = bodyOf('stops', 2);
    log.append(values(0, 500));
    const pipe = await world.create(body);
    await until('rows', async () => (await count('stops')) === 500);
    await command(pipe.id, 'stop');
    await stateIs(pipe.id, 'Stopped');
    await command(pipe.id, 'stop');
    log.append(values(500, 900));
    const readBefore = log.reads;
    await command(pipe.id, 'start');
    await until('rows', async () => (await count('stops')) === 900);
    expect(log.reads - readBefore).toBe(400);
    await expect(command(pipe.id, 'start')).rejects.toMatchObject({ code: 'bad_request' });
    await expect(command(pipe.id, 'resync')).rejects.toMatchObject({ code: 'bad_request' });
  });

  it('stores the same range under the same token when a reader dies between insert and record', async () => {
    const { log, body } = bodyOf('dies', 1);
    log.append(values(0, 200));
    const pipe = await world.create(body);
    await until('rows', async () => (await count('dies')) === 200);
    await command(pipe.id, 'stop');
    await stateIs(pipe.id, 'Stopped');
    const { workspace } = world.principal;
    // As a reader leaves it that died after the insert: the range is recorded as intended, the
    // position is not moved.
    const { claim } = await world.store.pipes.claim(workspace.id, pipe.id, '0');
    log.append(values(200, 300));
    const last = inserts.length;
    await world.store.pipes.intend(claim, { until: '300' });
    await command(pipe.id, 'start');
    await until('rows', async () => (await count('dies')) === 300);
    const [token] = inserts.slice(last);
    await command(pipe.id, 'stop');
    await stateIs(pipe.id, 'Stopped');
    const again = await world.store.pipes.claim(workspace.id, pipe.id, '0');
    await world.store.pipes.advance(
      again.claim,
      '200',
      { rows: 0, bytes: 0, errors: 0, batches: 0 },
      null,
    );
    await world.store.pipes.intend(again.claim, { until: '300' });
    log.append(values(300, 350));
    await command(pipe.id, 'start');
    await until('rows', async () => (await count('dies')) === 350);
    expect(inserts.slice(last).filter((one) => one === token)).toHaveLength(2);
    expect((await world.rows(sql`SELECT count(), uniqExact(n) FROM shop.dies`))[0]).toEqual([
      '350',
      '350',
    ]);
  });
});

describe('the runner and its readers', () => {
  it('refuses every write of a reader whose partition somebody else has claimed', async () => {
    const { body } = bodyOf('fenced', 1);
    const { id } = await world.create(body);
    const { workspace } = world.principal;
    const { claim: old } = await world.store.pipes.claim(workspace.id, id, 'p');
    const { claim } = await world.store.pipes.claim(workspace.id, id, 'p');
    const none = { rows: 5, bytes: 5, errors: 0, batches: 1 };
    expect([
      await world.store.pipes.intend(old, { until: '9' }),
      await world.store.pipes.advance(old, '9', none, null),
    ]).toEqual(['refused', false]);
    expect([
      await world.store.pipes.intend(claim, { until: '7' }),
      await world.store.pipes.advance(claim, '7', none, null),
    ]).toEqual(['recorded', true]);
    expect(await world.metrics(id)).toMatchObject({ rows: 5 });
  });

  it('shares a pipe with a second runner: each replica has one holder, and every record is stored once', async () => {
    const second = await world.another('second');
    second.start();
    const { log, body } = bodyOf('shared', 4, { scaling: { replicas: 2 } });
    log.append(values(0, 2000));
    await world.create(body);
    await until('rows', async () => (await count('shared')) === 2000);
    await second.stop();
    log.append(values(2000, 3000));
    await until('rows', async () => (await count('shared')) === 3000);
    expect((await world.rows(sql`SELECT uniqExact(n) FROM shop.shared`))[0]).toEqual(['3000']);
  });

  it('takes a changed definition up while it runs, without reading anything twice', async () => {
    const { log, body } = bodyOf('changed', 1);
    log.append(values(0, 100));
    const pipe = await world.create(body);
    await until('rows', async () => (await count('changed')) === 100);
    await world.call('updatePipe', {
      params: { pipeId: pipe.id },
      body: { destination: { columns: [...columns, { name: 'more', type: 'Nullable(UInt8)' }] } },
    });
    await until('a reader of the new definition', () => Promise.resolve(log.readers === 2));
    log.append(['{"n":100,"text":"t100","more":7}']);
    await until('rows', async () => (await count('changed')) === 101);
    expect(
      (
        await world.rows(
          sql`SELECT countIf(isNull(more)), sumIf(more, isNotNull(more)) FROM shop.changed`,
        )
      )[0],
    ).toEqual(['100', '7']);
    expect(log.reads).toBe(101);
  });

  it('stops a deleted pipe, forgets where it was, and leaves its table', async () => {
    const { log, body } = bodyOf('deleted', 1);
    log.append(values(0, 10));
    const pipe: Pipe = await world.create(body);
    await until('rows', async () => (await count('deleted')) === 10);
    await world.call('deletePipe', { params: { pipeId: pipe.id } });
    await expect(world.get(pipe.id)).rejects.toMatchObject({ code: 'not_found' });
    await until(
      'cleared',
      async () =>
        (await world.store.pipes.status(world.principal.workspace.id, pipe.id)) === undefined,
    );
    expect(await count('deleted')).toBe(10);
  });
});

describe('the runner and deleted pipes', () => {
  it('cleans up the source of a deleted pipe as soon as the source allows it', async () => {
    const { body } = bodyOf('away', 1);
    const pipe = await world.create(body);
    let attempts = 0;
    removals.set('away', async () => {
      attempts++;
      if (attempts < 3) {
        throw new ConnectionLost('the source is away');
      }
    });
    await stateIs(pipe.id, 'Running');
    await world.call('deletePipe', { params: { pipeId: pipe.id } });
    const isKept = async () =>
      (await world.store.pipes.everyStatus()).some(({ pipeId }) => pipeId === pipe.id);
    await until('a first attempt', () => attempts > 0);
    expect(await isKept()).toBe(true);
    await until('the removal', async () => !(await isKept()), 30_000);
    expect(attempts).toBe(3);
  });
});
