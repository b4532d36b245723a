import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonBody } from './json-body.ts';

const body = (text: string): Promise<unknown> => jsonBody(Buffer.from(text));
const list = (count: number, item: (index: number) => string): string =>
  `[${Array.from({ length: count }, (_, index) => item(index)).join(',')}]`;

describe('the structure of a body', () => {
  test.each<[string, string, string | undefined]>([
    ['64 levels', '['.repeat(64) + ']'.repeat(64), undefined],
    ['65 levels', '['.repeat(65) + ']'.repeat(65), 'nested deeper than 64 levels'],
    ['brackets in a string', `"${'['.repeat(100)}"`, undefined],
    ['brackets after an escaped quote', `"\\"${'['.repeat(100)}"`, undefined],
    ['brackets that close first', `]]]${'['.repeat(60)}`, 'not valid JSON'],
    ['50,000 values', list(50_000, String), undefined],
    ['50,001 values', list(50_001, String), 'more than 50000 values'],
    ['5000 names', `{${list(5000, (index) => `"n${index}":1`).slice(1, -1)}}`, undefined],
    [
      '5001 names',
      `{${list(5001, (index) => `"n${index}":1`).slice(1, -1)}}`,
      'more than 5000 different names',
    ],
    ['10,000 objects of one shape', list(10_000, () => '{"a":1,"b":[2]}'), undefined],
    ['a number of 1000 digits', '1'.repeat(1000), undefined],
    ['a number of 1001 digits', '1'.repeat(1001), 'a number of over 1000 digits'],
    ['digits in a string', `"${'1'.repeat(5000)}"`, undefined],
    ['an escape at the end of a slice', `"${'x'.repeat(262_142)}\\"${'['.repeat(100)}"`, undefined],
  ])('%s', async (_name, text, message) => {
    const read = body(text);
    if (message === undefined) {
      expect(await read).toEqual(JSON.parse(text));
    } else {
      await expect(read).rejects.toThrow(message);
    }
  });

  test('a body within the limits is what JSON.parse gives', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        const text = JSON.stringify(value);
        await expect(body(text)).resolves.toEqual(JSON.parse(text));
      }),
    );
  });
});
