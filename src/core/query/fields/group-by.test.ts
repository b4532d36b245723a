import { expect, it } from 'vitest';
import { placedGroups, splitGroupBy } from './group-by.ts';

it.each([
  ['', []],
  ['ServiceName', ['ServiceName']],
  [' a , b ', ['a', 'b']],
  ['concat(a, b), c', ['concat(a, b)', 'c']],
  ["LogAttributes['x,y'], b", ["LogAttributes['x,y']", 'b']],
  [String.raw`'it\',s', b`, [String.raw`'it\',s'`, 'b']],
  ['a,,b', ['a', 'b']],
])('cuts %j at its own commas only', (text, parts) => {
  expect(splitGroupBy(text)).toEqual(parts);
});

it('says where each part begins', () => {
  expect(placedGroups(' a ,b,, c')).toEqual([
    { text: 'a', position: 1 },
    { text: 'b', position: 4 },
    { text: 'c', position: 8 },
  ]);
});
