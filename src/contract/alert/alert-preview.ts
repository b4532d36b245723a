import { z } from 'zod';
import { AlertEvaluation } from './alert-history.ts';
import { AlertInput, AlertState } from './alert.ts';
import { NoParams, NoQuery, Timestamp } from '../common.ts';
import { operation } from '../operation.ts';

export const AlertPreviewInput = AlertInput.partial({ channel: true })
  .extend({
    windows: z.int().min(1).max(500).default(50).meta({
      description: 'Number of most recent complete windows to evaluate (1–500, default 50).',
    }),
  })
  .meta({ id: 'AlertPreviewInput' });
export type AlertPreviewInput = z.output<typeof AlertPreviewInput>;

export const AlertPreview = z
  .object({
    windows: z
      .array(
        AlertEvaluation.pick({
          windowStart: true,
          windowEnd: true,
          state: true,
          value: true,
          reason: true,
          groups: true,
        }),
      )
      .meta({ description: 'Evaluated windows, oldest first.' }),
    notifications: z
      .array(
        z.object({
          windowEnd: Timestamp,
          state: z
            .enum(['firing', 'inactive'])
            .meta({ description: 'State that the notification reports.' }),
          reason: z.string().meta({ description: 'Reason for the notification.' }),
          group: z
            .array(z.string())
            .meta({ description: 'Values of `groupBy`, in the same order.' }),
          value: z.number().nullable().meta({
            description:
              'Value of the window; `null` if it has no data or the result is not a number.',
          }),
          title: z.string().meta({ description: 'One-line summary of the notification.' }),
        }),
      )
      .meta({ description: 'Notifications that the alert would have sent.' }),
    state: AlertState.meta({ description: 'State after the last window.' }),
  })
  .meta({
    id: 'AlertPreview',
    example: {
      windows: [
        {
          windowStart: '2026-03-14T09:25:00.000Z',
          windowEnd: '2026-03-14T09:30:00.000Z',
          state: 'firing',
          value: 12,
          reason: 'breached',
        },
      ],
      notifications: [
        {
          windowEnd: '2026-03-14T09:30:00.000Z',
          state: 'firing',
          reason: 'breached',
          group: [],
          value: 12,
          title: 'Checkout errors is firing',
        },
      ],
      state: 'firing',
    },
  });
export type AlertPreview = z.output<typeof AlertPreview>;

export const previewAlert = operation({
  name: 'previewAlert',
  summary: 'Preview an alert on past data',
  description:
    'Evaluates a definition over the most recent complete windows. The server stores nothing and sends nothing.',
  tag: 'Alerts',
  scope: 'stack:read',
  object: { kind: 'alert' },
  params: NoParams,
  query: NoQuery,
  body: AlertPreviewInput,
  result: AlertPreview,
  faults: ['timeout'],
  example: {
    threshold: 10,
    thresholdType: 'above',
    interval: '5m',
    source: 'search',
    savedSearchId: '65f0c1d2e3a4b5c6d7e8f901',
    windows: 12,
  },
});
