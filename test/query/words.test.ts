import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SearchRequest } from '../../src/contract/query/search.ts';
import { Source } from '../../src/contract/source.ts';
import { qualified, sql } from '../../src/sql/sql.ts';
import { ids, openQueryKit, t0, type QueryKit } from './query-kit.ts';

/** Bodies by id. */
const starred = ['foo', 'buy food!', 'a-foo', 'buffo', 'fo', 'FOX', 'f_oo', 'fabuloso'];
/** Attributes by id. */
const maps: Record<string, string>[] = [{}, { k: '' }, { k: 'v' }, { other: 'v' }, { other: '' }];
const letters = ['Σ', 'σ', 'ς', 'k', 'K', '\u212a', 'ß', 'ẞ', 'ſ', 's', 'S', 'İ', 'é', 'É', 'ο'];
const [random] = fc.sample(
  fc.array(
    fc
      .array(fc.constantFrom(...letters), { minLength: 1, maxLength: 4 })
      .map((word) => word.join('')),
    { minLength: 60, maxLength: 60 },
  ),
  { numRuns: 1, seed: 7 },
);
const cased = ['ΟΔΟΣ', 'οδος', 'οδοσ', 'Οδός', ...random!];

let kit: QueryKit;
beforeAll(async () => {
  kit = await openQueryKit();
  const table = qualified(kit.database, 'words');
  await kit.command(
    sql`CREATE TABLE ${table} (Timestamp DateTime, kind LowCardinality(String), id UInt32,
        Body String, level Enum8('Warn' = 1, 'Error' = 2),
        attributes Map(LowCardinality(String), String), counts Map(String, UInt64))
      ENGINE = MergeTree ORDER BY id`,
  );
  const row = (kind: string, id: number, more: object) => ({
    Timestamp: t0 / 1000,
    kind,
    id,
    Body: '',
    level: 'Warn',
    attributes: {},
    counts: {},
    ...more,
  });
  await kit.insert('words', [
    ...starred.map((Body, id) => row('starred', id, { Body })),
    ...maps.map((attributes, id) => row('maps', id, { attributes })),
    ...cased.map((Body, id) => row('cased', id, { Body })),
    row('counts', 0, {}),
    row('counts', 1, { counts: { k: 0 }, level: 'Error' }),
    row('counts', 2, { counts: { k: 3 } }),
  ]);
});
afterAll(() => kit.close());

async function matching(kind: string, where: string): Promise<number[]> {
  const { rows } = await kit.query.search(
    SearchRequest.parse({
      sourceId: ids.logs,
      where: `kind:"${kind}" AND (${where})`,
      startTime: t0,
      endTime: t0 + 60_000,
      select: 'id',
      limit: 2000,
    }),
    Source.parse({
      ...kit.sources[ids.logs],
      from: { databaseName: kit.database, tableName: 'words' },
      timestampValueExpression: 'Timestamp',
      severityTextExpression: undefined,
      serviceNameExpression: undefined,
      defaultTableSelectExpression: undefined,
    }),
  );
  return rows.map(({ id }) => Number(id)).sort((a, b) => a - b);
}

describe('stars', () => {
  it.each<[where: string, bodies: string[]]>([
    ['foo', ['foo', 'a-foo']],
    ['fo*', ['foo', 'buy food!', 'a-foo', 'fo', 'FOX']],
    ['*fo', ['buffo', 'fo']],
    ['*fo*', ['foo', 'buy food!', 'a-foo', 'buffo', 'fo', 'FOX']],
    ['f*o', starred],
    ['fo\\*', []],
    ['"fo*"', []],
    ['Body:fo*', ['foo', 'fo', 'FOX']],
    ['Body:*fo', ['buffo', 'fo']],
    ['Body:f*o', ['foo', 'fo', 'f_oo', 'fabuloso']],
    ['Body:fo', ['foo', 'buy food!', 'a-foo', 'buffo', 'fo', 'FOX']],
    ['Body:"fo*"', []],
    ['Body:f_o', ['f_oo']],
  ])('%s', async (where, bodies) => {
    expect((await matching('starred', where)).map((id) => starred[id])).toEqual(bodies);
  });
});

describe('maps', () => {
  it.each<[where: string, rows: number[]]>([
    ['attributes:*', [1, 2, 3, 4]],
    ['-attributes:*', [0]],
    ['attributes:v', [2, 3]],
    ['attributes:""', [1, 4]],
    ['attributes.k:*', [1, 2]],
    ['-attributes.k:*', [0, 3, 4]],
    ['attributes.k:""', [0, 1, 3, 4]],
    ['-attributes.k:""', [2]],
    ['attributes.k:"" AND attributes.k:*', [1]],
    ['attributes.k:**', [1, 2]],
  ])('%s', async (where, rows) => {
    expect(await matching('maps', where)).toEqual(rows);
  });

  it.each<[where: string, rows: number[]]>([
    ['counts.k:0', [1]],
    ['counts.k:<5', [1, 2]],
    ['counts.k:[* TO 0]', [1]],
    ['-counts.k:0', [0, 2]],
    ['counts:*', [1, 2]],
    ['counts:0', [1]],
    ['level:err', [1]],
    ['level:"Error"', [1]],
    ['level:ERR*', [1]],
  ])('%s', async (where, rows) => {
    expect(await matching('counts', where)).toEqual(rows);
  });
});

/** ASCII meets ASCII case; any other text meets Unicode case, with one small sigma. */
function fold(text: string, searched: string): string {
  return /^[\0-\x7f]*$/.test(searched)
    ? text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
    : text.toLowerCase().replaceAll('ς', 'σ');
}

describe('case', () => {
  it.each(['οδος', 'ΟΔΟΣ', 'οδοσ', 'Οδο*', '*ΔΟΣ', '*δος*'])(
    'is the same for field:%s and the bare word',
    async (word) => {
      expect(await matching('cased', word)).toEqual([0, 1, 2]);
      expect(await matching('cased', `Body:${word}`)).toEqual([0, 1, 2]);
    },
  );

  it('follows one rule for random words of difficult letters', async () => {
    for (const searched of new Set(cased)) {
      const wanted = (matches: (body: string, text: string) => boolean): number[] =>
        cased.flatMap((body, id) =>
          matches(fold(body, searched), fold(searched, searched)) ? [id] : [],
        );
      const contains = wanted((body, text) => body.includes(text));
      expect(await matching('cased', `Body:${searched}`), `Body:${searched}`).toEqual(contains);
      expect(await matching('cased', `*${searched}*`), `*${searched}*`).toEqual(contains);
      expect(await matching('cased', searched), searched).toEqual(
        wanted((body, text) => body === text),
      );
    }
  });
});
