import { afterAll, beforeAll, expect, it } from 'vitest';
import { FacetRequest } from '../../src/contract/query/facets.ts';
import { qualified, sql } from '../../src/sql/sql.ts';
import { ids, openQueryKit, t0, type QueryKit } from './query-kit.ts';

let kit: QueryKit;
beforeAll(async () => {
  kit = await openQueryKit();
});
afterAll(() => kit.close());

it('facets of over a million rows are counted in periods spread over the range, and say so', async () => {
  const table = qualified(kit.database, 'otel_logs');
  const from = t0 + 86_400_000;
  for (const first of [0, 500_000, 1_000_000, 1_500_000]) {
    await kit.command(
      sql`INSERT INTO ${table} (Timestamp, ServiceName)
        SELECT fromUnixTimestamp64Milli(toInt64(${from} + number)), if(number % 4 = 0, 'a', 'b')
        FROM numbers(${first}, 500000)`,
    );
  }
  const request = FacetRequest.parse({
    sourceId: ids.logs,
    fields: ['ServiceName'],
    startTime: from,
    endTime: from + 2_000_000,
  });
  const result = await kit.query.facets(request, kit.sources[ids.logs]!);
  expect([result.rows, result.sampled]).toEqual([2_000_000, true]);
  expect(Math.abs(result.countedRows - 1_000_000)).toBeLessThan(1000);
  const [first, second] = result.facets[0]!.values;
  expect([first?.value, second?.value]).toEqual(['b', 'a']);
  expect(first!.rows / second!.rows).toBeCloseTo(3, 2);
  expect(first!.rows + second!.rows).toBe(result.countedRows);
}, 120_000);
