import type { WebhookEvent } from '../../../contract/webhook-event.ts';
import type { WebhookRequest } from '../../../ports/webhook-sender.ts';
import { signedHeaders } from '../signature.ts';
import { messageBody, type WebhookTarget } from './formats.ts';

/** One attempt to deliver an event: the same body and id every time, a new timestamp and so a new signature. */
export function webhookRequest(target: WebhookTarget, event: WebhookEvent, sentAtMs: number): WebhookRequest {
  const body = messageBody(target, event);
  const url = new URL(target.url);
  for (const [name, value] of Object.entries(target.secrets.queryParams ?? {})) {
    // PagerDuty takes its key in the body only.
    if (target.service !== 'pagerduty' || name !== 'routing_key') url.searchParams.set(name, value);
  }
  const secret = target.service === 'pagerduty' ? undefined : target.secrets.secret;
  return {
    url: url.href,
    headers: { 'content-type': 'application/json', 'user-agent': 'Sightline-Webhooks/1', ...lowerCased(target.secrets.headers ?? {}), ...signedHeaders(event.id, sentAtMs, body, secret) },
    body,
  };
}

function lowerCased(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
