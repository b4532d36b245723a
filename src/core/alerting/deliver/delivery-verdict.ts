import type { WebhookAttempt } from '../../../ports/webhook-sender.ts';
import { attemptsMax, parseRetryAfter, retryDelayMs } from './retry-schedule.ts';

/**
 * The outcome of an attempt. `gone`: the receiver accepts no more requests. `receiverDeferred`: the
 * receiver itself put off the next attempt, by Retry-After or by 429.
 */
export type Verdict =
  | { kind: 'delivered' }
  | { kind: 'retry'; delayMs: number; error: string; receiverDeferred?: true }
  | { kind: 'failed' | 'gone'; error: string };

/**
 * Judges an attempt: 2xx is success, 410 disables the webhook, and everything else is retried,
 * including redirects, which are not followed. An error never contains the request or the response.
 *
 * @param attempts number of attempts, including this one.
 */
export function verdict(
  attempt: WebhookAttempt,
  attempts: number,
  random: number,
  nowMs: number,
): Verdict {
  if (attempt.kind === 'response' && attempt.status >= 200 && attempt.status < 300) {
    return { kind: 'delivered' };
  }
  const error = describe(attempt);
  if (attempt.kind === 'response' && attempt.status === 410) {
    return { kind: 'gone', error: `${error}; change the webhook to send to it again` };
  }
  const retryAfterMs =
    attempt.kind === 'response' && (attempt.status === 429 || attempt.status === 503)
      ? parseRetryAfter(attempt.retryAfter, nowMs)
      : undefined;
  const delayMs = retryDelayMs(attempts, random, retryAfterMs);
  if (delayMs === undefined) {
    return { kind: 'failed', error: `${error}; given up after ${attemptsMax} attempts` };
  }
  const receiverDeferred =
    retryAfterMs !== undefined || (attempt.kind === 'response' && attempt.status === 429);
  return {
    kind: 'retry',
    delayMs,
    error: `${error}; attempt ${attempts} of ${attemptsMax}`,
    ...(receiverDeferred && { receiverDeferred }),
  };
}

export function describe(attempt: WebhookAttempt): string {
  if (attempt.kind !== 'response') {
    return attempt.reason;
  }
  return attempt.status >= 300 && attempt.status < 400
    ? `returned ${attempt.status}; redirects are not followed`
    : `returned ${attempt.status}`;
}
