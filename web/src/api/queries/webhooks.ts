import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, ask, askVersion, type Schemas, type Versioned } from '../client.ts';
import { queries } from '../query-client.ts';
import { Turns } from '../turns.ts';

export type Webhook = Schemas['Webhook'];
export type WebhookInput = Schemas['WebhookInput'];
export type WebhookTestResult = Schemas['WebhookTestResult'];
export type Delivery = Schemas['Delivery'];

const key = ['webhooks'];

export const webhooksQuery = queryOptions({
  queryKey: key,
  queryFn: ({ signal }) => ask(api.GET('/webhooks', { signal })),
});

export type VersionedWebhook = Versioned<Webhook>;

export const webhookQuery = (id: string) =>
  queryOptions({
    queryKey: [...key, id],
    queryFn: ({ signal }) => readWebhook(id, signal),
    // A form that begins takes the present version, not one of an earlier visit.
    gcTime: 0,
    staleTime: Infinity,
  });

/** The webhook as it is now. */
export const readWebhook = (id: string, signal?: AbortSignal): Promise<VersionedWebhook> =>
  askVersion(api.GET('/webhooks/{id}', { params: { path: { id } }, ...(signal && { signal }) }));

export async function createWebhook(body: WebhookInput): Promise<VersionedWebhook> {
  const made = await askVersion(api.POST('/webhooks', { body }));
  await queries.invalidateQueries({ queryKey: key, exact: true });
  return made;
}

/**
 * Changes a webhook, if it is of the version that the change was made from.
 *
 * @throws ApiError 412 if somebody changed it in between.
 */
export async function updateWebhook(
  id: string,
  body: Schemas['WebhookChange'],
  version: string,
): Promise<VersionedWebhook> {
  const changed = await askVersion(
    api.PUT('/webhooks/{id}', {
      params: { path: { id }, header: { 'If-Match': version } },
      body,
    }),
  );
  queries.setQueryData(webhookQuery(id).queryKey, changed);
  await queries.invalidateQueries({ queryKey: key, exact: true });
  return changed;
}

export async function deleteWebhook(id: string): Promise<void> {
  await ask(api.DELETE('/webhooks/{id}', { params: { path: { id } } }));
  await queries.invalidateQueries({ queryKey: key, exact: true });
}

/** Sends a sample event to a stored webhook. */
export const testWebhook = (id: string): Promise<WebhookTestResult> =>
  ask(api.POST('/webhooks/{id}/test', { params: { path: { id } } }));

/** Sends a sample event as fields say that are not saved. Nothing keeps the answer. */
export const testWebhookDraft = (body: Schemas['WebhookDraft']): Promise<WebhookTestResult> =>
  ask(api.POST('/webhooks/test', { body }));

const pageSize = 50;

/** What was sent to a webhook, newest first. */
export const deliveriesQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: [...key, id, 'deliveries'],
    queryFn: ({ pageParam, signal }) => readDeliveries(id, pageSize, pageParam, signal),
    initialPageParam: '',
    getNextPageParam: ({ cursor }) => cursor,
    staleTime: 0,
  });

/** Lists of webhooks ask for the last delivery of each: not for all of them at once. */
const turns = new Turns(4);

/** The last delivery to a webhook; null: none is kept. */
export const lastDeliveryQuery = (id: string) =>
  queryOptions({
    queryKey: [...key, id, 'last-delivery'],
    queryFn: ({ signal }) =>
      turns.take(
        async () => (await readDeliveries(id, 1, '', signal)).deliveries[0] ?? null,
        () => false,
        signal,
      ),
    staleTime: 10_000,
  });

function readDeliveries(
  id: string,
  limit: number,
  cursor: string,
  signal: AbortSignal,
): Promise<Schemas['DeliveryPage']> {
  const query = { limit, ...(cursor !== '' && { cursor }) };
  return ask(api.GET('/webhooks/{id}/deliveries', { params: { path: { id }, query }, signal }));
}
