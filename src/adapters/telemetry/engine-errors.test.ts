import { expect, test } from 'vitest';
import { TelemetryError } from '../../ports/telemetry.ts';
import { engineError } from './engine-errors.ts';
import { EngineFailure } from './engine-failure.ts';

test.each([
  ['Code: 62. DB::Exception: Syntax error: failed at position 1', 'syntax'],
  ['Code: 46. DB::Exception: Function with name f does not exist', 'syntax'],
  ['Code: 47. DB::Exception: Unknown expression identifier', 'unknown_column'],
  ['Code: 60. DB::Exception: Unknown table expression identifier', 'unknown_table'],
  ['Code: 81. DB::Exception: Database x does not exist', 'unknown_table'],
  ['Code: 57. DB::Exception: Table x already exists', 'table_exists'],
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

test('a refused host with several addresses is told by its code', () => {
  const cause = Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' });
  expect(engineError(cause)).toMatchObject({ kind: 'unavailable', message: 'ECONNREFUSED' });
});

test('the number of the outermost error decides', () => {
  const cause = new EngineFailure(
    'Code: 279. DB::NetException: All attempts failed: Code: 60. DB::Exception: No such table. (UNKNOWN_TABLE)',
  );
  expect(engineError(cause)).toMatchObject({
    kind: 'unavailable',
    message: 'Code: 279. DB::Exception: No such table. (UNKNOWN_TABLE)',
  });
});

test('an error of the port stays what it is', () => {
  const error = new TelemetryError('memory', 'x');
  expect(engineError(error)).toBe(error);
});
