import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scanJson } from './scan-json.ts';

const longIntegersOf = (text: string): string[] => {
  const bytes = Buffer.from(text);
  const positions = scanJson(bytes, Infinity);
  return positions.flatMap((start, index) =>
    index % 2 === 0 ? [bytes.toString('utf8', start, positions[index + 1])] : [],
  );
};

describe('long integers', () => {
  test.each([
    ['[9007199254740993,-9007199254740993]', ['9007199254740993', '-9007199254740993']],
    ['{"ж":1763715600000000001 }', ['1763715600000000001']],
    ['123456789012345', []],
    ['1234567890123456.5', []],
    ['1234567890123456e2', []],
    ['0.1234567890123456789', []],
    ['1e1234567890123456789', []],
    ['"1234567890123456789"', []],
    ['"\\"1234567890123456789"', []],
    ['"\\\\",1234567890123456789', ['1234567890123456789']],
    ['"1234567890123456789', []],
    ['1234567890123456789', ['1234567890123456789']],
  ])('in %s', (text, integers) => {
    expect(longIntegersOf(text)).toEqual(integers);
  });
});

test('an object of very many names is refused', () => {
  const names = (count: number): Buffer =>
    Buffer.from(`{${Array.from({ length: count }, (_, index) => `"n${index}" : 1`).join(',')}}`);
  expect(() => scanJson(names(500), Infinity)).not.toThrow();
  expect(() => scanJson(names(501), Infinity)).toThrow('more than 500 different names');
});

test('values are counted outside of strings', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      let values = 0;
      JSON.parse(text, (_name, value: unknown) => {
        values += typeof value === 'object' && value !== null ? 1 : 0;
        return value;
      });
      const commas = text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '').split(',').length - 1;
      const count = values + commas;
      expect(() => scanJson(Buffer.from(text), count)).not.toThrow();
      if (count > 0) {
        expect(() => scanJson(Buffer.from(text), count - 1)).toThrow('more than');
      }
    }),
  );
});
