import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExpressionError } from '../fields/expression-error.ts';
import { parseLucene } from './parse-lucene.ts';

const outcome = (text: string): string => {
  try {
    parseLucene(text);
    return 'read';
  } catch (error) {
    if (error instanceof ExpressionError) {
      return 'refused';
    }
    throw error;
  }
};

describe('parseLucene', () => {
  // Each of these keeps a published parser busy for a second or more, or ends its process.
  it.each([
    ['NOT ( six times, unclosed', 'NOT ('.repeat(6)],
    ['NOT ( a thousand times', 'NOT ('.repeat(1000)],
    ['(a OR ( twelve times, unclosed', '(a OR ('.repeat(12)],
    ['(a OR ( a thousand times', '(a OR ('.repeat(1000)],
    ['-( repeated', '-('.repeat(3000)],
    ['field:( repeated', 'field:('.repeat(1000)],
    ['closing only', ')'.repeat(8000)],
    ['an open quote', `"${'a'.repeat(8000)}`],
    ['backslashes', '\\'.repeat(8001)],
    ['stars', '*'.repeat(8000)],
    ['minus signs', '-'.repeat(8000)],
    ['minus signs before a word', `${'-'.repeat(8000)}a`],
    ['NOT without end', 'NOT '.repeat(2000)],
    ['AND without end', 'a AND '.repeat(1200)],
    ['40 KB of a word', 'a'.repeat(40_000)],
    ['40 KB of words', 'a '.repeat(20_000)],
    ['open ranges', 'f:['.repeat(2000)],
    ['colons', ':'.repeat(8000)],
    ['mixed', '(a:"b" OR [NOT {-'.repeat(400)],
  ])('answers at once: %s', (_, text) => {
    const start = performance.now();
    outcome(text);
    expect(performance.now() - start).toBeLessThan(500);
  });

  it('reads or refuses any text, and nothing else happens', () => {
    const piece = fc.constantFrom(
      '(',
      ')',
      'NOT ',
      'AND ',
      ' OR ',
      '-',
      ':',
      '"',
      '*',
      '\\',
      '[',
      ']',
      '{',
      '}',
      ' TO ',
      '>',
      '<=',
      'a',
      'field',
      ' ',
      '&&',
      '||',
      '%',
      '\0',
      '😀',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(piece, { maxLength: 200 }).map((parts) => parts.join('')),
          fc.string({ unit: 'binary', maxLength: 300 }),
        ),
        (text) => {
          expect(['read', 'refused']).toContain(outcome(text));
        },
      ),
      { numRuns: 2000 },
    );
  }, 30_000);

  it('more than 8192 characters, 500 terms or 64 levels are refused with the reason', () => {
    expect(() => parseLucene('a'.repeat(8193))).toThrow('at most 8192 characters');
    expect(() => parseLucene('a '.repeat(501))).toThrow('at most 500 terms');
    expect(() => parseLucene(`${'('.repeat(65)}a${')'.repeat(65)}`)).toThrow('at most 64 deep');
    expect(outcome(`${'('.repeat(64)}a${')'.repeat(64)}`)).toBe('read');
  });

  it.each([
    ['a b OR c', { kind: 'or', parts: [{ kind: 'and', parts: ['a', 'b'] }, 'c'] }],
    [
      'a OR b AND NOT c',
      { kind: 'or', parts: ['a', { kind: 'and', parts: ['b', { kind: 'not', inner: 'c' }] }] },
    ],
    ['a ORDER b', { kind: 'and', parts: ['a', 'ORDER', 'b'] }],
    ['a and b', { kind: 'and', parts: ['a', 'and', 'b'] }],
    [
      '(a OR b) -c',
      {
        kind: 'and',
        parts: [
          { kind: 'or', parts: ['a', 'b'] },
          { kind: 'not', inner: 'c' },
        ],
      },
    ],
  ])('NOT binds tighter than AND than OR, adjacency is AND: %s', (text, tree) => {
    const short = (node: unknown): unknown => {
      const { kind, parts, inner, value } = node as {
        kind: string;
        parts?: unknown[];
        inner?: unknown;
        value?: { parts: string[] };
      };
      if (kind === 'term') {
        return value!.parts.join('*');
      }
      return parts ? { kind, parts: parts.map(short) } : { kind, inner: short(inner) };
    };
    expect(short(parseLucene(text))).toEqual(tree);
  });
});
