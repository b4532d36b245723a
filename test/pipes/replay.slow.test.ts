import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createConnectors } from '../../src/adapters/connectors/registry.ts';
import type { PipeError } from '../../src/contract/pipe/pipe-reports.ts';
import type { PipeReplay } from '../../src/contract/pipe/pipe-replay.ts';
import { replayPartition } from '../../src/ports/store/pipe-store.ts';
import { TelemetryError, type Telemetry } from '../../src/ports/telemetry.ts';
import { qualified, sql, trusted, type Sql } from '../../src/sql/sql.ts';
import { MemoryLog } from '../conformance/memory-log.ts';
import { until } from '../kit/eventually.ts';
import { pipeWorld, type PipeWorld } from './pipe-world.ts';

/** Replays of bad records, on the real store and engine; only the source is a log in memory. */

let world: PipeWorld;
const logs = new Map<string, MemoryLog>();
type Insert = Telemetry['insert'];
/** What happens to the inserts into a table in place of the insert alone. */
const faults = new Map<string, (insert: () => Promise<void>) => Promise<void>>();
const tokens: { table: string; token: string | undefined }[] = [];

const watched = (engine: Telemetry): Telemetry =>
  new Proxy(engine, {
    get(target, name) {
      if (name === 'insert') {
        return async (...args: Parameters<Insert>) => {
          tokens.push({ table: args[1], token: args[3]?.deduplicationToken });
          const fault = faults.get(args[1]);
          await (fault ? fault(() => target.insert(...args)) : target.insert(...args));
        };
      }
      const member = Reflect.get(target, name) as unknown;
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });

beforeAll(async () => {
  const connectors = {
    ...createConnectors(),
    kafka: (context: Parameters<ReturnType<typeof createConnectors>['kafka']>[0]) =>
      logs.get(context.source.topics)!.connector(context),
  };
  world = await pipeWorld({ connectors, wrapTelemetry: watched, tickMs: 50, leaseMs: 3000 });
  world.pipes.start();
});
afterAll(() => world?.close());

const columns = [
  { name: 'n', type: 'UInt32' },
  { name: 'text', type: 'String' },
];
const widened = [{ name: 'n', type: 'UInt64' }, columns[1]];
const run = (statement: Sql): Promise<void> =>
  world.engine.command(statement, { purpose: 'admin', timeoutMs: 30_000 });
const widen = (table: string): Promise<void> =>
  run(sql`ALTER TABLE ${qualified('shop', table)} MODIFY COLUMN n UInt64`);
const rowsOf = async (table: string): Promise<string[]> =>
  (await world.rows(sql`SELECT n FROM ${qualified('shop', table)} ORDER BY n`)).map(([n]) =>
    String(n),
  );
const errorsOf = async (pipeId: string): Promise<PipeError[]> =>
  (await world.call('listPipeErrors', { params: { pipeId }, query: { limit: '200' } })).value;
const replayOf = async (pipeId: string): Promise<PipeReplay> =>
  (await world.call('getPipeReplay', { params: { pipeId } })).value;
const ask = async (pipeId: string): Promise<PipeReplay> =>
  (await world.call('replayPipeErrors', { params: { pipeId } })).value;
const ended = (pipeId: string): Promise<PipeReplay> =>
  until('the end of the replay', async () => {
    const replay = await replayOf(pipeId);
    return replay.endedAt === null ? undefined : replay;
  });
const command = (pipeId: string, name: string): Promise<unknown> =>
  world.call('changePipeState', { params: { pipeId }, body: { command: name } });

/** A pipe that has read these records, of which some are refused. */
async function pipeOf(
  table: string,
  records: readonly string[],
  rest: object = {},
): Promise<string> {
  const log = new MemoryLog(1);
  logs.set(table, log);
  log.append([...records]);
  const { id } = await world.create({
    source: { kafka: { brokers: '127.0.0.1:9', topics: table } },
    destination: { database: 'shop', table, columns, managedTable: true },
    settings: { streaming_max_insert_wait_ms: 500 },
    ...rest,
  });
  await until('all records', async () => {
    const { rows, errors } = await world.metrics(id);
    return rows + errors === records.length;
  });
  return id;
}

const good = (n: number | bigint): string => `{"n":${n},"text":"t"}`;
const large = 2n ** 40n;

describe('a replay of bad records', () => {
  it('stores what fits now, and gives back the rest with its new reason', async () => {
    const bad = [good(large), good(large + 1n), '{"n":"many"}', 'no json'];
    const id = await pipeOf('fixed', [good(1), ...bad, good(2)]);
    expect(await replayOf(id)).toMatchObject({ state: 'None', requestedAt: null });
    const before = await errorsOf(id);
    expect(before.map(({ replayable }) => replayable)).toEqual([true, true, true, true]);
    await command(id, 'stop');
    await widen('fixed');
    await world.call('updatePipe', {
      params: { pipeId: id },
      body: { destination: { columns: widened } },
    });
    expect(await ask(id)).toMatchObject({ state: 'Pending', replayed: 0 });
    expect(await ended(id)).toMatchObject({ state: 'Completed', replayed: 2, refused: 2 });
    expect(await rowsOf('fixed')).toEqual(['1', '2', String(large), String(large + 1n)]);
    const after = await errorsOf(id);
    expect(after.map(({ raw }) => raw).sort()).toEqual(['no json', '{"n":"many"}']);
    const placeOf = (raw: string, list: PipeError[]) => {
      const found = list.find((one) => one.raw === raw);
      return { partition: found?.partition, position: found?.position };
    };
    expect(placeOf('no json', after)).toEqual(placeOf('no json', before));
    expect(after.every(({ at }) => at > before[0]!.at)).toBe(true);
    expect(await world.metrics(id)).toMatchObject({ rows: 4, errors: 2 });
    expect((await world.metrics(id)).checkpoint.map(({ partition }) => partition)).toEqual(['0']);
    // A second replay finds only the two.
    await ask(id);
    expect(await ended(id)).toMatchObject({ state: 'Completed', replayed: 0, refused: 2 });
    expect(await rowsOf('fixed')).toHaveLength(4);
  });

  it('stores records again that a changed mapping accepts, with their own place and key', async () => {
    const wide = [
      { name: 'n', type: 'UInt32' },
      { name: 'place', type: 'UInt64' },
      { name: 'topic', type: 'String' },
      { name: 'time', type: "DateTime64(3, 'UTC')" },
    ];
    const mapping = (n: string) =>
      Object.entries({ n, place: '_offset', topic: '_topic', time: '_timestamp' }).map(
        ([destinationField, sourceField]) => ({ destinationField, sourceField }),
      );
    const id = await pipeOf('remapped', [`{"n":"x","id":7}`, `{"n":1,"id":8}`], {
      destination: { database: 'shop', table: 'remapped', columns: wide },
      fieldMappings: mapping('n'),
    });
    await world.call('updatePipe', {
      params: { pipeId: id },
      body: { fieldMappings: mapping('id') },
    });
    await ask(id);
    expect(await ended(id)).toMatchObject({ replayed: 1, refused: 0 });
    expect(
      await world.rows(
        sql`SELECT n, place, topic, toString(time) FROM shop.remapped ORDER BY place`,
      ),
    ).toEqual(
      [
        [7, '0', '0', '2023-11-14 22:13:20.000'],
        [1, '1', '0', '2023-11-14 22:13:20.000'],
      ].map((row) => [row[0], row[1], expect.anything(), row[3]]),
    );
    expect(await errorsOf(id)).toEqual([]);
  });

  it('replays thousands of records in ranges, each record once', async () => {
    const records = Array.from({ length: 2500 }, (_, index) => good(large + BigInt(index)));
    const id = await pipeOf('many', records);
    await widen('many');
    await world.call('updatePipe', {
      params: { pipeId: id },
      body: { destination: { columns: widened } },
    });
    await ask(id);
    await expect(ask(id)).rejects.toMatchObject({ code: 'conflict' });
    expect(await ended(id)).toMatchObject({ replayed: 2500, refused: 0 });
    expect((await world.rows(sql`SELECT count(), uniqExact(n) FROM shop.many`))[0]).toEqual([
      '2500',
      '2500',
    ]);
    expect(await errorsOf(id)).toEqual([]);
  });
});

describe('a replay that is interrupted', () => {
  it('removes without a second insert what was stored when the process died', async () => {
    const id = await pipeOf('died', [good(large), good(1), good(large + 1n)]);
    await command(id, 'stop');
    await widen('died');
    await world.call('updatePipe', {
      params: { pipeId: id },
      body: { destination: { columns: widened } },
    });
    // The insert is done, and nobody hears of it until the definition changes again: the replay
    // begins anew with the range that was begun.
    let cut = true;
    faults.set('died', async (insert) => {
      await insert();
      if (cut) {
        throw new TelemetryError('unavailable', 'cut for the test');
      }
    });
    const before = tokens.length;
    await ask(id);
    const inserted = () => tokens.slice(before).filter(({ table }) => table === 'died');
    await until('two inserts', () => Promise.resolve(inserted().length >= 2));
    await world.call('changePipeScaling', { params: { pipeId: id }, body: { replicas: 2 } });
    cut = false;
    expect(await ended(id)).toMatchObject({ state: 'Completed', replayed: 2, refused: 0 });
    faults.delete('died');
    expect(new Set(inserted().map(({ token }) => token)).size).toBe(1);
    expect(await rowsOf('died')).toEqual(['1', String(large), String(large + 1n)]);
    expect(await errorsOf(id)).toEqual([]);
  });

  it('removes the rows of a recorded range that are still there', async () => {
    const id = await pipeOf('left', [good(large), good(large + 1n)]);
    await command(id, 'stop');
    const { workspace } = world.principal;
    const [[first]] = (await world.rows(
      sql`SELECT toUnixTimestamp64Milli(time) FROM shop.left_pipe_errors LIMIT 1`,
    )) as [[string]];
    const ids = (
      await world.rows(
        sql`SELECT hex(sipHash128(time, partition, position, range, reason, raw))
          FROM shop.left_pipe_errors`,
      )
    ).map(([one]) => one);
    // As a replay leaves it that died after it had recorded the position of both.
    const { claim } = await world.store.pipes.claim(workspace.id, id, replayPartition);
    const position = { shard: null, fromMs: Number(first), untilMs: Number(first), ids };
    await world.store.pipes.advance(
      claim,
      JSON.stringify(position),
      { rows: 0, bytes: 0, errors: 0, batches: 0 },
      null,
    );
    await ask(id);
    expect(await ended(id)).toMatchObject({ state: 'Completed', replayed: 0, refused: 0 });
    expect(await rowsOf('left')).toEqual([]);
    expect(await errorsOf(id)).toEqual([]);
  });

  it('waits while the engine is away, says so, and goes on', async () => {
    const id = await pipeOf('waits', [good(large)]);
    await widen('waits');
    await world.call('updatePipe', {
      params: { pipeId: id },
      body: { destination: { columns: widened } },
    });
    faults.set('waits', () => Promise.reject(new TelemetryError('unavailable', 'cut')));
    await ask(id);
    await until('the reason', async () =>
      /does not respond/.test((await replayOf(id)).message ?? ''),
    );
    faults.delete('waits');
    expect(await ended(id)).toMatchObject({ replayed: 1, message: null });
  });
});

describe('a replay that cannot be', () => {
  it('fails with the reason if the table does not fit the pipe', async () => {
    const id = await pipeOf('unfit', [good(large)]);
    await command(id, 'stop');
    await run(sql`ALTER TABLE shop.unfit DROP COLUMN n`);
    await ask(id);
    const { state, message } = await ended(id);
    expect({ state, message }).toMatchObject({
      state: 'Failed',
      message: expect.stringContaining('no column n'),
    });
    expect(await errorsOf(id)).toHaveLength(1);
  });

  it('leaves records of an older version where they are', async () => {
    const id = await pipeOf('older', [good(large)]);
    await command(id, 'stop');
    for (const column of ['range', 'origin']) {
      await run(sql`ALTER TABLE shop.older_pipe_errors DROP COLUMN ${trusted(column)}`);
    }
    world.engine.forgetColumns('shop', 'older_pipe_errors');
    expect(await errorsOf(id)).toMatchObject([{ replayable: false }]);
    await ask(id);
    expect(await ended(id)).toMatchObject({ state: 'Completed', replayed: 0, refused: 0 });
    expect(await errorsOf(id)).toMatchObject([{ replayable: false }]);
  });

  it('is refused for a pipe that does not exist', async () => {
    await expect(ask('7f9c2d1e-3b4a-4c5d-8e6f-0a1b2c3d4e5f')).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

describe('a range with bad records', () => {
  it.each([
    ['after the errors', 'torn_pipe_errors', 'torn'],
    ['after the rows', 'ripped', 'ripped'],
  ])(
    'keeps its split if the process loses its way %s and the column changes',
    async (_title, cutTable, table) => {
      let hits = 0;
      faults.set(cutTable, async (insert) => {
        await insert();
        hits++;
        if (hits === 1) {
          await widen(table);
          throw new TelemetryError('unavailable', 'cut for the test');
        }
      });
      const id = await pipeOf(table, [good(1), good(large), good(2)]);
      faults.delete(cutTable);
      expect(hits).toBeGreaterThan(0);
      expect(await rowsOf(table)).toEqual(['1', '2']);
      expect((await errorsOf(id)).map(({ raw }) => raw)).toEqual([good(large)]);
      expect(await world.metrics(id)).toMatchObject({ rows: 2, errors: 1 });
    },
  );
});
