import { expect, it } from 'vitest';
import { table } from './table.ts';

it('a table aligns, puts numbers to the right and shows control characters escaped', () => {
  expect(
    table(
      ['name', 'n'],
      [
        ['a\u001b[31m', 1],
        [undefined, 20],
      ],
    ),
  ).toBe(['name          n', '-----------  --', 'a\\u001b[31m   1', '             20'].join('\n'));
});
