import type { WebhookEvent } from '../../../contract/webhook-event.ts';
import type { WebhookRequest } from '../../../ports/webhook-sender.ts';
import { signedHeaders } from '../signature.ts';
import { messageBody, type WebhookTarget } from './formats.ts';

/** One attempt to deliver an event, given as its id and JSON: the same body every time, a new timestamp and so a new signature. */
export function webhookRequest(target: WebhookTarget, id: string, json: string, sentAtMs: number): WebhookRequest {
  const whole = target.service === 'generic' && target.template === null;
  const body = whole ? json : messageBody(target, JSON.parse(json) as WebhookEvent);
  const secret = target.service === 'pagerduty' ? undefined : target.secrets.secret;
  return { url: addressOf(target), headers: { 'content-type': 'application/json', 'user-agent': 'Sightline-Webhooks/1', ...lowerCased(target.secrets.headers ?? {}), ...signedHeaders(id, sentAtMs, body, secret) }, body };
}

function addressOf({ url, service, secrets }: WebhookTarget): string {
  const params = Object.entries(secrets.queryParams ?? {});
  if (params.length === 0) return url;
  const address = new URL(url);
  for (const [name, value] of params) {
    // PagerDuty takes its key in the body only.
    if (service !== 'pagerduty' || name !== 'routing_key') address.searchParams.set(name, value);
  }
  return address.href;
}

function lowerCased(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
