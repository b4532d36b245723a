import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PostgresSourceInput } from '../../src/contract/pipe/postgres.ts';
import { onlyShard } from '../../src/core/pipes/tables/shards.ts';
import { TargetTables } from '../../src/core/pipes/tables/target-tables.ts';
import type { RowsPart, TargetTable } from '../../src/ports/batch.ts';
import type { Telemetry } from '../../src/ports/telemetry.ts';
import { identifier, sql } from '../../src/sql/sql.ts';
import { openTestTelemetry, type TestTelemetry } from '../kit/telemetry.ts';

let engine: TestTelemetry;
beforeAll(async () => {
  engine = await openTestTelemetry({ database: 'shop' });
});
afterAll(() => engine?.close());
const user = { workspaceId: '65f0c1d2e3a4b5c6d7e8f901', keepsTables: false };
const { signal } = new AbortController();
const to = (key: string) => ({
  key,
  isRepeated: false,
  shard: onlyShard(engine.telemetry),
});
const targetOf = (table: string, generation: string): TargetTable => ({
  table,
  generation,
  engine: 'MergeTree',
  sortingKey: ['n'],
  columns: [{ name: 'n', type: 'Int32' }],
});
const part = (target: TargetTable, lines: string): RowsPart => ({
  target,
  format: 'TabSeparated',
  data: [Buffer.from(lines)],
  rows: lines.split('\n').length - 1,
  records: () =>
    lines
      .trimEnd()
      .split('\n')
      .map((line, index) => ({
        position: String(index),
        data: Buffer.from(`{"n":${JSON.stringify(line)}}`),
      })),
});
const numbers = async (table: string) =>
  (await engine.rows(sql`SELECT n FROM shop.${identifier(table)} ORDER BY n`)).map(({ n }) => n);
const tables = async (like: string) =>
  (
    await engine.rows(
      sql`SELECT name FROM system.tables WHERE database = 'shop' AND startsWith(name, ${like}) ORDER BY name`,
    )
  ).map(({ name }) => name);
/** Does what is asked, but dies when the statement comes. */
const dyingAt = (pattern: RegExp): Telemetry =>
  new Proxy(engine.telemetry, {
    get(target, name) {
      if (name === 'command') {
        return async (...args: Parameters<Telemetry['command']>) => {
          if (pattern.test(args[0].text)) {
            throw new Error('died');
          }
          return target.command(...args);
        };
      }
      const member = Reflect.get(target, name) as unknown;
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });

describe('a table that is made anew beside itself', () => {
  it.each([
    ['errors', /^INSERT INTO `shop`.`errors_pipe_errors`/],
    ['rows', /^DROP TABLE IF EXISTS `shop`.`rows_pipe_next`/],
  ])('leaves nothing behind, whoever dies once it is exchanged: %s', async (table, pattern) => {
    const pipeId = randomUUID();
    const tablesOf = (telemetry: Telemetry) => new TargetTables(telemetry, pipeId, 'shop', user);
    await tablesOf(engine.telemetry).load(
      'p',
      [part(targetOf(table, '1.1'), '1\n2\n')],
      to('first'),
      signal,
    );
    const next = targetOf(table, '2.1');
    const dying = tablesOf(dyingAt(pattern));
    await dying.load('p', [part(next, '3\nthree\n')], to('second'), signal);
    expect(await numbers(table)).toEqual([1, 2]);
    const publish = {
      kind: 'table',
      action: 'publish',
      target: next,
      partition: 'p',
      next: 'done',
    } as const;
    await expect(dying.step(publish)).rejects.toThrow('died');
    expect(await numbers(table)).toEqual([3]);
    await tablesOf(engine.telemetry).step(publish);
    expect(await numbers(table)).toEqual([3]);
    expect(await tables(table)).toEqual([table, `${table}_pipe_errors`]);
    expect(
      await engine.rows(sql`SELECT raw FROM shop.${identifier(`${table}_pipe_errors`)}`),
    ).toEqual([{ raw: '{"n":"three"}' }]);
  });

  it('never takes a table of another for its own', async () => {
    const pipe = new TargetTables(engine.telemetry, randomUUID(), 'shop', user);
    await engine.command(
      sql`CREATE TABLE shop.mine_pipe_next (n Int32) ENGINE = MergeTree ORDER BY n`,
    );
    await engine.command(sql`INSERT INTO shop.mine_pipe_next VALUES (7)`);
    await pipe.load('p', [part(targetOf('mine', '1.1'), '1\n')], to('first'), signal);
    await pipe.step({
      kind: 'table',
      action: 'publish',
      target: targetOf('mine', '1.1'),
      partition: 'p',
      next: 'done',
    });
    await expect(
      pipe.load('p', [part(targetOf('mine', '2.1'), '2\n')], to('second'), signal),
    ).rejects.toThrow(/mine_pipe_next.*does not belong to the pipe\. Rename it/);
    expect(await numbers('mine_pipe_next')).toEqual([7]);
    expect(await numbers('mine')).toEqual([1]);
  });

  it('keeps long names apart', async () => {
    const [one, other] = ['1', '2'].map((end) => `${'long'.repeat(26)}${end}`) as [string, string];
    const pipe = new TargetTables(engine.telemetry, randomUUID(), 'shop', user);
    for (const [index, table] of [one, other].entries()) {
      await pipe.load('p', [part(targetOf(table, '1.1'), `${index}\n`)], to('first'), signal);
    }
    for (const [index, table] of [one, other].entries()) {
      await pipe.load('p', [part(targetOf(table, '2.1'), `${index + 10}\n`)], to('second'), signal);
    }
    for (const table of [one, other]) {
      await pipe.step({
        kind: 'table',
        action: 'publish',
        target: targetOf(table, '2.1'),
        partition: 'p',
        next: 'done',
      });
    }
    expect([await numbers(one), await numbers(other)]).toEqual([[10], [11]]);
  });

  it.each(['x_pipe_next', 'x_pipe_errors'])(
    'a mapping may not ask for a table that is made beside another: %s',
    (targetTable) => {
      const mappings = ['x', targetTable].map((table, index) => ({
        sourceSchemaName: 'public',
        sourceTable: `t${index}`,
        targetTable: table,
      }));
      const { error } = PostgresSourceInput.safeParse({
        host: 'db',
        database: 'd',
        tableMappings: mappings,
      });
      expect(error?.issues).toMatchObject([
        {
          path: ['tableMappings', 1, 'targetTable'],
          message: 'is the name of a table that the pipe creates for x',
        },
      ]);
    },
  );
});
