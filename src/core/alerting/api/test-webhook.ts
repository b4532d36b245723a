import { randomUUID } from 'node:crypto';
import { sampleWebhookEvent, type WebhookEvent } from '../../../contract/webhook/webhook-event.ts';
import { incidentServices } from '../../../contract/webhook/webhook-message.ts';
import {
  testWebhook,
  testWebhookDraft,
  type WebhookTestResult,
} from '../../../contract/webhook/webhook-test.ts';
import { invalid } from '../../../contract/errors.ts';
import type {
  WebhookChange,
  WebhookInput,
  WebhookService,
} from '../../../contract/webhook/webhook.ts';
import type { Vault } from '../../../ports/ambient.ts';
import type { Egress } from '../../../ports/egress.ts';
import type { StoreReader } from '../../../ports/store/store-access.ts';
import type { WebhookAttempt, WebhookSender } from '../../../ports/webhook-sender.ts';
import { addressIssues, changedWebhook, secretsOf } from '../../webhook/webhook-change.ts';
import { changeVerb } from '../../verb/verb.ts';
import { eventLinks } from '../decide/alert-event.ts';
import { describe } from '../deliver/delivery-verdict.ts';
import { destinationOf } from '../deliver/destination.ts';
import { webhookRequests, type ToRequest } from '../deliver/message/request.ts';
import { requireDocument } from './require-document.ts';

export interface TestWebhookDependencies {
  store: StoreReader;
  sender: WebhookSender;
  vault: Vault;
  egress: Pick<Egress, 'check'>;
  publicUrl?: string;
}

/**
 * Sends the sample event. A service that opens an incident for it receives its resolution, too, so
 * that a test leaves nothing open.
 */
export function testWebhookVerb(deps: TestWebhookDependencies) {
  const { store, vault } = deps;
  return changeVerb(testWebhook, async ({ principal, params, signal, commit }) => {
    const webhook = await requireDocument(store, principal.workspace.id, 'webhook', params.id);
    const { toRequest } = destinationOf(webhook, vault);
    const value = await sendSample(deps, { service: webhook.body.service, toRequest }, signal);
    // The delivery changes nothing in the store, but the audit trail records it.
    return commit(params.id, async () => ({ value }));
  });
}

/** The same for fields that are not saved. The rules for addresses are those of a save. */
export function testWebhookDraftVerb(deps: TestWebhookDependencies) {
  const { store, vault, egress } = deps;
  return changeVerb(testWebhookDraft, async ({ principal, body, signal, commit }) => {
    const { id, ...change } = body;
    const stored =
      id == null ? undefined : await requireDocument(store, principal.workspace.id, 'webhook', id);
    const { fields, secrets } = stored
      ? changedWebhook(vault, stored, change)
      : { fields: requiredFields(change), secrets: secretsOf(change) };
    const issues = await addressIssues(egress, fields.url);
    if (issues.length > 0) {
      throw invalid(issues);
    }
    const { service, url, body: template = null } = fields;
    const value = await sendSample(
      deps,
      { service, toRequest: webhookRequests({ service, url, template, secrets }) },
      signal,
    );
    return commit(id ?? null, async () => ({ value }));
  });
}

/** @throws Fault bad_request that names every missing field */
function requiredFields(change: WebhookChange): Pick<WebhookInput, 'service' | 'url' | 'body'> {
  const { service, url, body } = change;
  if (service === undefined || url === undefined) {
    throw invalid(
      (['service', 'url'] as const)
        .filter((path) => change[path] === undefined)
        .map((path) => ({ path, message: 'is required, unless id names a webhook' })),
    );
  }
  return { service, url, body };
}

interface SampleTarget {
  service: WebhookService;
  toRequest: ToRequest;
}

async function sendSample(
  { store, sender, publicUrl = '' }: TestWebhookDependencies,
  { service, toRequest }: SampleTarget,
  signal: AbortSignal | undefined,
): Promise<WebhookTestResult> {
  const nowMs = await store.nowMs();
  const send = (event: WebhookEvent): Promise<WebhookAttempt> =>
    sender.send(toRequest(event.id, JSON.stringify(event), nowMs), signal);
  const firing = sampleEvent(publicUrl, nowMs);
  const first = await send(firing);
  const resolution =
    isDelivered(first) && incidentServices.has(service) ? await send(resolved(firing)) : undefined;
  return testResult(first, resolution);
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
