import { ClickHouseError } from '@clickhouse/client';
import { expect, test } from 'vitest';
import { TelemetryError } from '../../ports/telemetry.ts';
import { engineError } from './engine-errors.ts';

test.each([
  ['Code: 62. DB::Exception: Syntax error: failed at position 1', 'syntax'],
  ['Code: 46. DB::Exception: Function with name f does not exist', 'syntax'],
  ['Code: 47. DB::Exception: Unknown expression identifier', 'unknown_column'],
  ['Code: 60. DB::Exception: Unknown table expression identifier', 'unknown_table'],
  ['Code: 81. DB::Exception: Database x does not exist', 'unknown_table'],
  ['Code: 43. DB::Exception: Illegal types', 'type'],
  ['Code: 159. DB::Exception: Timeout exceeded', 'timeout'],
  ['Code: 396. DB::Exception: Limit for result exceeded', 'too_many_rows'],
  ['Code: 241. DB::Exception: Query memory limit exceeded', 'memory'],
  ['Code: 394. DB::Exception: Query was cancelled', 'aborted'],
  ['Code: 202. DB::Exception: Too many simultaneous queries', 'unavailable'],
  ['std::exception. Code: 1001, type: avro::Exception, e.what() = EOF reached', 'other'],
  ['connect ECONNREFUSED 127.0.0.1:8123', 'unavailable'],
  ['Code: 395. DB::Exception: Value passed to throwIf is non-zero', 'other'],
])('%s is %s', (message, kind) => {
  expect(engineError(new Error(message))).toMatchObject({ kind, message });
});

test('the code of a client error counts where its message has none', () => {
  expect(engineError(Object.assign(new Error('Unknown table'), { code: '60' })).kind).toBe(
    'unknown_table',
  );
});

test('what the client cut off an error of the engine is put back', () => {
  const cause = new ClickHouseError({
    message: 'Failed to get it. ',
    code: '499',
    type: 'S3_ERROR',
  });
  expect(engineError(cause)).toMatchObject({
    kind: 'other',
    message: 'Code: 499. DB::Exception: Failed to get it. (S3_ERROR)',
  });
});

test('an error of the port stays what it is', () => {
  const error = new TelemetryError('memory', 'x');
  expect(engineError(error)).toBe(error);
});
