import { expect, test } from 'vitest';
import { patternCost } from './pattern-cost.ts';

test.each([
  '[0-9]+',
  '(\\w+)=(\\w+)',
  '\\d+|[0-9a-f]{8,}',
  'user (.*) logged (in|out)',
  '"(?:[^"])*"',
  '[]a*]+x',
  'a\\|b*c',
  '(foo|bar)+',
])('%s finds all matches in linear time', (pattern) => {
  expect(patternCost(pattern).readsAhead).toBe(false);
});

test.each([
  'a(?:.*[bc])?',
  'a.*[bc]|a',
  '(a+[bc])?a',
  '[ab]*?[cd]|[a]',
  'a((.*)b)?',
  'a(x{2,}y){0,3}',
  'a(?:b|(c+d))*',
])('%s may read the rest of the text after each match', (pattern) => {
  expect(patternCost(pattern).readsAhead).toBe(true);
});

test('counted repetitions multiply', () => {
  expect(patternCost('[0-9a-f]{64}').states).toBe(64);
  expect(patternCost('((ab){1,30}c){10}').states).toBe(610);
  expect(patternCost('a{1,').states).toBeLessThan(10);
});

test('a long pattern is read in a moment', () => {
  const begin = performance.now();
  patternCost('('.repeat(2000) + 'a*'.repeat(2000) + ')'.repeat(2000));
  expect(performance.now() - begin).toBeLessThan(500);
});
