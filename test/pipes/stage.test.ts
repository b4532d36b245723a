import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Stage } from '../../src/core/pipes/load/staged/stage.ts';
import { qualified, sql, type Sql } from '../../src/sql/sql.ts';
import { openTestTelemetry, type TestTelemetry } from '../kit/telemetry.ts';

let engine: TestTelemetry;
beforeAll(async () => {
  engine = await openTestTelemetry({ database: 'shop' });
});
afterAll(async () => {
  await engine?.close();
});
const stageOf = (table: string, bytes = 1000): Stage =>
  new Stage(
    engine.telemetry,
    { database: 'shop', table, pipeId: table, partition: '0-0', timeoutMs: 30_000, bytes },
    'range',
  );
const target = async (table: string, definition: Sql): Promise<Stage> => {
  await engine.command(
    sql`CREATE TABLE ${qualified('shop', table)} (n UInt64, day UInt8) ${definition}`,
  );
  return stageOf(table);
};
const tables = async (): Promise<unknown[]> =>
  engine.rows(
    sql`SELECT name FROM system.tables WHERE startsWith(name, 'pipe_stage_') OR startsWith(name, '.inner')`,
  );

describe('a table beside the target', () => {
  it('merges small parts only in large loads and never once ready; the target keeps its settings', async () => {
    const stage = await target(
      'merges',
      sql`ENGINE = MergeTree ORDER BY n PARTITION BY day SETTINGS index_granularity = 1024`,
    );
    const settings = async (name: string) =>
      String(
        (
          await engine.rows(
            sql`SELECT engine_full FROM system.tables WHERE database = 'shop' AND name = ${name}`,
          )
        )[0]!['engine_full'],
      );
    expect(await stage.takeOver()).toBe(false);
    const small = await settings(await stage.create());
    expect(small).toMatch(/max_bytes_to_merge_at_max_space_in_pool = 1,/);
    expect(small).toContain('index_granularity = 1024');
    expect(small).toContain('fsync_after_insert = 1, fsync_part_directory = 1');
    for (const [bytes, merged] of [
      [65 * 2 ** 20, 16 * 2 ** 20],
      [50 * 2 ** 30, 256 * 2 ** 20],
    ] as const) {
      const large = stageOf('merges', bytes);
      await large.takeOver();
      const loading = await large.create();
      expect(await settings(loading)).toContain(
        `max_bytes_to_merge_at_max_space_in_pool = ${merged}`,
      );
      await large.publish(loading);
      expect(await settings(large.ready)).toMatch(/max_bytes_to_merge_at_max_space_in_pool = 1,/);
      await large.forget();
    }
    await stage.forget();
    expect(await settings('merges')).not.toContain('max_bytes_to_merge');
    expect(await tables()).toEqual([]);
  });

  it('a table with new columns still gets its rows, with its defaults, also after a takeover', async () => {
    const first = await target('grown', sql`ENGINE = MergeTree ORDER BY n PARTITION BY day`);
    await first.takeOver();
    const loading = await first.create();
    await first.load(
      sql`INSERT INTO ${first.qualifiedTable(loading)} SELECT number, number % 2 FROM numbers(4)`,
    );
    await first.publish(loading);
    await engine.command(
      sql`ALTER TABLE shop.grown ADD COLUMN more Nullable(String), ADD COLUMN twice UInt64 DEFAULT n * 2`,
    );
    const second = stageOf('grown');
    expect(await second.takeOver()).toBe(true);
    expect(await second.show(['n', 'day'])).toBe(4);
    await second.forget();
    expect(await engine.rows(sql`SELECT n, more, twice FROM shop.grown ORDER BY n`)).toEqual(
      ['0', '1', '2', '3'].map((n) => ({ n, more: null, twice: String(Number(n) * 2) })),
    );
    expect(await tables()).toEqual([]);
  });

  it('rows reach it through a meter, which knows their path, and their version if it is unique', async () => {
    const stage = await target('meters', sql`ENGINE = MergeTree ORDER BY n PARTITION BY day`);
    await stage.takeOver();
    const loading = await stage.create();
    const meter = await stage.meter(loading, ['n', 'day'], true);
    await stage.load(
      sql`INSERT INTO ${stage.qualifiedTable(meter.inlet)}
        SELECT number, number % 2, if(number < 3, 'b/one', 'b/two'), number = 0,
          if(number < 3, '"v"', toString(number))
        FROM numbers(10)`,
    );
    await stage.load(
      sql`INSERT INTO ${stage.qualifiedTable(meter.inlet)} SELECT number, 0, 'b/none', 1, '' FROM numbers(10, 2)`,
    );
    expect(await meter.read()).toEqual(
      new Map([
        ['b/one', { rows: 3, filled: 1, version: '"v"' }],
        ['b/two', { rows: 7, filled: 0, version: undefined }],
        ['b/none', { rows: 2, filled: 2, version: undefined }],
      ]),
    );
    await meter.drop();
    await stage.publish(loading);
    expect(await stage.show(['n', 'day'])).toBe(12);
    await stage.drop(stage.ready);
    expect(
      await engine.rows(
        sql`SELECT toString(count()) AS rows, toString(sum(n)) AS sum FROM shop.meters`,
      ),
    ).toEqual([{ rows: '12', sum: '66' }]);
    expect(await tables()).toEqual([]);
  });

  it('a meter without versions tells none', async () => {
    const stage = await target('plain', sql`ENGINE = MergeTree ORDER BY n`);
    await stage.takeOver();
    const meter = await stage.meter(await stage.create(), ['n', 'day'], false);
    await stage.load(
      sql`INSERT INTO ${stage.qualifiedTable(meter.inlet)} SELECT number, 0, 'b/one', 1 FROM numbers(4)`,
    );
    expect(await meter.read()).toEqual(
      new Map([['b/one', { rows: 4, filled: 4, version: undefined }]]),
    );
    await stage.forget();
    expect(await tables()).toEqual([]);
  });

  it('a target that keeps no parts gets its rows inserted, and one that is gone is named', async () => {
    const stage = await target('nowhere', sql`ENGINE = Null`);
    await stage.takeOver();
    const loading = await stage.create();
    await engine.command(
      sql`INSERT INTO ${stage.qualifiedTable(loading)} SELECT number, 0 FROM numbers(5)`,
    );
    await stage.publish(loading);
    expect(await stage.show(['n', 'day'])).toBe(5);
    await stage.forget();
    await expect(stageOf('gone').takeOver()).rejects.toMatchObject({
      kind: 'unknown_table',
      message: 'the table gone does not exist',
    });
  });

  it('whoever comes after takes over what was made ready, and everything else of the partition goes', async () => {
    const first = await target('taken', sql`ENGINE = MergeTree ORDER BY n`);
    await first.takeOver();
    await first.meter(await first.create(), ['n', 'day'], true);
    const loading = await first.create();
    await engine.command(
      sql`INSERT INTO ${first.qualifiedTable(loading)} SELECT number, 0 FROM numbers(5)`,
    );
    await first.publish(loading);
    const second = stageOf('taken');
    expect(await second.takeOver()).toBe(true);
    expect(await tables()).toEqual([{ name: second.ready }]);
    expect(await second.show(['n', 'day'])).toBe(5);
    await second.forget();
    expect(await tables()).toEqual([]);
  });
});
