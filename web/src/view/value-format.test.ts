import { describe, expect, it } from 'vitest';
import { formatValue, type ValueFormat } from './value-format.ts';

describe('formatValue', () => {
  it.each<[number, ValueFormat | undefined, string]>([
    [0, undefined, '0'],
    [1234.56, undefined, '1,235'],
    [0.001234, undefined, '0.00123'],
    [12_345_678, undefined, '12 M'],
    [12_345_678, { output: 'number', average: false, thousandSeparated: false }, '12345678'],
    [1500, { output: 'number', average: true }, '1.5 k'],
    [0.1234, { output: 'percent' }, '12.3 %'],
    [0.1234, { output: 'percent', mantissa: 2 }, '12.34 %'],
    [1536, { output: 'byte' }, '1.5 KiB'],
    [1500, { output: 'byte', decimalBytes: true }, '1.5 kB'],
    [0, { output: 'byte' }, '0 B'],
    [1_048_576, { output: 'data_rate' }, '1 MiB/s'],
    [12, { output: 'throughput' }, '12/s'],
    [9.5, { output: 'currency', currencySymbol: '€', mantissa: 2 }, '€9.50'],
    [340_000_000, { output: 'duration', factor: 1e-9 }, '340 ms'],
    [7384, { output: 'time' }, '2:03:04'],
    [3, { output: 'number', unit: 'carts' }, '3 carts'],
  ])('%d as %o is %s', (value, format, text) => {
    expect(formatValue(value, format)).toBe(text);
  });
});
