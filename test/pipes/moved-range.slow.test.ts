import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SelectDestination } from '../../src/core/pipes/load/select-statement.ts';
import { loadSelect } from '../../src/core/pipes/load/staged/load-select.ts';
import { onlyShard, shardsOf } from '../../src/core/pipes/tables/shards.ts';
import { LoadLimiter } from '../../src/core/pipes/load/load-limiter.ts';
import type { SelectBatch, StageRows } from '../../src/ports/batch.ts';
import type { Telemetry } from '../../src/ports/telemetry.ts';
import { identifier, literal, qualified, sql, type Sql } from '../../src/sql/sql.ts';
import { openTestTelemetry, type TestTelemetry } from '../kit/telemetry.ts';
import { until } from '../kit/eventually.ts';

const shown = (): Promise<void> => Promise.resolve();

/**
 * What the engine reads by itself is moved into its table part by part; the engine shows a part in
 * the new place before it hides it in the old one.
 */

let engine: TestTelemetry;
beforeAll(async () => {
  engine = await openTestTelemetry();
});
afterAll(() => engine?.close());
const qualifiedTable = (table: string): Sql => qualified('sightline', table);
const columns = [
  { name: 'n', field: 'n' },
  { name: 'part', field: 'part' },
  { name: 'x', field: 'x' },
];
/** Three partitions of a hundred rows, with values that are not equal to themselves. */
const rows = (from: number): Sql =>
  sql`(SELECT ${from} + number AS n, toUInt8(number % 3) AS part,
      multiIf(number % 4 = 0, NULL, number % 4 = 1, nan, number / 7) AS x
    FROM numbers(300))`;
const forgets = sql`SETTINGS old_parts_lifetime = 0`;
const create = (table: string, engineName: Sql, settings = sql``): Promise<void> =>
  engine.command(
    sql`CREATE TABLE ${qualifiedTable(table)} (n UInt64, part UInt8, x Nullable(Float64))
      ENGINE = ${engineName} ORDER BY n PARTITION BY part ${settings}`,
  );
/** A batch of one item, without a ledger. */
const selectOf = (rows: StageRows): SelectBatch => ({
  kind: 'select',
  partition: 'p',
  next: '1',
  bytes: 1,
  label: 'numbers',
  items: ['numbers'],
  async load(stage) {
    await stage.insert(rows);
    return [{ name: 'numbers', state: 'loaded', rows: 0, reason: null }];
  },
  suspects: () => [],
  outcomeOf: (error, name) => ({ name, state: 'refused', rows: 0, reason: error.message }),
  recordOutcomes: () => Promise.resolve(true),
  recordedOutcomes: () => Promise.resolve([]),
});
const on = (telemetry: Telemetry, to: Omit<SelectDestination, keyof OnShards>) => ({
  ...to,
  shard: onlyShard(telemetry),
  shards: shardsOf(telemetry),
  slots: undefined,
  errorTable: `${to.table}_pipe_errors`,
});
type OnShards = Pick<SelectDestination, 'shard' | 'shards' | 'slots' | 'errorTable'>;
const loadOf = (table: string, source: Sql, settings?: Sql) => {
  const to = {
    pipeId: randomUUID(),
    database: 'sightline',
    table,
    columns,
    settings: undefined,
    viewSettings: undefined,
    maxMemoryBytes: 0,
    timeoutMs: 30_000,
    hasSetting: () => Promise.resolve(false),
    limiter: new LoadLimiter(1),
  };
  const batch = selectOf({ source, ...(settings && { settings }) });
  return (telemetry: Telemetry) =>
    loadSelect(on(telemetry, to), batch, `key of ${table}`, new AbortController().signal, shown);
};
/**
 * Dies at its first move: what `moved` says has been shown in the target by then, and is still in
 * the stage.
 */
const dying = (moved: (stage: string) => Promise<void>): Telemetry =>
  new Proxy(engine.telemetry, {
    get(target, name) {
      if (name === 'command') {
        return async (...args: Parameters<Telemetry['command']>) => {
          const stage = /^ALTER TABLE `sightline`\.`(pipe_stage_\w+)` MOVE PARTITION/.exec(
            args[0].text,
          )?.[1];
          if (stage === undefined) {
            return target.command(...args);
          }
          await moved(stage);
          throw new Error('died');
        };
      }
      const member = Reflect.get(target, name) as unknown;
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
const copy = async (stage: string, table: string, parts: readonly number[]): Promise<void> => {
  for (const part of parts) {
    await engine.command(
      sql`ALTER TABLE ${qualifiedTable(table)} ATTACH PARTITION ID ${literal(String(part))}
        FROM ${qualifiedTable(stage)}`,
    );
  }
};
const insert = (table: string, source: Sql): Promise<void> =>
  engine.command(sql`INSERT INTO ${qualifiedTable(table)} SELECT * FROM ${source}`);
/**
 * Every part is merged, and what it was made of is forgotten: no part has the number any more
 * that it had in the stage.
 */
const mergeAndForget = async (table: string): Promise<void> => {
  await engine.command(sql`OPTIMIZE TABLE ${qualifiedTable(table)} FINAL`);
  // Clears away old parts, if nothing else.
  await engine.command(sql`ALTER TABLE ${qualifiedTable(table)} DROP PARTITION ID 'none'`);
  await until(
    'the engine has forgotten the old parts',
    async () =>
      (
        await engine.rows(
          sql`SELECT 1 FROM system.parts
            WHERE database = 'sightline' AND table = ${table}
              AND (NOT active OR uuid != toUUID('00000000-0000-0000-0000-000000000000'))
            LIMIT 1`,
        )
      ).length === 0,
    5000,
  );
};
const counted = async (table: string) =>
  (
    await engine.rows(
      sql`SELECT toUInt32(count()) AS rows, toUInt32(uniqExact(n)) AS distinct FROM ${qualifiedTable(table)}`,
    )
  )[0];

describe('a range that is moved into its table', () => {
  it.each([
    ['one part', [0]],
    ['all of them', [0, 1, 2]],
  ])(
    'has each row once, where the process died when %s stood in both places',
    async (title, doubled) => {
      const table = `moved_${title.replaceAll(' ', '_')}`;
      await create(table, sql`MergeTree`);
      const load = loadOf(table, rows(0));
      await expect(load(dying((stage) => copy(stage, table, doubled)))).rejects.toThrow('died');
      expect(await counted(table)).toEqual({
        rows: 100 * doubled.length,
        distinct: 100 * doubled.length,
      });
      await load(engine.telemetry);
      expect(await counted(table)).toEqual({ rows: 300, distinct: 300 });
    },
  );

  it.each([
    ['nothing of it was there', [], 'nobody'],
    ['one part of it was there', [1], 'nobody'],
    ['all of it was there', [0, 1, 2], 'nobody'],
    ['nothing of it was there, and rows of another', [], 'another'],
    ['all of it was there, and rows of another', [0, 1, 2], 'another'],
  ])(
    'has each row once, where the target has merged and forgotten since what was moved: %s',
    async (title, doubled, others) => {
      const table = `forgotten_${title.replaceAll(/\W+/g, '_')}`;
      await create(table, sql`MergeTree`, forgets);
      await insert(table, rows(1_000_000));
      const load = loadOf(table, rows(0));
      await expect(
        load(
          dying(async (stage) => {
            await copy(stage, table, doubled);
            if (others === 'another') {
              await insert(table, rows(2_000_000));
            }
            await mergeAndForget(table);
          }),
        ),
      ).rejects.toThrow('died');
      await load(engine.telemetry);
      const wanted = others === 'another' ? 900 : 600;
      expect(await counted(table)).toEqual({ rows: wanted, distinct: wanted });
    },
  );

  it.each([
    ['replaced', sql`ReplacingMergeTree`],
    ['summed', sql`SummingMergeTree`],
  ])(
    'of a table whose merges combine rows, each row that was not combined is there once: %s',
    async (table, engineName) => {
      await create(table, engineName, forgets);
      const load = loadOf(table, sql`(SELECT n, part, toFloat64(n) AS x FROM ${rows(1)})`);
      await expect(
        load(
          dying(async (stage) => {
            await copy(stage, table, [0, 2]);
            await mergeAndForget(table);
          }),
        ),
      ).rejects.toThrow('died');
      await load(engine.telemetry);
      expect(
        await engine.rows(
          sql`SELECT toUInt32(count()) AS rows, toUInt32(sum(x)) AS sum FROM ${qualifiedTable(table)}`,
        ),
      ).toEqual([{ rows: 300, sum: 45_150 }]);
    },
  );
});

describe('a range beside rows like its own', () => {
  it('is moved although the very same rows were there before, once more or with fewer of another', async () => {
    await create('again', sql`MergeTree`, forgets);
    await insert('again', rows(0));
    const load = loadOf('again', rows(0));
    await expect(
      load(
        dying(async () => {
          await insert('again', sql`(SELECT * FROM ${rows(5000)} LIMIT 30)`);
          await mergeAndForget('again');
        }),
      ),
    ).rejects.toThrow('died');
    await load(engine.telemetry);
    expect(await counted('again')).toEqual({ rows: 630, distinct: 330 });
  });

  it('of parts with the same rows only so many are left out as the target has', async () => {
    await create('same', sql`MergeTree`, forgets);
    const load = loadOf(
      'same',
      sql`(SELECT 1 AS n, 0 AS part, 1.5 AS x FROM numbers(300))`,
      sql`max_block_size = 100, min_insert_block_size_rows = 100, min_insert_block_size_bytes = 0, max_threads = 1`,
    );
    await expect(
      load(
        dying(async (stage) => {
          expect(
            await engine.rows(sql`SELECT name FROM system.parts WHERE table = ${stage} AND active`),
          ).toHaveLength(3);
          await copy(stage, 'same', [0]);
          await engine.command(sql`ALTER TABLE sightline.same DROP PART '0_1_1_0'`);
          await mergeAndForget('same');
        }),
      ),
    ).rejects.toThrow('died');
    await load(engine.telemetry);
    expect(await counted('same')).toEqual({ rows: 300, distinct: 1 });
  });

  it('compares tables of any column, whatever it is called', async () => {
    await engine.command(
      sql`CREATE TABLE sightline.odd (${identifier('hash')} Array(LowCardinality(Nullable(String))),
          ${identifier('claimed')} JSON, held Map(String, Float32), part UInt8,
          s AggregateFunction(uniq, UInt64), made UInt64 MATERIALIZED length(hash))
        ENGINE = MergeTree ORDER BY tuple() ${forgets}`,
    );
    const names = ['hash', 'claimed', 'held', 'part', 's'];
    const to = {
      pipeId: randomUUID(),
      database: 'sightline',
      table: 'odd',
      columns: names.map((name) => ({ name, field: name })),
      settings: undefined,
      viewSettings: undefined,
      maxMemoryBytes: 0,
      timeoutMs: 30_000,
      hasSetting: () => Promise.resolve(false),
      limiter: new LoadLimiter(1),
    };
    const source = sql`(SELECT ['a', NULL, toString(number)] AS hash,
        '{"b": 1, "a": {"c": [1]}}'::JSON AS claimed, map('k', nan) AS held, 0 AS part,
        arrayReduce('uniqState', [number]) AS s
      FROM numbers(10))`;
    const batch = selectOf({ source });
    const load = (telemetry: Telemetry) =>
      loadSelect(on(telemetry, to), batch, 'odd', new AbortController().signal, shown);
    await expect(
      load(
        dying(async (stage) => {
          await engine.command(
            sql`ALTER TABLE sightline.odd ATTACH PARTITION tuple() FROM ${qualifiedTable(stage)}`,
          );
          await mergeAndForget('odd');
        }),
      ),
    ).rejects.toThrow('died');
    await load(engine.telemetry);
    expect(await engine.rows(sql`SELECT toUInt32(count()) AS rows FROM sightline.odd`)).toEqual([
      { rows: 10 },
    ]);
  });
});
