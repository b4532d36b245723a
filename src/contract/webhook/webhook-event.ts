import { z } from 'zod';
import { AlertSeverity, AlertState } from '../alert/alert.ts';
import { Timestamp } from '../common.ts';

export const WebhookEventType = z
  .enum(['alert.firing', 'alert.resolved', 'alert.test'])
  .meta({ id: 'WebhookEventType' });
export type WebhookEventType = z.infer<typeof WebhookEventType>;

/** Reason for a notification. */
export const NotificationReason = z
  .enum([
    'fired',
    'still_firing',
    'resolved',
    'group_gone',
    'group_by_changed',
    'silence_ended',
    'maintenance_ended',
    'test',
  ])
  .meta({ id: 'NotificationReason' });
export type NotificationReason = z.infer<typeof NotificationReason>;

/**
 * The body of a `generic` webhook without a template, and the source of template variables. The
 * header `webhook-id` equals `id`: receivers drop ids they have seen. A firing and its resolution
 * share `data.incidentId`.
 */
export const WebhookEvent = z
  .object({
    id: z.string().meta({
      description:
        'Identifies the event. Identical on every delivery attempt and equal to the `webhook-id` header.',
    }),
    type: WebhookEventType,
    timestamp: Timestamp.meta({ description: 'Time at which the server created the event.' }),
    data: z.object({
      incidentId: z.string().meta({
        description:
          'Identifies the incident: the firing event, its reminders and its resolution share it.',
      }),
      groupId: z
        .string()
        .meta({ description: 'Identifies the alert and group: all their incidents share it.' }),
      title: z.string().meta({ description: "One-line summary: the alert's name and the event." }),
      body: z.string().meta({
        description: "Value, threshold, evaluation window and the alert's own message, as text.",
      }),
      state: z.enum(['firing', 'inactive']).meta({ description: 'State after the event.' }),
      previousState: z.enum(AlertState.options).meta({ description: 'State before the event.' }),
      reason: NotificationReason,
      value: z
        .number()
        .nullable()
        .meta({ description: 'Value that caused the event; `null` if the window had no data.' }),
      threshold: z.number().meta({ description: 'Threshold of the alert.' }),
      thresholdMax: z.number().nullable().meta({
        description: 'Upper end of the range for `between` and `not_between`; otherwise `null`.',
      }),
      thresholdType: z
        .string()
        .meta({ description: 'Comparison of the value with the threshold.' }),
      group: z.string().meta({
        description: 'Values of `groupBy`, comma-separated. Empty if the alert has no groups.',
      }),
      groupValues: z
        .array(z.string())
        .meta({ description: 'Values of `groupBy`, in the same order.' }),
      window: z
        .object({ start: Timestamp, end: Timestamp })
        .meta({ description: 'Evaluation window; the end is exclusive.' }),
      alert: z.object({
        id: z.string(),
        name: z.string(),
        message: z.string().meta({ description: "The alert's own message; empty if it has none." }),
        source: z.string(),
        interval: z.string(),
        groupBy: z.string(),
        team: z.string(),
        severity: AlertSeverity,
      }),
      links: z.object({ alert: z.string(), data: z.string() }).meta({
        description: 'URLs of pages in the web interface. Empty if no public URL is configured.',
      }),
    }),
  })
  .meta({ id: 'WebhookEvent' });
export type WebhookEvent = z.infer<typeof WebhookEvent>;

/** A sample event to test a webhook and to check a template. */
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
      severity: 'critical',
    },
    links: { alert: '', data: '' },
  },
};
