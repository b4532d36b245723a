import { describe, expect, it } from 'vitest';
import { columnType, ColumnTypeError, recordColumnType } from './column-type.ts';

describe('the type of a column that a caller defines', () => {
  it.each([
    'AggregateFunction(sum, UInt64)',
    'Array(AggregateFunction(uniq, String))',
    'Tuple(state AggregateFunction(count))',
    'Map(String, aggregatefunction(sum, UInt8))',
  ])('%s is refused: it holds states', (type) => {
    expect(() => recordColumnType(type)).toThrow(ColumnTypeError);
    expect(() => recordColumnType(type)).toThrow(/states of aggregate functions/);
    // A table of the operator may have it.
    expect(columnType(type).text).toContain('ggregate');
  });

  it.each([
    'SimpleAggregateFunction(sum, UInt64)',
    'Tuple(AggregateFunction String)',
    "Enum8('AggregateFunction(sum)' = 1)",
  ])('%s is taken: it holds plain values', (type) => {
    expect(() => recordColumnType(type)).not.toThrow();
  });
});
