import { describe, expect, it } from 'vitest';
import { glob, hasPattern } from './glob.ts';

describe('a pattern', () => {
  it.each([
    ['a.json', 'a.json', true],
    ['a.json', 'aXjson', false],
    ['a.json', 'b/a.json', false],
    ['a.json', 'a.json ', false],
    // ? is one character, whatever its bytes, but no /
    ['?.json', 'a.json', true],
    ['?.json', 'ü.json', true],
    ['?.json', '🙂.json', true],
    ['?.json', '.json', false],
    ['?.json', 'ab.json', false],
    ['a?b', 'a/b', false],
    ['??', '🙂', false],
    // * stays in its folder
    ['*.json', 'a.json', true],
    ['*.json', '.json', true],
    ['*.json', 'a/b.json', false],
    ['in/*', 'in/', true],
    ['in/*', 'in/a/b', false],
    ['*', '🙂 any\nthing', true],
    ['a*b*c', 'aXbYbZc', true],
    ['a*b*c', 'aXcYb', false],
    // ** goes through folders
    ['**', 'a/b/c.json', true],
    ['in/**', 'in/a/b.json', true],
    ['in/**', 'other/in/a', false],
    ['in/**.json', 'in/a.json', true],
    ['in/**/c', 'in/a/b/c', true],
    ['in/**/c', 'in/c', false],
    ['***', 'a/b', true],
    ['**/*.gz', 'a/b/c.gz', true],
    ['**/*.gz', 'c.gz', false],
    // {a,b}
    ['{a,b}.json', 'a.json', true],
    ['{a,b}.json', 'b.json', true],
    ['{a,b}.json', 'a,b.json', false],
    ['{a,b}.json', 'ab.json', false],
    ['x{,.gz}', 'x', true],
    ['x{,.gz}', 'x.gz', true],
    ['{a*,b?}.csv', 'alpha.csv', true],
    ['{a*,b?}.csv', 'bb.csv', true],
    ['{a*,b?}.csv', 'bbb.csv', false],
    ['{a}', 'a', true],
    ['{a,b}{c,d}', 'bd', true],
    ['{a/**,b}/x', 'a/q/r/x', true],
    ['{1..3}', '2', false],
    // what has a meaning for the engine, for expressions, for addresses or for SQL has none here
    ['a.+b|c^$(d)[e]', 'a.+b|c^$(d)[e]', true],
    ['[ab].json', 'a.json', false],
    ['a|b', 'a', false],
    ['it\'s "so" `x`', 'it\'s "so" `x`', true],
    ['back\\slash', 'back\\slash', true],
    ['a\\*', 'a\\bc', true],
    ['%41', 'A', false],
    ['%', '%', true],
    ['#a+b c&d', '#a+b c&d', true],
    ['~', '~', true],
    ['new*line', 'new\nline', true],
    ['Case', 'case', false],
    ['é', 'e\u0301', false],
    ['', '', true],
    ['*', '', true],
    ['?', '', false],
    // braces that do not pair stand for themselves; the contract refuses them
    ['a{b', 'a{b', true],
    ['a}b', 'a}b', true],
  ])('%j meets %j: %s', (pattern, name, meets) => {
    expect(glob(pattern).matches(name)).toBe(meets);
  });

  it.each([
    ['in/a', 'in/a'],
    ['in/*', 'in/'],
    ['in/a?b', 'in/a'],
    ['{a,b}', ''],
    ['**', ''],
    ['a{b,c}', 'a'],
    ['', ''],
    ['ü/%20 x*', 'ü/%20 x'],
  ])('every name that meets %j begins with %j', (pattern, prefix) => {
    expect(glob(pattern).prefix).toBe(prefix);
  });

  it('takes no longer for a hostile pattern than for another of its length', () => {
    const name = `${'a'.repeat(1023)}b`;
    for (const pattern of [
      `${'*a'.repeat(500)}c`,
      `${'**'.repeat(200)}${'*a'.repeat(200)}c`,
      `${'{a,aa,*}'.repeat(100)}c`,
      '?*'.repeat(500),
    ]) {
      const started = process.cpuUsage();
      glob(pattern).matches(name);
      const { user, system } = process.cpuUsage(started);
      expect([pattern.slice(0, 10), (user + system) / 1000 < 1000]).toEqual([
        pattern.slice(0, 10),
        true,
      ]);
    }
  });

  it('is told from a name by its signs', () => {
    expect(['a', '[a]', 'a,b', '%3F', '?', '*', '{', '}'].map(hasPattern)).toEqual([
      false,
      false,
      false,
      false,
      true,
      true,
      true,
      true,
    ]);
  });
});
