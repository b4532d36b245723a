import { expect, it } from 'vitest';
import { csvText } from './csv.ts';

it('quotes what separates cells, and disarms formulas', () => {
  const rows = [
    ['a,b', 'say "hi"', 'two\nlines', '=1+1', '-7', '@x', null, undefined, { a: 1 }, 5],
  ];
  expect(csvText(['one', 'two'], rows)).toBe(
    'one,two\n"a,b","say ""hi""","two\nlines",\'=1+1,\'-7,\'@x,,,"{""a"":1}",5',
  );
});
