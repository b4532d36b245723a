import { z } from 'zod';
import { AlertState } from './alert.ts';
import { IdParams, NoBody, NoQuery, Timestamp } from './common.ts';
import { operation } from './operation.ts';

export const EvaluatedGroup = z
  .object({
    group: z.array(z.string()).meta({ description: 'Values of groupBy, in its order' }),
    value: z
      .number()
      .nullable()
      .meta({ description: 'null: no data, or nothing that is a number' }),
    state: AlertState,
    reason: z
      .string()
      .nullable()
      .meta({ description: 'Why the state changed; null where it did not' }),
  })
  .meta({ id: 'EvaluatedGroup' });

export const AlertEvaluation = z
  .object({
    windowStart: Timestamp,
    windowEnd: Timestamp.meta({ description: 'Exclusive' }),
    evaluatedAt: Timestamp,
    state: AlertState.meta({ description: 'The worst of its groups' }),
    value: z.number().nullable().meta({
      description: 'The reading behind the state; null: no data, or nothing that is a number',
    }),
    reason: z.string().nullable().meta({
      description:
        'Why the state changed (breached, breached_repeatedly, recovered, no_data, group_gone, group_by_changed); skipped for windows that were not evaluated; null where nothing changed',
    }),
    durationMs: z
      .number()
      .meta({ description: 'Of the query, which may have served other alerts as well' }),
    rowsRead: z.int().meta({ description: "This alert's share of the rows that the query read" }),
    groups: z
      .array(EvaluatedGroup)
      .optional()
      .meta({ description: 'Absent for an alert without groups' }),
    skipped: z.int().optional().meta({
      description:
        'So many windows from windowStart to windowEnd were not evaluated, because the pause was too long',
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
    .meta({ description: 'At most so many, 1 to 1000' }),
  before: Timestamp.optional().meta({
    description:
      'Only windows that ended before; the windowEnd of the last one read gives the next page',
  }),
});
export type HistoryQuery = z.output<typeof HistoryQuery>;

/** Kept for 30 days. */
export const getAlertHistory = operation({
  name: 'getAlertHistory',
  summary: 'List the evaluations of an alert, newest first',
  tag: 'Alerts',
  scope: 'stack:read',
  params: IdParams,
  query: HistoryQuery,
  body: NoBody,
  result: z.array(AlertEvaluation),
  faults: ['not_found'],
});

export const SilenceInput = z
  .object({
    until: Timestamp.nullish().meta({ description: 'Without it, until it is taken back' }),
  })
  .meta({ id: 'SilenceInput' });

export const Silence = z
  .object({ silenced: z.boolean(), silencedUntil: Timestamp.optional() })
  .meta({ id: 'Silence', example: { silenced: true, silencedUntil: '2026-03-14T18:00:00.000Z' } });
export type Silence = z.output<typeof Silence>;

export const silenceAlert = operation({
  name: 'silenceAlert',
  summary: 'Silence an alert',
  description:
    'It is evaluated as before, but nothing is sent. What is still true when the silence ends is sent then.',
  tag: 'Alerts',
  scope: 'stack:write',
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
  tag: 'Alerts',
  scope: 'stack:write',
  params: IdParams,
  query: NoQuery,
  body: NoBody,
  result: Silence,
  faults: ['not_found'],
});
