import { z } from 'zod';
import { IdParams, NoBody, NoQuery, Timestamp } from './common.ts';
import { operation } from './operation.ts';

export const WebhookEventType = z
  .enum(['alert.firing', 'alert.resolved', 'alert.test'])
  .meta({ id: 'WebhookEventType' });
export type WebhookEventType = z.infer<typeof WebhookEventType>;

/** Why something was sent. */
export const NotificationReason = z
  .enum([
    'fired',
    'still_firing',
    'resolved',
    'group_gone',
    'group_by_changed',
    'silence_ended',
    'test',
  ])
  .meta({ id: 'NotificationReason' });
export type NotificationReason = z.infer<typeof NotificationReason>;

/**
 * The body of a `generic` webhook without a template, and what a template's variables are taken from. The header `webhook-id` equals `id`:
 * drop what you have seen. `data.incidentId` is the same for a firing and its resolution.
 */
export const WebhookEvent = z
  .object({
    id: z.string().meta({
      description:
        'Same for every attempt to deliver this event, and equal to the webhook-id header',
    }),
    type: WebhookEventType,
    timestamp: Timestamp.meta({ description: 'When it was decided' }),
    data: z.object({
      incidentId: z
        .string()
        .meta({ description: 'Ties a firing, its reminders and its resolution together' }),
      groupId: z
        .string()
        .meta({ description: 'The same for every incident of this alert and group' }),
      title: z.string().meta({ description: 'One line: what happened to which alert' }),
      body: z
        .string()
        .meta({ description: "Value against threshold, the window and the alert's own message" }),
      state: z.enum(['firing', 'inactive']),
      previousState: z.enum(['inactive', 'pending', 'firing']),
      reason: NotificationReason,
      value: z
        .number()
        .nullable()
        .meta({ description: 'The reading that decided; null where there was no data' }),
      threshold: z.number(),
      thresholdMax: z.number().nullable(),
      thresholdType: z.string(),
      group: z.string().meta({
        description: 'Values of groupBy, comma-separated; empty for an alert without groups',
      }),
      groupValues: z.array(z.string()),
      window: z
        .object({ start: Timestamp, end: Timestamp })
        .meta({ description: 'The evaluated window, end-exclusive' }),
      alert: z.object({
        id: z.string(),
        name: z.string(),
        message: z.string().meta({ description: 'Empty where the alert has none' }),
        source: z.string(),
        interval: z.string(),
        groupBy: z.string(),
        team: z.string(),
      }),
      links: z.object({ alert: z.string(), data: z.string() }).meta({
        description: 'Pages of the user interface; empty where no public address is configured',
      }),
    }),
  })
  .meta({ id: 'WebhookEvent' });
export type WebhookEvent = z.infer<typeof WebhookEvent>;

/** A made-up event: for tests of a webhook and for the check of a template. */
export const sampleWebhookEvent: WebhookEvent = {
  id: 'evt_sample',
  type: 'alert.test',
  timestamp: '2026-03-14T09:30:05.000Z',
  data: {
    incidentId: 'inc_sample',
    groupId: 'grp_sample',
    title: 'Test: Checkout errors is firing',
    body: '12 is at or above 10 in 2026-03-14T09:25:00.000Z – 09:30:00.000Z',
    state: 'firing',
    previousState: 'inactive',
    reason: 'test',
    value: 12,
    threshold: 10,
    thresholdMax: null,
    thresholdType: 'above',
    group: 'checkout',
    groupValues: ['checkout'],
    window: { start: '2026-03-14T09:25:00.000Z', end: '2026-03-14T09:30:00.000Z' },
    alert: {
      id: '65f0c1d2e3a4b5c6d7e8f901',
      name: 'Checkout errors',
      message: 'Look at the payment provider first',
      source: 'search',
      interval: '5m',
      groupBy: 'ServiceName',
      team: '65f0c1d2e3a4b5c6d7e8f900',
    },
    links: { alert: '', data: '' },
  },
};

export const WebhookTestResult = z
  .object({
    delivered: z.boolean().meta({ description: 'Whether the receiver answered 2xx' }),
    status: z
      .int()
      .optional()
      .meta({ description: 'What it answered; absent where no answer came' }),
    body: z.string().optional().meta({ description: 'The beginning of its answer' }),
    error: z.string().optional().meta({ description: 'Why it was not delivered' }),
    elapsedMs: z.number(),
  })
  .meta({
    id: 'WebhookTestResult',
    example: { delivered: true, status: 200, body: 'ok', elapsedMs: 41.7 },
  });
export type WebhookTestResult = z.output<typeof WebhookTestResult>;

export const testWebhook = operation({
  name: 'testWebhook',
  summary: 'Send a sample event to a webhook',
  description: 'Says what the receiver said. It is tried once.',
  tag: 'Webhooks',
  scope: 'webhooks:write',
  params: IdParams,
  query: NoQuery,
  body: NoBody,
  result: WebhookTestResult,
  faults: ['not_found'],
});
