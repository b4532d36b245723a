import { describe, expect, it } from 'vitest';
import type { WebhookAttempt } from '../../../ports/webhook-sender.ts';
import { verdict } from './delivery-verdict.ts';

const answered = (status: number, retryAfter?: string): WebhookAttempt => ({
  kind: 'response',
  status,
  body: 'secret',
  elapsedMs: 1,
  ...(retryAfter !== undefined && { retryAfter }),
});

describe('verdict', () => {
  it.each([200, 201, 202, 204, 299])('%i is success', (status) => {
    expect(verdict(answered(status), 1, 0, 0)).toEqual({ kind: 'delivered' });
  });

  it.each([301, 302, 307, 308, 400, 401, 404, 429, 500, 503])('%i is tried again', (status) => {
    expect(verdict(answered(status), 1, 0, 0)).toMatchObject({ kind: 'retry', delayMs: 5000 });
  });

  it('410 ends it for good', () => {
    expect(verdict(answered(410), 1, 0, 0).kind).toBe('gone');
  });

  it.each([429, 503])('the Retry-After of a %i counts', (status) => {
    expect(verdict(answered(status, '90'), 1, 0, 0)).toMatchObject({ delayMs: 90_000 });
  });

  it('other statuses cannot ask for a wait', () => {
    expect(verdict(answered(500, '90'), 1, 0, 0)).toMatchObject({ delayMs: 5000 });
  });

  it('no answer is tried again, and the eighth failure is the last', () => {
    const reset: WebhookAttempt = {
      kind: 'unreachable',
      reason: 'the connection was reset',
      elapsedMs: 3,
    };
    expect(verdict(reset, 7, 0, 0)).toEqual({
      kind: 'retry',
      delayMs: 86_400_000,
      error: 'the connection was reset; attempt 7 of 8',
    });
    expect(verdict(reset, 8, 0, 0)).toEqual({
      kind: 'failed',
      error: 'the connection was reset; given up after 8 attempts',
    });
  });

  it('says nothing of what was answered', () => {
    expect(JSON.stringify(verdict(answered(500), 1, 0, 0))).not.toContain('secret');
  });
});
