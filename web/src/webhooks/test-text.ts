import type { WebhookTestResult } from '../api/queries/webhooks.ts';
import { formatCount } from '../view/number-format.ts';

/** What came of a test, in a sentence. */
export function testText({ delivered, status, error, elapsedMs }: WebhookTestResult): string {
  const time = `${formatCount(Math.round(elapsedMs))} ms`;
  return delivered
    ? `Delivered: status ${status} in ${time}.`
    : `Not delivered after ${time}: ${error ?? 'no response'}.`;
}
