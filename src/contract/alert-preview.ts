import { z } from 'zod';
import { AlertEvaluation } from './alert-history.ts';
import { AlertInput, AlertState } from './alert.ts';
import { NoParams, NoQuery, Timestamp } from './common.ts';
import { operation } from './operation.ts';

export const AlertPreviewInput = AlertInput.partial({ channel: true })
  .extend({
    windows: z
      .int()
      .min(1)
      .max(500)
      .default(50)
      .meta({ description: 'How many of the last complete windows' }),
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
      .meta({ description: 'Oldest first' }),
    notifications: z
      .array(
        z.object({
          windowEnd: Timestamp,
          state: z.enum(['firing', 'inactive']),
          reason: z.string(),
          group: z.array(z.string()),
          value: z.number().nullable(),
          title: z.string(),
        }),
      )
      .meta({ description: 'What would have been sent' }),
    state: AlertState.meta({ description: 'At the end' }),
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
  summary: 'Try an alert on the past',
  description:
    'Evaluates a definition over the last complete windows. Nothing is stored and nothing is sent.',
  tag: 'Alerts',
  scope: 'stack:read',
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
