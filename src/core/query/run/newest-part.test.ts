import { describe, expect, it } from 'vitest';
import { SearchRequest } from '../../../contract/query/search.ts';
import { Source } from '../../../contract/source.ts';
import { fieldsOf } from '../fields/fields.ts';
import { planSearch } from '../plan/plan-search.ts';
import { newestSecond } from './newest-part.ts';
import { writeCursor } from './search-cursor.ts';

const fields = fieldsOf([
  { name: 'Timestamp', type: 'DateTime64(9)' },
  { name: 'TimestampTime', type: 'DateTime' },
  { name: 'ServiceName', type: 'LowCardinality(String)' },
  { name: 'TraceId', type: 'String' },
  { name: 'Body', type: 'String' },
]);
const source = Source.parse({
  id: 'a'.repeat(24),
  team: 'b'.repeat(24),
  createdAt: '2026-01-01T00:00:00Z',
  updatedAt: '2026-01-01T00:00:00Z',
  kind: 'log',
  name: 'Logs',
  from: { databaseName: 'db', tableName: 'otel_logs' },
  bodyExpression: 'Body',
});
const endMs = 1_767_225_600_000;
const hourMs = 3_600_000;

/** How many seconds before the end of the range the newest part begins. */
async function newestSeconds(
  hours: number,
  request: Record<string, unknown> = {},
  rowsPerHour = 1000,
): Promise<number | undefined> {
  const times = { startTime: endMs - hours * hourMs, endTime: endMs };
  const parsed = SearchRequest.parse({ sourceId: source.id, ...times, ...request });
  const plan = planSearch(parsed, source, fields);
  const second = await newestSecond(plan, ({ fromMs, toMs }) =>
    Promise.resolve(((toMs - fromMs) / hourMs) * rowsPerHour),
  );
  return second === undefined ? undefined : endMs / 1000 - second;
}

describe('the newest part of a range', () => {
  it('is its 32nd part, but at most ten minutes', async () => {
    expect(await newestSeconds(3.2)).toBe(360);
    expect(await newestSeconds(32)).toBe(600);
  });

  it('is that of the rows before the cursor', async () => {
    const nanos = `${endMs - 16 * hourMs}000000`;
    const cursor = writeCursor({ nanos, hash: '0'.repeat(32), ties: undefined });
    expect(await newestSeconds(32, { cursor })).toBe(16 * 3600 + 600);
  });

  it.each([
    ['', true, true],
    ['ServiceName:"cart"', true, true],
    ['word', true, false],
    ['ServiceName:"cart" word', true, false],
    ['TraceId:"1"', false, false],
    ['ServiceName:"cart" TraceId:"1"', false, false],
  ])('is read first where it probably fills the page: %s', async (where, inDay, inHour) => {
    expect((await newestSeconds(24, { where })) !== undefined).toBe(inDay);
    expect((await newestSeconds(1, { where })) !== undefined).toBe(inHour);
  });

  it('is read first for a word in a short range too, if the range has millions of rows', async () => {
    expect(await newestSeconds(1, { where: 'word' }, 2_900_000)).toBeUndefined();
    expect(await newestSeconds(1, { where: 'word' }, 3_100_000)).toBe(113);
    expect(await newestSeconds(1, { where: 'TraceId:"1"' }, 3_100_000)).toBeUndefined();
  });

  it('is not read first in another order, or if the range has no second of it', async () => {
    expect(await newestSeconds(24, { orderBy: 'Body' })).toBeUndefined();
    expect(await newestSeconds(0.5 / 3600)).toBeUndefined();
  });
});
