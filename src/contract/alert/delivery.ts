import { z } from 'zod';
import { IdParams, NoBody, ObjectId, Timestamp } from '../common.ts';
import { operation } from '../operation.ts';
import { NotificationReason, WebhookEventType } from '../webhook/webhook-event.ts';

export const DeliveryStatus = z.enum(['pending', 'delivered', 'failed']).meta({
  id: 'DeliveryStatus',
  description:
    '`pending`: waits for its first attempt, a retry, or an earlier notification of the same alert. ' +
    '`delivered`: the receiver responded with a 2xx status. `failed`: the server gave up.',
});
export type DeliveryStatus = z.infer<typeof DeliveryStatus>;

export const DeliveryAttempt = z
  .object({
    at: Timestamp.meta({ description: 'Time at which the server sent the request.' }),
    status: z.int().optional().meta({
      description: 'HTTP status of the response; absent if the receiver did not respond.',
    }),
    elapsedMs: z.number().meta({ description: 'Duration of the request, in milliseconds.' }),
    body: z
      .string()
      .optional()
      .meta({
        description:
          'Beginning of the response body (at most 512 characters). ' +
          'Secrets of the webhook are replaced by `***`. Absent if it is empty.',
      }),
    error: z
      .string()
      .optional()
      .meta({ description: 'Reason for a failed attempt; absent if it succeeded.' }),
  })
  .meta({ id: 'DeliveryAttempt' });
export type DeliveryAttempt = z.output<typeof DeliveryAttempt>;

export const Delivery = z
  .object({
    eventId: z
      .string()
      .meta({ description: 'Id of the event, the same as in the `webhook-id` header.' }),
    alertId: ObjectId,
    webhookId: ObjectId,
    type: WebhookEventType,
    reason: NotificationReason,
    title: z.string().meta({ description: 'One-line summary of the notification.' }),
    incidentId: z.string().meta({
      description: 'The firing event, its reminders and its resolution share it.',
    }),
    group: z
      .array(z.string())
      .meta({ description: 'Values of `groupBy`, in the same order. Empty without groups.' }),
    windowEnd: Timestamp.meta({ description: 'End of the window that caused the notification.' }),
    createdAt: Timestamp,
    status: DeliveryStatus,
    attemptCount: z.int().meta({ description: 'Number of attempts so far (0–8).' }),
    attempts: z.array(DeliveryAttempt).meta({
      description: 'Attempts, oldest first. Earlier versions of the server did not record them.',
    }),
    nextAttemptAt: Timestamp.optional().meta({
      description: 'Earliest time of the next attempt; absent unless the delivery is pending.',
    }),
    settledAt: Timestamp.optional().meta({
      description: 'Time at which the delivery succeeded or failed; absent while it is pending.',
    }),
    error: z
      .string()
      .optional()
      .meta({ description: 'Result of the last attempt; absent after success.' }),
  })
  .meta({ id: 'Delivery' });
export type Delivery = z.output<typeof Delivery>;

export const DeliveryPage = z
  .object({
    deliveries: z.array(Delivery).meta({ description: 'Deliveries, newest first.' }),
    cursor: z
      .string()
      .optional()
      .meta({ description: 'Cursor to request the next page; absent on the last page.' }),
  })
  .meta({
    id: 'DeliveryPage',
    example: {
      deliveries: [
        {
          eventId: 'evt_5f0c1d2e3a4b5c6d7e8f90a1b2c3d4e5',
          alertId: '65f0c1d2e3a4b5c6d7e8f903',
          webhookId: '65f0c1d2e3a4b5c6d7e8f902',
          type: 'alert.firing',
          reason: 'fired',
          title: 'Checkout errors is firing',
          incidentId: 'inc_91ab1d2e3a4b5c6d7e8f90a1b2c3d4e5',
          group: [],
          windowEnd: '2026-03-14T09:30:00.000Z',
          createdAt: '2026-03-14T09:30:05.000Z',
          status: 'delivered',
          attemptCount: 1,
          attempts: [
            { at: '2026-03-14T09:30:05.000Z', status: 200, elapsedMs: 41, body: '{"ok":true}' },
          ],
          settledAt: '2026-03-14T09:30:05.100Z',
        },
      ],
    },
  });
export type DeliveryPage = z.output<typeof DeliveryPage>;

export const DeliveryQuery = z.object({
  limit: z
    .string()
    .regex(/^\d{1,3}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(1, 'must be from 1 to 200').max(200, 'must be from 1 to 200'))
    .default(50)
    .meta({
      description: 'Maximum number of deliveries to return (1–200, default 50).',
      type: 'integer',
      minimum: 1,
      maximum: 200,
      default: 50,
    }),
  cursor: z.string().max(256).optional().meta({ description: '`cursor` of the previous page.' }),
});

const kept =
  'Returns one item for each notification and webhook, newest first. ' +
  'The server keeps settled deliveries for a limited time (`SIGHTLINE_ALERT_DELIVERY_DAYS`).';

export const listAlertDeliveries = operation({
  name: 'listAlertDeliveries',
  summary: 'List the deliveries of an alert',
  description: kept,
  tag: 'Alerts',
  scope: 'stack:read',
  object: { kind: 'alert', id: 'id' },
  params: IdParams,
  query: DeliveryQuery,
  body: NoBody,
  result: DeliveryPage,
  faults: ['not_found'],
});

export const listWebhookDeliveries = operation({
  name: 'listWebhookDeliveries',
  summary: 'List the deliveries to a webhook',
  description: kept,
  tag: 'Webhooks',
  scope: 'stack:read',
  object: { kind: 'webhook', id: 'id' },
  params: IdParams,
  query: DeliveryQuery,
  body: NoBody,
  result: DeliveryPage,
  faults: ['not_found'],
});
