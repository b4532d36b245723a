import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { withRetries } from './retries.ts';

const named = (name: string): Error => Object.assign(new Error('as the service says'), { name });
const withStatus = (httpStatusCode: number): Error =>
  Object.assign(new Error('as the service says'), { $metadata: { httpStatusCode } });

describe('patience with the service', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const calls = (errors: readonly Error[]) => {
    let calls = 0;
    return {
      get calls() {
        return calls;
      },
      call: () =>
        calls < errors.length ? Promise.reject(errors[calls++]!) : Promise.resolve(++calls),
    };
  };
  const outcome = async (errors: readonly Error[], signal = new AbortController().signal) => {
    const service = calls(errors);
    const asking = withRetries(service.call, signal).then(
      () => 'answered',
      (error: unknown) => error,
    );
    await vi.runAllTimersAsync();
    return { result: await asking, calls: service.calls };
  };

  it('waits out a throttle for as long as it takes', async () => {
    expect(
      await outcome(
        Array.from({ length: 30 }, () => named('ProvisionedThroughputExceededException')),
      ),
    ).toEqual({ result: 'answered', calls: 31 });
  });

  it.each([
    [1, 'answered', 2],
    [2, 'answered', 3],
  ] as const)('asks again after %i failures of the service', async (failures, result, calls) => {
    expect(await outcome(Array.from({ length: failures }, () => withStatus(500)))).toEqual({
      result,
      calls,
    });
  });

  it('gives up after the third', async () => {
    const errors = [withStatus(500), withStatus(503), withStatus(500), withStatus(500)];
    expect(await outcome(errors)).toEqual({ result: errors[2], calls: 3 });
  });

  it.each([
    ['a refusal', withStatus(400)],
    ['an operation that is not there', withStatus(501)],
    ['a cut line', named('TimeoutError')],
  ])('does not ask again after %s', async (_title, error) => {
    expect(await outcome([error])).toEqual({ result: error, calls: 1 });
  });

  it('ends at once when it is told to, with what was thrown last', async () => {
    const stop = new AbortController();
    const error = named('ThrottlingException');
    const asking = withRetries(() => Promise.reject(error), stop.signal).catch(
      (thrown: unknown) => thrown,
    );
    await vi.advanceTimersByTimeAsync(1000);
    stop.abort();
    expect(await asking).toBe(error);
  });
});
