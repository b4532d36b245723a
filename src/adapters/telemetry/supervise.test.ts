import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { TelemetryError } from '../../ports/telemetry.ts';
import { supervise } from './supervise.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Work on an engine that ends at the `stopsAfter`th request to stop, or never. */
function stubborn(stopsAfter: number): {
  work: Promise<string>;
  stop: () => Promise<void>;
  stopRequests: () => number;
} {
  let stopRequests = 0;
  let end: (error: Error) => void;
  const work = new Promise<string>((_, reject) => {
    end = reject;
  });
  return {
    work,
    async stop() {
      if (++stopRequests === stopsAfter) {
        end(new Error('Code: 394. DB::Exception: Query was cancelled. (QUERY_WAS_CANCELLED)'));
      }
    },
    stopRequests: () => stopRequests,
  };
}

const outcome = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (value) => value,
    (error: unknown) =>
      error instanceof TelemetryError ? `${error.kind}: ${error.message}` : error,
  );

test('work that ends in time is left alone', async () => {
  const stop = vi.fn(async () => {});
  expect(
    await supervise(Promise.resolve('done'), {
      stop,
      timeoutMs: 10,
      signal: new AbortController().signal,
    }),
  ).toBe('done');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(stop).not.toHaveBeenCalled();
});

test('work of an engine that does not answer is given up long before its time limit', async () => {
  const stuck = vi.fn();
  const { work, stop, stopRequests } = stubborn(Infinity);
  const replies = [true, true, false];
  const answers = async () => replies.shift() ?? true;
  const result = outcome(supervise(work, { stop, stuck, answers, timeoutMs: 60_000 }));
  await vi.advanceTimersByTimeAsync(14_999);
  expect(stuck).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(await result).toBe('unavailable: the engine does not answer');
  expect(stuck).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(60_000);
  expect([stopRequests(), replies.length]).toEqual([0, 0]);
});

test('an engine that does not keep the time limit is stopped, and asked again until it does', async () => {
  const { work, stop, stopRequests } = stubborn(3);
  const result = outcome(supervise(work, { stop, timeoutMs: 1000 }));
  await vi.advanceTimersByTimeAsync(2999);
  expect(stopRequests()).toBe(0);
  await vi.advanceTimersByTimeAsync(2000);
  expect(await result).toBe('timeout: stopped after 1000 ms');
  expect(stopRequests()).toBe(3);
});

test.each([
  ['a signal that fires', false],
  ['a signal that had fired', true],
])('%s stops the work', async (_, before) => {
  const { work, stop } = stubborn(1);
  const abort = new AbortController();
  if (before) {
    abort.abort();
  }
  const result = outcome(supervise(work, { stop, timeoutMs: 60_000, signal: abort.signal }));
  if (!before) {
    abort.abort();
  }
  await vi.advanceTimersByTimeAsync(100);
  expect(await result).toBe('aborted: aborted by its caller');
});

test('an engine that never stops keeps nobody for more than ten seconds', async () => {
  const { work, stop, stopRequests } = stubborn(Infinity);
  const result = outcome(supervise(work, { stop, timeoutMs: 1000 }));
  await vi.advanceTimersByTimeAsync(14_000);
  expect(await result).toBe('timeout: stopped after 1000 ms');
  const then = stopRequests();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(stopRequests()).toBe(then);
});

test('an error of the engine that has nothing to do with stopping keeps its kind', async () => {
  const work = Promise.reject(new Error('Code: 241. DB::Exception: Query memory limit exceeded'));
  expect(await outcome(supervise(work, { stop: async () => {}, timeoutMs: 1000 }))).toMatch(
    /^memory: /,
  );
});
