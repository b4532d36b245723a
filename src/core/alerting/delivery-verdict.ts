import type { WebhookAttempt } from '../../ports/webhook-sender.ts';
import { attemptsMax, parseRetryAfter, retryDelayMs } from './retry-schedule.ts';

/** What an attempt means for a delivery. `gone`: the receiver wants nothing more, ever. `asked`: it wants to be left alone until then. */
export type Verdict =
  | { kind: 'delivered' }
  | { kind: 'retry'; delayMs: number; error: string; asked?: true }
  | { kind: 'failed' | 'gone'; error: string };

/**
 * 2xx is success, 410 disables the webhook, everything else (redirects too: they are not followed) is tried again. `attempts` includes this
 * one. Errors name what happened and never what was sent or answered.
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
    return { kind: 'gone', error: `${error}: nothing is sent to it until it is changed` };
  }
  const askedMs =
    attempt.kind === 'response' && (attempt.status === 429 || attempt.status === 503)
      ? parseRetryAfter(attempt.retryAfter, nowMs)
      : undefined;
  const delayMs = retryDelayMs(attempts, random, askedMs);
  if (delayMs === undefined) {
    return { kind: 'failed', error: `${error}; given up after ${attemptsMax} attempts` };
  }
  const asked = askedMs !== undefined || (attempt.kind === 'response' && attempt.status === 429);
  return {
    kind: 'retry',
    delayMs,
    error: `${error}; attempt ${attempts} of ${attemptsMax}`,
    ...(asked && { asked }),
  };
}

export function describe(attempt: WebhookAttempt): string {
  if (attempt.kind !== 'response') {
    return attempt.reason;
  }
  return attempt.status >= 300 && attempt.status < 400
    ? `answered ${attempt.status}, and redirects are not followed`
    : `answered ${attempt.status}`;
}
