import { z } from 'zod';
import { AlertState } from './alert.ts';
import { IdParams, NoBody, NoQuery, Timestamp } from '../common.ts';
import { operation } from '../operation.ts';

export const EvaluatedGroup = z
  .object({
    group: z.array(z.string()).meta({ description: 'Values of `groupBy`, in the same order.' }),
    value: z.number().nullable().meta({
      description: 'Value of the window; `null` if it has no data or the result is not a number.',
    }),
    state: AlertState,
    reason: z
      .string()
      .nullable()
      .meta({ description: 'Reason for the state change; `null` if the state did not change.' }),
  })
  .meta({ id: 'EvaluatedGroup' });

export const AlertEvaluation = z
  .object({
    windowStart: Timestamp,
    windowEnd: Timestamp.meta({ description: 'End of the window, exclusive.' }),
    evaluatedAt: Timestamp,
    state: AlertState.meta({ description: 'Most severe state of all groups.' }),
    value: z.number().nullable().meta({
      description:
        'Value that determined the state; `null` if the window has no data or the result is not a number.',
    }),
    reason: z
      .string()
      .nullable()
      .meta({
        description:
          'Reason for the state change: breached, breached_repeatedly, recovered, no_data, ' +
          'group_gone or group_by_changed. `skipped` for windows that were not evaluated; ' +
          '`null` if the state did not change.',
      }),
    durationMs: z.number().meta({
      description: 'Duration of the query in milliseconds. The query may serve several alerts.',
    }),
    rowsRead: z.int().meta({ description: "This alert's share of the rows that the query read." }),
    groups: z
      .array(EvaluatedGroup)
      .optional()
      .meta({ description: 'Result of each group; absent for an alert without groups.' }),
    skipped: z
      .int()
      .optional()
      .meta({
        description:
          'Number of windows between windowStart and windowEnd that were not evaluated ' +
          'because the evaluation was interrupted for too long.',
      }),
  })
  .meta({
    id: 'AlertEvaluation',
    example: {
      windowStart: '2026-03-14T09:25:00.000Z',
      windowEnd: '2026-03-14T09:30:00.000Z',
      evaluatedAt: '2026-03-14T09:30:05.000Z',
      state: 'firing',
      value: 12,
      reason: 'breached',
      durationMs: 8.4,
      rowsRead: 24_576,
    },
  });
export type AlertEvaluation = z.output<typeof AlertEvaluation>;

export const HistoryQuery = z.object({
  limit: z
    .string()
    .regex(/^\d{1,4}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(1, 'must be from 1 to 1000').max(1000, 'must be from 1 to 1000'))
    .default(100)
    .meta({ description: 'Maximum number of evaluations to return (1–1000, default 100).' }),
  before: Timestamp.optional().meta({
    description:
      'Return windows that ended before this time. For the next page, pass the `windowEnd` of the last item.',
  }),
});
export type HistoryQuery = z.output<typeof HistoryQuery>;

/** Kept for 30 days. */
export const getAlertHistory = operation({
  name: 'getAlertHistory',
  summary: 'List the evaluations of an alert, newest first',
  description:
    'Returns one item for each evaluated window. For the next page, pass the `windowEnd` of the last item as `before`.',
  tag: 'Alerts',
  scope: 'stack:read',
  object: { kind: 'alert', id: 'id' },
  params: IdParams,
  query: HistoryQuery,
  body: NoBody,
  result: z.array(AlertEvaluation),
  faults: ['not_found'],
});

export const SilenceInput = z
  .object({
    until: Timestamp.nullish().meta({
      description: 'End of the silence. If absent, the silence lasts until it is ended.',
    }),
  })
  .meta({ id: 'SilenceInput' });

export const Silence = z
  .object({
    silenced: z.boolean().meta({ description: 'True if the alert is silenced now.' }),
    silencedUntil: Timestamp.optional(),
  })
  .meta({ id: 'Silence', example: { silenced: true, silencedUntil: '2026-03-14T18:00:00.000Z' } });
export type Silence = z.output<typeof Silence>;

export const silenceAlert = operation({
  name: 'silenceAlert',
  summary: 'Silence an alert',
  description:
    'The server keeps evaluating the alert but sends no notifications. ' +
    'If the alert still fires when the silence ends, the server sends a notification then.',
  tag: 'Alerts',
  scope: 'stack:write',
  object: { kind: 'alert', id: 'id' },
  params: IdParams,
  query: NoQuery,
  body: SilenceInput,
  result: Silence,
  faults: ['not_found'],
  example: { until: '2026-03-14T18:00:00.000Z' },
});

export const unsilenceAlert = operation({
  name: 'unsilenceAlert',
  summary: 'End the silence of an alert',
  description: 'If the alert still fires, it sends a notification at its next evaluation.',
  tag: 'Alerts',
  scope: 'stack:write',
  object: { kind: 'alert', id: 'id' },
  params: IdParams,
  query: NoQuery,
  body: NoBody,
  result: Silence,
  faults: ['not_found'],
});
