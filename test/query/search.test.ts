import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SearchRequest } from '../../src/contract/query/search.ts';
import { SourceInput } from '../../src/contract/source.ts';
import { ids, log, openQueryKit, t0, type QueryKit } from './query-kit.ts';

let kit: QueryKit;
beforeAll(async () => {
  kit = await openQueryKit();
  // Three rows share each time.
  await kit.insert(
    'otel_logs',
    Array.from({ length: 30 }, (_, index) =>
      log(t0 + Math.floor(index / 3) * 1000, {
        Body: `row ${index}`,
        SeverityNumber: index,
        LogAttributes: { 'http-x.y': `v${index % 2}` },
      }),
    ),
  );
});
afterAll(() => kit.close());

const search = (request: Record<string, unknown> = {}) =>
  kit.query.search(
    SearchRequest.parse({ sourceId: ids.logs, startTime: t0, endTime: t0 + 60_000, ...request }),
    kit.sources[ids.logs]!,
  );

const anyId = expect.any(String) as string;

describe('search', () => {
  it('shows the source’s columns, newest first', async () => {
    const { columns, rows, cursor } = await search({ limit: 4 });
    expect(columns.map(({ name }) => name)).toEqual([
      'Timestamp',
      'ServiceName',
      'SeverityText',
      'Body',
    ]);
    expect(rows.map(({ Timestamp }) => Timestamp)).toEqual([
      '2026-01-01 00:00:09.000000000',
      '2026-01-01 00:00:09.000000000',
      '2026-01-01 00:00:09.000000000',
      '2026-01-01 00:00:08.000000000',
    ]);
    expect(cursor).toBeTypeOf('string');
  });

  it.each([4, 7, 29, 30])(
    'pages of %d show every row once, rows of one time included',
    async (limit) => {
      for (const orderBy of [undefined, 'SeverityNumber DESC']) {
        const seen: unknown[] = [];
        let cursor: string | undefined;
        do {
          const page = await search({
            limit,
            select: ['Body'],
            ...(orderBy ? { orderBy } : {}),
            ...(cursor === undefined ? {} : { cursor }),
          });
          seen.push(...page.rows.map(({ Body }) => Body));
          ({ cursor } = page);
        } while (cursor !== undefined);
        expect(seen).toHaveLength(30);
        expect(new Set(seen).size).toBe(30);
      }
    },
  );

  it('selects map keys, expressions and names; orders by expressions', async () => {
    const { rows } = await search({
      select: 'LogAttributes.`http-x.y` AS x, upper(Body) AS b, SeverityNumber',
      where: 'SeverityNumber:>27',
      orderBy: 'x DESC, SeverityNumber'.replace('x DESC', "LogAttributes['http-x.y'] DESC"),
    });
    expect(rows).toEqual([
      { _id: anyId, x: 'v1', b: 'ROW 29', SeverityNumber: 29 },
      { _id: anyId, x: 'v0', b: 'ROW 28', SeverityNumber: 28 },
    ]);
    expect(
      (
        await search({
          select: ['LogAttributes.http-x.y', 'Body', 'Body'],
          limit: 1,
          where: '"row 29"',
        })
      ).rows,
    ).toEqual([{ _id: anyId, 'LogAttributes.http-x.y': 'v1', Body: 'row 29', Body_2: 'row 29' }]);
  });

  it('names every mistake', async () => {
    await expect(
      search({ select: ['Body', 'Nope'], where: '(', orderBy: 'Nope2', cursor: 'x' }),
    ).rejects.toMatchObject({
      code: 'bad_request',
      issues: [{ path: 'where' }, { path: 'select.1' }, { path: 'orderBy' }, { path: 'cursor' }],
    });
  });

  it('metrics are charted, not searched', async () => {
    await expect(
      kit.query.search(
        SearchRequest.parse({ sourceId: ids.metrics, startTime: t0, endTime: t0 + 1 }),
        kit.sources[ids.metrics]!,
      ),
    ).rejects.toMatchObject({ code: 'bad_request' });
  });
});

describe('fields', () => {
  it('columns and attribute keys with values that occur', async () => {
    const fields = await kit.query.fields(kit.sources[ids.logs]!);
    expect(fields.find(({ name }) => name === 'ServiceName')).toEqual({
      name: 'ServiceName',
      type: 'LowCardinality(String)',
      kind: 'column',
      values: ['checkout'],
    });
    expect(fields.find(({ name }) => name === 'LogAttributes.http-x.y')).toMatchObject({
      kind: 'attribute',
      values: expect.arrayContaining(['v0', 'v1']) as string[],
    });
    expect(fields.filter(({ kind }) => kind === 'column').map(({ name }) => name)).toContain(
      'Body',
    );
  });
});

describe('checks', () => {
  const input = { kind: 'log', name: 'x', bodyExpression: 'Body' };

  it('a source’s expressions must be safe, and fit its table where there is one', async () => {
    const check = (rest: Record<string, unknown>) =>
      kit.query.checkSource(SourceInput.parse({ ...input, ...rest }));
    const here = { databaseName: kit.database, tableName: 'otel_logs' };
    expect(
      await check({
        from: here,
        implicitColumnExpression: "concat(Body, ' ', ServiceName)",
        defaultTableSelectExpression: 'Timestamp, Body AS b',
      }),
    ).toEqual([]);
    expect(
      await check({ from: here, bodyExpression: 'Bdy', severityTextExpression: "file('x')" }),
    ).toMatchObject([{ path: 'bodyExpression' }, { path: 'severityTextExpression' }]);
    const later = { databaseName: kit.database, tableName: 'comes_later' };
    expect(await check({ from: later, bodyExpression: 'anything' })).toEqual([]);
    expect(await check({ from: later, bodyExpression: '(SELECT 1)' })).toMatchObject([
      { path: 'bodyExpression' },
    ]);
  });

  it('conditions and expressions', async () => {
    const source = kit.sources[ids.logs]!;
    expect(await kit.query.checkCondition(source, 'Body:x', 'lucene')).toEqual([]);
    expect(await kit.query.checkCondition(source, 'Body = ', 'sql', 'filters.0')).toMatchObject([
      { path: 'filters.0' },
    ]);
    expect(await kit.query.checkExpression(source, 'LogAttributes.a.b', 'groupBy')).toEqual([]);
    expect(await kit.query.checkExpression(source, 'nope', 'groupBy')).toMatchObject([
      { path: 'groupBy' },
    ]);
  });
});
