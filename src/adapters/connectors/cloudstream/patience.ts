import { randomInt } from 'node:crypto';
import { pause } from '../../../ports/pause.ts';
import { isThrottle } from './cloudstream-errors.ts';

const firstMs = 200;
const lastMs = 10_000;
const failuresMax = 3;

/**
 * Calls until it works. When the service asks for fewer requests it is asked again, later each time, for as long as it takes; another failure
 * that may pass is tried three times.
 */
export async function patiently<T>(
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
      } else if (!mayPass(error) || ++failures >= failuresMax) {
        throw error;
      }
      await pause(backOffMs(attempt), signal);
      if (signal.aborted) {
        throw error;
      }
    }
  }
}

/** Doubling, half of it random, so that many readers do not come back at once. */
function backOffMs(attempt: number): number {
  const full = Math.min(lastMs, firstMs * 2 ** Math.min(attempt, 10));
  return full / 2 + randomInt(Math.ceil(full / 2));
}

/** A failure of the service itself. A cut line is the runner's to wait for. */
function mayPass(error: unknown): boolean {
  const status = (error as { $metadata?: { httpStatusCode?: number } } | undefined)?.$metadata
    ?.httpStatusCode;
  return status !== undefined && status >= 500 && status !== 501;
}
