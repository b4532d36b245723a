import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPagingKit, sortedTexts, type PagingKit } from './paging-kit.ts';
import { log, t0 } from './query-kit.ts';

let kit: PagingKit;
beforeAll(async () => {
  kit = await openPagingKit();
});
afterAll(() => kit.close());

it('finds every row once, in order, for random rows, orders, limits and conditions', async () => {
  const cell = fc.record({
    second: fc.integer({ min: 0, max: 2 }),
    severity: fc.integer({ min: 0, max: 2 }),
    text: fc.constantFrom('a', 'b', 'c'),
    key: fc.constantFrom('', 'x', '1', 'nan'),
  });
  const orders = [
    undefined,
    'SeverityNumber',
    'Body DESC, SeverityNumber',
    "toFloat64OrNull(LogAttributes['k'])",
    "toFloat64OrNull(LogAttributes['k']) DESC, Timestamp",
    'tuple(SeverityNumber, Body) DESC',
  ];
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(cell, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 3 }),
      fc.constantFrom(...orders),
      fc.integer({ min: 1, max: 7 }),
      fc.constantFrom('', 'Body:a OR Body:b'),
      async (parts, orderBy, limit, where) => {
        await kit.storeParts(
          parts.map((part) =>
            part.map(({ second, severity, text, key }) =>
              log(t0 + second * 1000, {
                Body: text,
                SeverityNumber: severity,
                LogAttributes: key === '' ? {} : { k: key },
              }),
            ),
          ),
        );
        const rows = await kit.pages(
          {
            limit,
            where,
            select: ['Timestamp', 'Body', 'SeverityNumber', 'LogAttributes.k'],
            ...(orderBy !== undefined && { orderBy }),
          },
          () => kit.merge(),
        );
        const wanted = parts
          .flat()
          .filter(({ text }) => where === '' || text !== 'c')
          .map(({ second, severity, text, key }) => `${second} ${text} ${severity} ${key}`);
        const shown = rows.map(
          (row) =>
            `${Number(String(row['Timestamp']).slice(17, 19))} ${String(row['Body'])} ` +
            `${String(row['SeverityNumber'])} ${String(row['LogAttributes.k'])}`,
        );
        expect(sortedTexts(shown)).toEqual(sortedTexts(wanted));
        expect(new Set(rows.map(({ _id }) => _id)).size).toBe(rows.length);
        const whole = await kit.search({
          where,
          select: ['Timestamp', 'Body', 'SeverityNumber', 'LogAttributes.k'],
          ...(orderBy !== undefined && { orderBy }),
          limit: 2000,
        });
        expect(rows).toEqual(whole.rows);
      },
    ),
    { numRuns: 40 },
  );
});
