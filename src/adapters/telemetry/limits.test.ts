import { expect, test } from 'vitest';
import { limitSettings, settingsClause } from './limits.ts';

const whole = {
  timeout_overflow_mode: 'throw',
  read_overflow_mode: 'throw',
  group_by_overflow_mode: 'throw',
  result_overflow_mode: 'throw',
  skip_unavailable_shards: '0',
};

test('absent limits are said as none, so that no earlier one holds', () => {
  expect(limitSettings({ timeoutMs: 1500 })).toEqual({
    max_execution_time: '1.5',
    max_rows_to_read: '0',
    max_result_rows: '0',
    ...whole,
    max_memory_usage: '0',
  });
});

test('limits become settings', () => {
  const limits = {
    timeoutMs: 1000,
    maxRowsToRead: 1,
    maxResultRows: 2,
    maxMemoryBytes: 3,
    maxThreads: 4,
  };
  expect(limitSettings(limits)).toEqual({
    max_execution_time: '1',
    max_rows_to_read: '1',
    max_result_rows: '2',
    ...whole,
    max_memory_usage: '3',
    max_threads: '4',
  });
});

test.each([
  ['0012', "'0012'"],
  ['throw', "'throw'"],
  ["a', max_threads=1 --", "'a\\', max_threads=1 --'"],
  ['back\\slash', "'back\\\\slash'"],
  ['', "''"],
])('the value %j is written %s', (value, written) => {
  expect(settingsClause({ a: value, b: '1' })).toBe(`a=${written}, b='1'`);
});
