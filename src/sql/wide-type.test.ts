import { describe, expect, it } from 'vitest';
import { wideType } from './wide-type.ts';

describe('a type to read outside numbers into', () => {
  it.each([
    ['UInt8', 'Int256'],
    ['Int64', 'Int256'],
    ['UInt128', 'Int256'],
    ['Nullable(UInt16)', 'Nullable(Int256)'],
    ['Array(Nullable(Int8))', 'Array(Nullable(Int256))'],
    ['Map(UInt8, Array(Tuple(Int16, String)))', 'Map(Int256, Array(Tuple(Int256, String)))'],
    ['Tuple(Int8 String, `UInt8` UInt16, b UInt8)', 'Tuple(Int8 String, `UInt8` Int256, b Int256)'],
    ['LowCardinality(UInt8)', 'Int256'],
    ['LowCardinality(Nullable(UInt8))', 'Nullable(Int256)'],
    ["Tuple(a Enum8('Int8' = 1), b Int8)", "Tuple(a Enum8('Int8' = 1), b Int256)"],
    ['Tuple(Decimal(18, 2), Int8)', 'Tuple(Decimal(18, 2), Int256)'],
  ])('for %s it is %s', (type, wide) => {
    expect(wideType(type)).toBe(wide);
  });

  it.each([
    'String',
    'Float64',
    'Int256',
    'UInt256',
    "DateTime64(3, 'UTC')",
    "Enum8('UInt8' = 1)",
    'Tuple(Int8 String)',
    'Decimal(18, 2)',
    'AggregateFunction(sum, UInt64)',
    'SimpleAggregateFunction(sum, UInt64)',
    'Variant(String, UInt8)',
    'IPv4',
    'Bool',
  ])('there is none for %s', (type) => {
    expect(wideType(type)).toBeUndefined();
  });
});
