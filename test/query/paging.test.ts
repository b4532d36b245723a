import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SearchRequest } from '../../src/contract/query/search.ts';
import { Source } from '../../src/contract/source.ts';
import { qualified, sql } from '../../src/sql/sql.ts';
import { openPagingKit, sortedTexts, type PagingKit } from './paging-kit.ts';
import { ids, log, t0 } from './query-kit.ts';

let kit: PagingKit;
beforeAll(async () => {
  kit = await openPagingKit();
});
afterAll(() => kit.close());

const bodies = (rows: readonly Record<string, unknown>[]): string[] =>
  rows.map(({ Body }) => String(Body));

describe('paging while parts merge', () => {
  it('returns rows of one timestamp once each', async () => {
    const parts = Array.from({ length: 10 }, (_, part) =>
      Array.from({ length: 20 }, (_, index) => log(t0, { Body: `row ${part * 20 + index}` })),
    );
    await kit.storeParts(parts);
    const rows = await kit.pages({ limit: 30, select: 'Body' }, () => kit.merge());
    expect(sortedTexts(bodies(rows))).toEqual(sortedTexts(parts.flat().map(({ Body }) => Body)));
  });

  it('returns rows of one value of orderBy once each, while newer rows arrive', async () => {
    const parts = Array.from({ length: 5 }, (_, part) =>
      Array.from({ length: 20 }, (_, index) =>
        log(t0 + (index % 2) * 1000, {
          Body: `row ${part * 20 + index}`,
          SeverityNumber: part % 2,
        }),
      ),
    );
    await kit.storeParts(parts);
    const rows = await kit.pages(
      { limit: 7, select: 'Body', orderBy: 'SeverityNumber DESC', where: 'Body:row*' },
      async (page) => {
        await kit.insert('otel_logs', [
          log(t0 + 2000, { Body: `late ${page}`, SeverityNumber: 1 }),
          log(t0 + 2000, { Body: `row late ${page}`, SeverityNumber: 200 }),
        ]);
        await kit.merge();
      },
    );
    expect(sortedTexts(bodies(rows))).toEqual(sortedTexts(parts.flat().map(({ Body }) => Body)));
  });
});

describe('the identity of a row', () => {
  it('survives merges and tells equal rows apart', async () => {
    const twin = log(t0, { Body: 'twin', LogAttributes: { a: '1' } });
    await kit.storeParts([
      [twin, log(t0, { Body: 'other' })],
      [twin, log(t0 + 1, { Body: 'twin' })],
    ]);
    const before = await kit.search({ select: 'Body' });
    await kit.merge();
    const after = await kit.search({ select: 'Body, LogAttributes' });
    const identities = before.rows.map(({ _id }) => String(_id));
    expect(new Set(identities).size).toBe(4);
    expect(after.rows.map(({ _id }) => _id)).toEqual(identities);
    expect(before.columns.map(({ name }) => name)).toEqual(['Body']);
  });

  it('keeps its name if the caller selects a column of that name', async () => {
    await kit.storeParts([[log(t0, { Body: 'x' })]]);
    const { columns, rows } = await kit.search({ select: 'Body AS _id' });
    expect(columns.map(({ name }) => name)).toEqual(['_id_2']);
    expect(rows[0]).toMatchObject({ _id_2: 'x' });
    expect(rows[0]?.['_id']).toMatch(/^\d+-[0-9a-f]{32}$/);
  });
});

describe('tables of other kinds', () => {
  const name = 'other_rows';
  const other = () =>
    Source.parse({
      ...kit.sources[ids.logs],
      from: { databaseName: kit.database, tableName: name },
      timestampValueExpression: 'time',
      bodyExpression: 'text',
      severityTextExpression: undefined,
      serviceNameExpression: undefined,
      defaultTableSelectExpression: undefined,
    });

  it.each([
    ['MergeTree ORDER BY time', 'DateTime'],
    ['Memory', "DateTime64(3, 'Europe/Berlin')"],
  ] as const)('pages over %s with %s and NULL', async (engine, type) => {
    const target = qualified(kit.database, name);
    await kit.command(sql`DROP TABLE IF EXISTS ${target}`);
    const create =
      engine === 'Memory'
        ? sql`CREATE TABLE ${target} (time DateTime64(3, 'Europe/Berlin'), text Nullable(String),
            n Nullable(Int64))
          ENGINE = Memory`
        : sql`CREATE TABLE ${target} (time DateTime, text Nullable(String), n Nullable(Int64))
          ENGINE = MergeTree ORDER BY time`;
    await kit.command(create);
    kit.telemetry.forgetColumns(kit.database, name);
    await kit.insert(
      name,
      Array.from({ length: 40 }, (_, index) => ({
        time: (t0 + (index % 3) * 1000) / (type === 'DateTime' ? 1000 : 1),
        text: index % 4 === 0 ? null : `t${index % 5}`,
        n: index % 7 === 0 ? null : index,
      })),
    );
    for (const orderBy of [undefined, 'n DESC', 'text, n']) {
      const numbers: unknown[] = [];
      let cursor: string | undefined;
      do {
        const page = await kit.query.search(
          SearchRequest.parse({
            sourceId: ids.logs,
            startTime: t0,
            endTime: t0 + 60_000,
            limit: 15,
            select: 'n',
            orderBy,
            cursor,
          }),
          other(),
        );
        numbers.push(...page.rows.map(({ n }) => n));
        ({ cursor } = page);
      } while (cursor !== undefined);
      expect(numbers).toHaveLength(40);
      expect(numbers.filter((n) => n === null)).toHaveLength(6);
      expect(new Set(numbers).size).toBe(35);
    }
  });

  it('goes on after a column was dropped', async () => {
    const target = qualified(kit.database, name);
    await kit.command(sql`DROP TABLE IF EXISTS ${target}`);
    await kit.command(
      sql`CREATE TABLE ${target} (time DateTime, text String, n UInt8) ENGINE = MergeTree ORDER BY time`,
    );
    kit.telemetry.forgetColumns(kit.database, name);
    await kit.insert(name, [{ time: t0 / 1000, text: 'x', n: 1 }]);
    const request = SearchRequest.parse({
      sourceId: ids.logs,
      startTime: t0,
      endTime: t0 + 60_000,
      select: 'text',
    });
    expect((await kit.query.search(request, other())).rows).toHaveLength(1);
    await kit.command(sql`ALTER TABLE ${target} DROP COLUMN n`);
    expect((await kit.query.search(request, other())).rows).toMatchObject([{ text: 'x' }]);
  });
});
