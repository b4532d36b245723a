import {
  listAlertDeliveries,
  listWebhookDeliveries,
  type Delivery,
  type DeliveryAttempt,
  type DeliveryPage,
} from '../../../contract/alert/delivery.ts';
import { invalid } from '../../../contract/errors.ts';
import type { WebhookEvent } from '../../../contract/webhook/webhook-event.ts';
import type {
  DeliveryPosition,
  StoredAttempt,
  StoredDelivery,
} from '../../../ports/store/alert-store.ts';
import type { StoreReader } from '../../../ports/store/store-access.ts';
import { readVerb } from '../../verb/verb.ts';
import { requireDocument } from './require-document.ts';

interface DeliveryDependencies {
  store: StoreReader;
}

export function alertDeliveriesVerb({ store }: DeliveryDependencies) {
  return readVerb(listAlertDeliveries, async ({ principal, params: { id }, query }) => {
    await requireDocument(store, principal.workspace.id, 'alert', id);
    return { value: await deliveryPage(store, principal.workspace.id, { alertId: id }, query) };
  });
}

export function webhookDeliveriesVerb({ store }: DeliveryDependencies) {
  return readVerb(listWebhookDeliveries, async ({ principal, params: { id }, query }) => {
    await requireDocument(store, principal.workspace.id, 'webhook', id);
    return { value: await deliveryPage(store, principal.workspace.id, { webhookId: id }, query) };
  });
}

async function deliveryPage(
  { alerts }: StoreReader,
  workspaceId: string,
  of: { alertId: string } | { webhookId: string },
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<DeliveryPage> {
  const after = readCursor(cursor);
  const stored = await alerts.deliveries(workspaceId, of, { limit: limit + 1, after });
  const page = stored.slice(0, limit);
  const last = page.at(-1);
  return {
    deliveries: page.map(deliveryRecord),
    ...(stored.length > limit && last && { cursor: writeCursor(last) }),
  };
}

/** A stored delivery as the API returns it. */
export function deliveryRecord(stored: StoredDelivery): Delivery {
  const { type, data } = JSON.parse(stored.event) as WebhookEvent;
  const pending = stored.status === 'pending';
  return {
    eventId: stored.eventId,
    alertId: stored.alertId,
    webhookId: stored.webhookId,
    type,
    reason: data.reason,
    title: data.title,
    incidentId: data.incidentId,
    group: data.groupValues,
    windowEnd: iso(stored.windowEndMs),
    createdAt: iso(stored.createdAtMs),
    status: stored.status,
    attemptCount: stored.attemptCount,
    attempts: stored.attempts.map(attemptRecord),
    ...(pending && { nextAttemptAt: iso(stored.nextAttemptMs) }),
    ...(stored.settledMs !== null && { settledAt: iso(stored.settledMs) }),
    ...(stored.error !== null && { error: stored.error }),
  };
}

function attemptRecord({ atMs, status, elapsedMs, body, error }: StoredAttempt): DeliveryAttempt {
  return {
    at: iso(atMs),
    ...(status !== null && { status }),
    elapsedMs,
    ...(body !== null && { body }),
    ...(error !== null && { error }),
  };
}

function writeCursor({ createdAtMs, eventId, webhookId }: DeliveryPosition): string {
  return Buffer.from(`${createdAtMs}.${eventId}.${webhookId}`).toString('base64url');
}

const cursorForm = /^(\d{1,16})\.(evt_[0-9a-f]{32})\.([0-9a-f]{24})$/;

/** @throws Fault bad_request if the text is not a cursor */
function readCursor(text: string | undefined): DeliveryPosition | undefined {
  if (text === undefined || text === '') {
    return undefined;
  }
  const [, createdAtMs, eventId, webhookId] =
    cursorForm.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  if (createdAtMs === undefined || eventId === undefined || webhookId === undefined) {
    throw invalid([
      {
        path: 'cursor',
        message: 'is not a cursor of this list; use the cursor of the previous page',
      },
    ]);
  }
  return { createdAtMs: Number(createdAtMs), eventId, webhookId };
}

const iso = (ms: number): string => new Date(ms).toISOString();
