import { randomInt } from 'node:crypto';
import { pause } from '../../../ports/pause.ts';
import { isThrottle } from './cloudstream-errors.ts';

const firstMs = 200;
const lastMs = 10_000;
const failuresMax = 3;

/**
 * Repeats a call until it succeeds. Throttling is retried without limit, with growing delays; any
 * other temporary failure is tried three times.
 */
export async function withRetries<T>(
  call: () => Promise<T>,
  signal: AbortSignal,
  throttled?: (attempt: number) => void,
): Promise<T> {
  for (let attempt = 0, failures = 0; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      if (signal.aborted) {
        throw error;
      }
      if (isThrottle(error)) {
        throttled?.(attempt);
      } else if (!isTemporary(error) || ++failures >= failuresMax) {
        throw error;
      }
      await pause(backOffMs(attempt), signal);
      if (signal.aborted) {
        throw error;
      }
    }
  }
}

/** Doubles the delay each time. Half of it is random, so that many readers do not retry at once. */
function backOffMs(attempt: number): number {
  const full = Math.min(lastMs, firstMs * 2 ** Math.min(attempt, 10));
  return full / 2 + randomInt(Math.ceil(full / 2));
}

/** A failure of the service itself. The runner retries after a lost connection. */
function isTemporary(error: unknown): boolean {
  const status = (error as { $metadata?: { httpStatusCode?: number } } | undefined)?.$metadata
    ?.httpStatusCode;
  return status !== undefined && status >= 500 && status !== 501;
}
