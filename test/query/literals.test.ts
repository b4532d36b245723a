import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SearchRequest } from '../../src/contract/query/search.ts';
import { Source } from '../../src/contract/source.ts';
import { qualified, sql } from '../../src/sql/sql.ts';
import { ids, openQueryKit, t0, type QueryKit } from './query-kit.ts';

/** 2026-01-01T00:00:00Z in nanoseconds. */
const start = BigInt(t0) * 1_000_000n;
const edges = [2n ** 53n, 2n ** 63n, 2n ** 64n - 3n, 10n ** 15n];
const near = (value: bigint): bigint[] => [-2n, -1n, 0n, 1n, 2n].map((step) => value + step);
const unsigned = edges.flatMap(near);
const times = [0n, 1n, 999n, 1_000_000n, 1_000_001n, 123_456_789n, 999_999_999n].map(
  (nanos) => start + nanos,
);

let kit: QueryKit;
beforeAll(async () => {
  kit = await openQueryKit();
  const table = qualified(kit.database, 'exact');
  await kit.command(
    sql`CREATE TABLE ${table} (Timestamp DateTime64(9), id UInt32, u UInt64, s Int64, wide UInt256,
        d Decimal(38, 9), attributes Map(String, String))
      ENGINE = MergeTree ORDER BY id`,
  );
  await kit.insert(
    'exact',
    unsigned.map((u, id) => ({
      Timestamp: nanosText(times[id % times.length]!),
      id,
      u: String(u),
      s: String(signed(u)),
      wide: String(u * 10n ** 40n),
      d: decimalText(u),
      attributes: { u: String(u) },
    })),
  );
});
afterAll(() => kit.close());

const signed = (value: bigint): bigint => -(value % 2n ** 63n);
const nanosText = (nanos: bigint): string => {
  const seconds = new Date(Number(nanos / 1_000_000_000n) * 1000).toISOString().slice(0, 19);
  return `${seconds.replace('T', ' ')}.${String(nanos % 1_000_000_000n).padStart(9, '0')}`;
};
const decimalText = (value: bigint): string =>
  `${value / 10n ** 9n}.${String(value % 10n ** 9n).padStart(9, '0')}`;

async function matching(where: string, whereLanguage = 'lucene'): Promise<number[]> {
  const { rows } = await kit.query.search(
    SearchRequest.parse({
      sourceId: ids.logs,
      where,
      whereLanguage,
      startTime: t0,
      endTime: t0 + 60_000,
      select: 'id',
    }),
    Source.parse({
      ...kit.sources[ids.logs],
      from: { databaseName: kit.database, tableName: 'exact' },
      timestampValueExpression: 'Timestamp',
      bodyExpression: undefined,
      severityTextExpression: undefined,
      serviceNameExpression: undefined,
      defaultTableSelectExpression: undefined,
    }),
  );
  return rows.map(({ id }) => Number(id)).sort((a, b) => a - b);
}

const operators = {
  '': (value: bigint, bound: bigint) => value === bound,
  '>': (value: bigint, bound: bigint) => value > bound,
  '>=': (value: bigint, bound: bigint) => value >= bound,
  '<': (value: bigint, bound: bigint) => value < bound,
  '<=': (value: bigint, bound: bigint) => value <= bound,
} as const;

/** What each column holds of row `id`, in units of the column. */
const columns: Record<
  string,
  { valueOf: (u: bigint, id: number) => bigint; text: (value: bigint) => string }
> = {
  u: { valueOf: (u) => u, text: String },
  s: { valueOf: signed, text: String },
  wide: { valueOf: (u) => u * 10n ** 40n, text: String },
  d: { valueOf: (u) => u, text: decimalText },
  'attributes.u': { valueOf: (u) => u, text: String },
  Timestamp: {
    valueOf: (_, id) => times[id % times.length]!,
    text: (value) => `"${nanosText(value).replace(' ', 'T')}Z"`,
  },
};

describe('literals keep every digit', () => {
  it.each([
    ['u:9007199254740993', '9007199254740993'],
    ['u:"9007199254740993"', '9007199254740993'],
    ['u:9007199254740993.0', '9007199254740993'],
    ['u:[9007199254740993 TO 9007199254740993]', '9007199254740993'],
  ])('%s', async (where, value) => {
    expect(await matching(where)).toEqual([unsigned.indexOf(BigInt(value))]);
  });

  it('compares random neighbours as an oracle does', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.keys(columns)),
        fc.constantFrom(...(Object.keys(operators) as (keyof typeof operators)[])),
        fc.nat({ max: unsigned.length - 1 }),
        fc.integer({ min: -1, max: 1 }),
        async (name, operator, index, step) => {
          const column = columns[name]!;
          const bound = column.valueOf(unsigned[index]!, index) + BigInt(step);
          fc.pre(name !== 'd' || bound >= 0n);
          // Of text, `field:x` finds a part; only comparisons are about numbers.
          fc.pre(name !== 'attributes.u' || operator !== '');
          const wanted = unsigned.flatMap((u, id) =>
            operators[operator](column.valueOf(u, id), bound) ? [id] : [],
          );
          expect(
            await matching(`${name}:${operator}${column.text(bound)}`),
            `${name}:${operator}${column.text(bound)}`,
          ).toEqual(wanted);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('takes times far outside of what the engine holds', async () => {
    expect(await matching('Timestamp:>"0001-01-01"')).toHaveLength(unsigned.length);
    expect(await matching('Timestamp:<"9999-12-31"')).toHaveLength(unsigned.length);
    expect(await matching('Timestamp:<"0001-01-01"')).toEqual([]);
    expect(await matching(`Timestamp:>=${t0}.000001`)).toHaveLength(
      unsigned.filter((_, id) => times[id % times.length]! >= start + 1n).length,
    );
  });
});
