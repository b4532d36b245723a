import type { WebhookEvent } from '../../../../contract/webhook/webhook-event.ts';
import { messageBody } from '../../../../contract/webhook/webhook-message.ts';
import type { WebhookService } from '../../../../contract/webhook/webhook.ts';
import type { WebhookRequest } from '../../../../ports/webhook-sender.ts';
import type { WebhookSecrets } from '../../../webhook/webhook-secrets.ts';
import { signedHeaders, signer } from './signature.ts';

/** The settings of a webhook that its requests depend on. */
interface WebhookTarget {
  service: WebhookService;
  url: string;
  /** The webhook's own template; null: the format of its service. */
  template: string | null;
  secrets: WebhookSecrets;
}

/**
 * Makes the request of one attempt from the event's id and JSON. Every attempt has the same body, a
 * new timestamp and therefore a new signature.
 */
export type ToRequest = (id: string, json: string, sentAtMs: number) => WebhookRequest;

/** Makes requests for one version of a webhook; computes once what all of them share. */
export function webhookRequests(target: WebhookTarget): ToRequest {
  const sendsEventAsIs = target.service === 'generic' && target.template === null;
  const { secret, headers } = target.secrets;
  const sign = target.service === 'pagerduty' || secret === undefined ? undefined : signer(secret);
  const url = addressOf(target);
  const commonHeaders = {
    'content-type': 'application/json',
    'user-agent': 'Sightline-Webhooks/1',
    ...lowerCased(headers ?? {}),
  };
  return (id, json, sentAtMs) => {
    const body = sendsEventAsIs ? json : messageBody(target, JSON.parse(json) as WebhookEvent);
    return { url, headers: { ...commonHeaders, ...signedHeaders(id, sentAtMs, body, sign) }, body };
  };
}

function addressOf({ url, service, secrets }: WebhookTarget): string {
  const params = Object.entries(secrets.queryParams ?? {});
  if (params.length === 0) {
    return url;
  }
  const address = new URL(url);
  for (const [name, value] of params) {
    // PagerDuty accepts its key in the body only.
    if (service !== 'pagerduty' || name !== 'routing_key') {
      address.searchParams.set(name, value);
    }
  }
  return address.href;
}

function lowerCased(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}
