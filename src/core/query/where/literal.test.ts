import fc from 'fast-check';
import { expect, it } from 'vitest';
import { numberLiteral, timeLiteral } from './literal.ts';

it.each([
  ['5', '5'],
  ['+005', '5'],
  ['-0', '0'],
  ['-0.0', '0'],
  ['5.', '5'],
  ['.5', '0.5'],
  ['-.50', '-0.5'],
  ['1e3', '1000'],
  ['1.5e1', '15'],
  ['12345e-2', '123.45'],
  ['1e-3', '0.001'],
  [' 7 ', '7'],
  ['9007199254740993', '9007199254740993'],
  ['18446744073709551615.0', '18446744073709551615'],
  ['1e300', '1e+300'],
])('the number %j is %s', (text, plain) => {
  expect(numberLiteral(text)).toEqual({ kind: 'number', text: plain });
});

it.each(['', '.', '-', 'e3', '1e', '1e999', '0x10', '1_000', 'NaN', 'Infinity', '1 2', '--1'])(
  '%j is no number',
  (text) => {
    expect(numberLiteral(text)).toBeUndefined();
  },
);

it('keeps the value of every number', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      expect(Number(numberLiteral(String(value))?.text)).toBe(value === 0 ? 0 : value);
    }),
  );
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 70n), max: 10n ** 70n }), (value) => {
      expect(numberLiteral(String(value))?.text).toBe(String(value));
    }),
  );
});

it.each([
  ['1970-01-01', '0'],
  ['1970-01-01T00:00:01Z', '1000000000'],
  ['1970-01-01 00:00:01', '1000000000'],
  ['1970-01-01T00:01', '60000000000'],
  ['1970-01-01T01:00:00+01:00', '0'],
  ['1970-01-01T00:00:00.123456789Z', '123456789'],
  ['1970-01-01T00:00:00.1', '100000000'],
  ['1969-12-31T23:59:59.999999999Z', '-1'],
  ['1767225600000', '1767225600000000000'],
  ['0.0000015', '1'],
  ['-1', '-1000000'],
])('the time %j is %s ns', (text, nanos) => {
  expect(timeLiteral(text)).toEqual({ kind: 'time', nanos });
});

it.each([
  '',
  'yesterday',
  '2026-13-01',
  '2026-01-01T25:00',
  '2026-01-01T00:00:00.1234567890',
  'T1',
])('%j is no time', (text) => {
  expect(timeLiteral(text)).toBeUndefined();
});
