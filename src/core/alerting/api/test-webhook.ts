import { randomUUID } from 'node:crypto';
import {
  sampleWebhookEvent,
  testWebhook,
  type WebhookEvent,
  type WebhookTestResult,
} from '../../../contract/webhook/webhook-event.ts';
import type { Vault } from '../../../ports/ambient.ts';
import type { StoreReader } from '../../../ports/store/store-access.ts';
import type { WebhookAttempt, WebhookSender } from '../../../ports/webhook-sender.ts';
import { changeVerb } from '../../verb/verb.ts';
import { eventLinks } from '../decide/alert-event.ts';
import { describe } from '../deliver/delivery-verdict.ts';
import { destinationOf } from '../deliver/destination.ts';
import { incidentServices } from '../deliver/message/formats.ts';
import { requireDocument } from './require-document.ts';

export interface TestWebhookDependencies {
  store: StoreReader;
  sender: WebhookSender;
  vault: Vault;
  publicUrl?: string;
}

/**
 * Sends the sample event. A service that opens an incident for it receives its resolution, too, so
 * that a test leaves nothing open.
 */
export function testWebhookVerb({ store, vault, sender, publicUrl = '' }: TestWebhookDependencies) {
  return changeVerb(testWebhook, async ({ principal, params, signal, commit }) => {
    const webhook = await requireDocument(store, principal.workspace.id, 'webhook', params.id);
    const target = destinationOf(webhook, vault);
    const nowMs = await store.nowMs();
    const send = (event: WebhookEvent): Promise<WebhookAttempt> =>
      sender.send(target.toRequest(event.id, JSON.stringify(event), nowMs), signal);
    const firing = sampleEvent(publicUrl, nowMs);
    const first = await send(firing);
    const resolution =
      isDelivered(first) && incidentServices.has(webhook.body.service)
        ? await send(resolved(firing))
        : undefined;
    const value = testResult(first, resolution);
    // The delivery changes nothing in the store, but the audit trail records it.
    return commit(params.id, async () => ({ value }));
  });
}

function testResult(
  first: WebhookAttempt,
  resolution: WebhookAttempt | undefined,
): WebhookTestResult {
  const attempt = resolution ?? first;
  const delivered = isDelivered(attempt);
  const failed = resolution ? 'the resolution of the test event was not delivered: ' : '';
  return {
    delivered,
    ...(attempt.kind === 'response' && { status: attempt.status, body: attempt.body }),
    ...(!delivered && { error: `${failed}${describe(attempt)}` }),
    elapsedMs: attempt.elapsedMs,
  };
}

const isDelivered = (attempt: WebhookAttempt): boolean =>
  attempt.kind === 'response' && attempt.status >= 200 && attempt.status < 300;

/** The sample event with an incident of its own and links to this deployment. */
function sampleEvent(publicUrl: string, nowMs: number): WebhookEvent {
  const { data } = sampleWebhookEvent;
  const window = { startMs: Date.parse(data.window.start), endMs: Date.parse(data.window.end) };
  const alert = {
    id: data.alert.id,
    dashboardId: null,
    savedSearchId: '65f0c1d2e3a4b5c6d7e8f902',
  };
  return {
    ...sampleWebhookEvent,
    id: newEventId(),
    timestamp: new Date(nowMs).toISOString(),
    data: {
      ...data,
      incidentId: `inc_test_${randomUUID()}`,
      links: eventLinks(alert, window, publicUrl),
    },
  };
}

function resolved(firing: WebhookEvent): WebhookEvent {
  return {
    ...firing,
    id: newEventId(),
    data: {
      ...firing.data,
      title: 'Test: Checkout errors is resolved',
      state: 'inactive',
      previousState: 'firing',
    },
  };
}

const newEventId = (): string => `evt_test_${randomUUID()}`;
