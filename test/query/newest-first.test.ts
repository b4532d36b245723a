import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newMeter } from '../../src/core/query/run/run-plan.ts';
import { SearchRequest } from '../../src/contract/query/search.ts';
import { qualified, sql, trusted } from '../../src/sql/sql.ts';
import { openPagingKit, type PagingKit } from './paging-kit.ts';
import { ids, t0 } from './query-kit.ts';

const rows = 200_000;
const hours = 10;
const stepMs = (hours * 3_600_000) / rows;
/** Every row with this distance has the word `seldom`. */
const seldomStep = 5000;

let kit: PagingKit;
beforeAll(async () => {
  kit = await openPagingKit();
  await kit.command(sql`INSERT INTO ${qualified(kit.database, 'otel_logs')}
(Timestamp, ServiceName, Body)
SELECT fromUnixTimestamp64Milli(toInt64(${t0} + number * ${stepMs}), 'UTC'),
  if(number % 2 = 0, 'cart', 'checkout'),
  concat('frequent row ', toString(number), if(number % ${seldomStep} = 0, ' seldom', ''))
FROM numbers(${rows})`);
  await kit.merge();
});
afterAll(() => kit.close());

const range = { startTime: t0, endTime: t0 + hours * 3_600_000, select: 'Body' };

async function rowsRead(request: Record<string, unknown>): Promise<number> {
  const meter = newMeter();
  const parsed = SearchRequest.parse({ sourceId: ids.logs, ...range, ...request });
  const page = await kit.query.search(parsed, kit.sources[ids.logs]!, { meter });
  expect(page.rows).toHaveLength(parsed.limit);
  return meter.rowsRead;
}

const bodies = (page: readonly Record<string, unknown>[]): unknown[] =>
  page.map(({ Body }) => Body);

describe('a search, newest first', () => {
  it.each(['', 'ServiceName:"cart"', 'frequent'])(
    'reads only the newest part of the range if it fills the page: %s',
    async (where) => {
      expect(await rowsRead({ where, limit: 50 })).toBeLessThan(rows / 4);
    },
  );

  it('reads only the newest part before the cursor', async () => {
    const { cursor } = await kit.search({ ...range, limit: 50 });
    expect(cursor).toBeTypeOf('string');
    expect(await rowsRead({ limit: 50, cursor })).toBeLessThan(rows / 4);
  });

  it.each([3, 100])(
    'returns every row once and in order if the newest part fills no page of %d',
    async (limit) => {
      const found = await kit.pages({ ...range, where: 'seldom', limit }, () => Promise.resolve());
      const numbers = Array.from({ length: rows / seldomStep }, (_, index) => index * seldomStep);
      expect(bodies(found)).toEqual(
        numbers.toReversed().map((number) => `frequent row ${number} seldom`),
      );
    },
  );

  it.each([
    [4_000_000, 'toDate(Timestamp)', 2, 'reads the newest part first of an hour with many rows'],
    [40_000, 'toDate(Timestamp)', 1, 'reads an hour with few rows at once'],
    [2_000_000, 'tuple()', 2, 'reads the newest part first if it cannot count without reading'],
  ])('%d rows by %s, %d statements: %s', async (count, partition, statements) => {
    const name = `hour_of_${count}`;
    const table = qualified(kit.database, name);
    await kit.command(sql`CREATE TABLE ${table} (Timestamp DateTime64(9), ServiceName String,
      SeverityText String, Body String) ENGINE = MergeTree PARTITION BY ${trusted(partition)}
      ORDER BY ServiceName`);
    await kit.command(sql`INSERT INTO ${table} SELECT
      fromUnixTimestamp64Micro(toInt64(${t0} * 1000 + number * intDiv(3600000000, ${count}))),
      'cart', '', 'frequent' FROM numbers(${count})`);
    const source = kit.sources[ids.logs]!;
    const hour = { sourceId: ids.logs, startTime: t0, endTime: t0 + 3_600_000, where: 'frequent' };
    const { queries } = await kit.query.explainSearch(SearchRequest.parse(hour), {
      ...source,
      from: { ...source.from, tableName: name },
    });
    expect(queries).toHaveLength(statements);
  });
});
