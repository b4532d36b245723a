import type { Page } from 'playwright-core';
import type { WebhookReceiver } from '../../../test/kit/webhook-receiver.ts';
import { callApi, logSource } from './call-api.ts';

/** Lets webhooks reach a receiver of the test. */
export const receiverAllowed = {
  SIGHTLINE_EGRESS_ALLOW: '127.0.0.0/8',
  SIGHTLINE_ALERT_INGEST_DELAY_MS: '0',
};

interface WithId {
  id: string;
}

export async function makeWebhook(page: Page, name: string, fields: object): Promise<string> {
  const body = { name, service: 'generic', ...fields };
  return (await callApi<WithId>(page, 'POST', '/webhooks', body)).id;
}

/** A saved search over all log records. */
export async function makeSavedSearch(page: Page, name: string, where = ''): Promise<string> {
  const body = { name, sourceId: await logSource(page), where };
  return (await callApi<WithId>(page, 'POST', '/saved-searches', body)).id;
}

/** An alert that fires at its first evaluation, whatever there is. */
export async function makeFiringAlert(
  page: Page,
  name: string,
  webhookId: string,
  fields: object = {},
): Promise<string> {
  const body = {
    name,
    source: 'search',
    savedSearchId: await makeSavedSearch(page, `${name}: rows`),
    interval: '1m',
    threshold: 0,
    thresholdType: 'above',
    channel: { type: 'webhook', webhookId },
    ...fields,
  };
  return (await callApi<WithId>(page, 'POST', '/alerts', body)).id;
}

/** Deadline for a notification: the next evaluation is a tick away, on a busy machine. */
export const notified = (receiver: WebhookReceiver, count: number) =>
  receiver.waitFor(count, 60_000);
