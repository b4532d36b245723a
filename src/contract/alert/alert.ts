import { z } from 'zod';
import {
  Duration,
  IdParams,
  NoBody,
  NoParams,
  NoQuery,
  ObjectId,
  Tags,
  Timestamp,
} from '../common.ts';
import { operation } from '../operation.ts';

export const AlertChannel = z
  .object({ type: z.literal('webhook'), webhookId: ObjectId })
  .meta({ id: 'AlertChannel', description: 'Webhook that receives the notifications.' });
export type AlertChannel = z.output<typeof AlertChannel>;

export const ThresholdType = z
  .enum([
    'above',
    'below',
    'above_exclusive',
    'below_or_equal',
    'equal',
    'not_equal',
    'between',
    'not_between',
  ])
  .meta({
    id: 'ThresholdType',
    description:
      'Comparison of the value with `threshold`: `above` is ≥, `above_exclusive` is >, ' +
      '`below` is <, `below_or_equal` is ≤. ' +
      '`between` and `not_between` also require `thresholdMax`; both ends belong to the range.',
  });
export type ThresholdType = z.infer<typeof ThresholdType>;

export const AlertState = z.enum(['inactive', 'pending', 'firing']).meta({
  id: 'AlertState',
  description:
    '`inactive`: new, or the condition does not hold. ' +
    '`pending`: the condition holds, but not yet for enough windows. ' +
    '`firing`: the condition holds for enough windows.',
});
export type AlertState = z.infer<typeof AlertState>;

export const NoData = z.enum(['zero', 'ok', 'firing', 'keep']).meta({
  id: 'NoData',
  description:
    'Treatment of a window without data: `zero` evaluates the value 0 (default), ' +
    '`ok` counts as not breaching, `firing` counts as breaching, ' +
    '`keep` leaves the state unchanged.',
});
export type NoData = z.infer<typeof NoData>;

export const AlertSeverity = z.enum(['critical', 'error', 'warning', 'info']).meta({
  id: 'AlertSeverity',
  description: 'Severity that notifications carry (default `critical`).',
});
export type AlertSeverity = z.infer<typeof AlertSeverity>;

/** Both names of a saved search are accepted; responses use `search`. */
const AlertSourceInput = z
  .enum(['tile', 'search', 'saved_search'])
  .transform((source) => (source === 'saved_search' ? 'search' : source))
  .meta({ id: 'AlertSourceInput' });

const AlertSource = z.enum(['tile', 'search']).meta({
  id: 'AlertSource',
  description: 'Object that the alert evaluates: a dashboard tile or a saved search.',
});

const required = {
  threshold: z.number().meta({ description: 'Threshold that the value is compared with.' }),
  interval: Duration.meta({
    description: 'Length of the evaluation window and interval between evaluations (1m–7d).',
  }),
  source: AlertSourceInput,
  thresholdType: ThresholdType,
  channel: AlertChannel,
};

const fixedWindows = (neutral: string): string =>
  `is not supported: evaluation windows begin at multiples of the interval (UTC). Send ${neutral}, or omit it`;

/** On create or update, null means unset. */
const optional = {
  dashboardId: ObjectId.nullish().meta({
    description: 'Id of the dashboard. Required if `source` is `tile`.',
  }),
  tileId: ObjectId.nullish().meta({
    description: 'Id of a tile of the dashboard. Required if `source` is `tile`.',
  }),
  savedSearchId: ObjectId.nullish().meta({
    description: 'Id of the saved search. Required if `source` is `search`.',
  }),
  name: z.string().max(512).nullish().meta({ description: 'Name (at most 512 characters).' }),
  message: z
    .string()
    .max(4096)
    .nullish()
    .meta({ description: 'Text that notifications contain (at most 4096 characters).' }),
  groupBy: z.string().max(2048).nullish().meta({
    description:
      'Columns or expressions to group by, comma-separated. Each group has its own state.',
  }),
  thresholdMax: z
    .number()
    .nullish()
    .meta({ description: 'Upper end of the range for `between` and `not_between`.' }),
  numConsecutiveWindows: z.int().min(1).max(1000).nullish().meta({
    description:
      'Number of consecutive breaching windows before the alert fires (1–1000, default 1).',
  }),
  renotifyInterval: Duration.nullish().meta({
    description:
      'Interval between reminders while the alert fires (1m–7d). If absent, only state changes notify.',
  }),
  noData: NoData.nullish().meta({
    description: 'Treatment of a window without data. `null` sets the default, `zero`.',
  }),
  severity: AlertSeverity.nullish().meta({
    description:
      'Severity that notifications carry. `null` sets the default, `critical`. PagerDuty receives it as its severity.',
  }),
  scheduleOffsetMinutes: z
    .number()
    .nullish()
    .refine((minutes) => minutes == null || minutes === 0, fixedWindows('0'))
    .transform(() => null)
    .meta({ description: 'Not supported: only `0` and `null` are accepted.' }),
  scheduleStartAt: z
    .string()
    .nullish()
    .refine((time) => time == null || time === '', fixedWindows('null'))
    .transform(() => null)
    .meta({ description: 'Not supported: only `null` and the empty text are accepted.' }),
  silencedUntil: Timestamp.nullish().meta({
    description: 'Time until which the alert is evaluated but sends no notifications.',
  }),
  channels: z
    .array(AlertChannel)
    .min(1)
    .max(10)
    .nullish()
    .meta({ description: 'Additional channels (1–10). Each webhook is notified once.' }),
  tags: Tags.refine((tags) => !tags.some((tag) => tag.includes(',')), 'must not contain a comma')
    .nullish()
    .meta({ description: 'Tags (at most 50, each 1–32 characters without a comma).' }),
};

export const AlertInput = z.object({ ...required, ...optional }).meta({ id: 'AlertInput' });
export type AlertInput = z.output<typeof AlertInput>;

export const AlertChange = z
  .object({ ...required, ...optional })
  .partial()
  .meta({
    id: 'AlertChange',
    description:
      'Omitted fields keep their value; `null` clears an optional field. ' +
      "The update does not change the alert's state or history.",
  });
export type AlertChange = z.output<typeof AlertChange>;

export const ExecutionError = z
  .object({
    type: z
      .enum(['QUERY_ERROR', 'QUERY_TIMEOUT', 'WEBHOOK_ERROR', 'INVALID_ALERT', 'TOO_MANY_GROUPS'])
      .meta({ description: 'Kind of the error.' }),
    message: z.string().meta({ description: 'Reason for the error, and the action to take.' }),
    timestamp: Timestamp,
  })
  .meta({ id: 'ExecutionError' });
export type ExecutionError = z.output<typeof ExecutionError>;

export const RecentEvaluation = z
  .object({
    windowStart: Timestamp,
    windowEnd: Timestamp.meta({ description: 'End of the window, exclusive.' }),
    state: AlertState.meta({ description: 'Most severe state of all groups.' }),
    value: z.number().nullable().meta({
      description:
        'Value that determined the state; `null` if the window has no data or the result is not a number.',
    }),
    reason: z
      .string()
      .nullable()
      .meta({ description: 'Reason for the state change, as in the history of the alert.' }),
    skipped: z
      .int()
      .optional()
      .meta({ description: 'Number of windows in this span that were not evaluated.' }),
  })
  .meta({ id: 'RecentEvaluation' });
export type RecentEvaluation = z.output<typeof RecentEvaluation>;

export const Acknowledgement = z
  .object({
    incidentId: z
      .string()
      .meta({ description: 'Id of the incident, the same as in its notifications.' }),
    group: z
      .array(z.string())
      .meta({ description: 'Values of `groupBy`, in the same order. Empty without groups.' }),
    by: z
      .object({
        kind: z.enum(['user', 'key', 'system']),
        id: z.string().meta({ description: 'Id of the user or key.' }),
        name: z.string().optional().meta({
          description: 'E-mail address of the user or name of the key at that time.',
        }),
      })
      .meta({ description: 'User or key that acknowledged the incident.' }),
    at: Timestamp,
    note: z.string().optional().meta({ description: 'Note; absent if there is none.' }),
  })
  .meta({ id: 'Acknowledgement' });
export type Acknowledgement = z.output<typeof Acknowledgement>;

export const Alert = z
  .object({
    id: ObjectId,
    name: z.string().optional().meta({ description: 'Name; absent if it has none.' }),
    message: z
      .string()
      .optional()
      .meta({ description: 'Text that notifications contain; absent if it has none.' }),
    threshold: z.number().meta({ description: 'Threshold that the value is compared with.' }),
    thresholdMax: z
      .number()
      .optional()
      .meta({ description: 'Upper end of the range for `between` and `not_between`.' }),
    interval: Duration,
    thresholdType: ThresholdType,
    source: AlertSource,
    state: AlertState,
    channel: AlertChannel,
    channels: z.array(AlertChannel).optional().meta({ description: 'Additional channels.' }),
    team: ObjectId,
    tileId: ObjectId.optional(),
    dashboard: ObjectId.optional(),
    savedSearch: ObjectId.optional(),
    groupBy: z
      .string()
      .optional()
      .meta({ description: 'Columns or expressions to group by, comma-separated.' }),
    silenced: z.boolean().meta({ description: 'True if the alert is silenced now.' }),
    silencedUntil: Timestamp.optional(),
    numConsecutiveWindows: z
      .int()
      .optional()
      .meta({ description: 'Number of consecutive breaching windows before the alert fires.' }),
    renotifyInterval: Duration.optional(),
    noData: NoData.optional(),
    severity: AlertSeverity.optional(),
    executionErrors: z.array(ExecutionError).optional().meta({
      description: 'Errors that prevent evaluation or delivery; absent if there are none.',
    }),
    lastEvaluatedAt: Timestamp.optional(),
    lastValue: z
      .number()
      .optional()
      .meta({ description: 'Value of the last evaluation; absent if it had none.' }),
    tags: z.array(z.string()).optional().meta({ description: 'Tags; absent if there are none.' }),
    acknowledgements: z.array(Acknowledgement).optional().meta({
      description: 'Acknowledged incidents that have not ended; absent if there are none.',
    }),
    recent: z.array(RecentEvaluation).optional().meta({
      description: 'Last evaluations, newest first. Only in lists that ask for `recent`.',
    }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({
    id: 'Alert',
    example: {
      id: '65f0c1d2e3a4b5c6d7e8f903',
      name: 'Checkout errors',
      threshold: 10,
      interval: '5m',
      thresholdType: 'above',
      source: 'search',
      state: 'firing',
      channel: { type: 'webhook', webhookId: '65f0c1d2e3a4b5c6d7e8f902' },
      team: '65f0c1d2e3a4b5c6d7e8f900',
      savedSearch: '65f0c1d2e3a4b5c6d7e8f901',
      silenced: false,
      lastEvaluatedAt: '2026-03-14T09:30:05.000Z',
      lastValue: 12,
      createdAt: '2026-03-14T09:26:53.589Z',
      updatedAt: '2026-03-14T09:26:53.589Z',
    },
  });
export type Alert = z.output<typeof Alert>;

const tag = 'Alerts';
const example = {
  name: 'Checkout errors',
  threshold: 10,
  thresholdType: 'above',
  interval: '5m',
  source: 'search',
  savedSearchId: '65f0c1d2e3a4b5c6d7e8f901',
  channel: { type: 'webhook', webhookId: '65f0c1d2e3a4b5c6d7e8f902' },
};

export const createAlert = operation({
  name: 'createAlert',
  summary: 'Create an alert',
  description:
    'The server evaluates the alert at every interval and notifies its webhooks. ' +
    'Objects that the alert refers to must exist.',
  tag,
  scope: 'stack:write',
  object: { kind: 'alert' },
  params: NoParams,
  query: NoQuery,
  body: AlertInput,
  result: Alert,
  example,
});
export const getAlert = operation({
  name: 'getAlert',
  summary: 'Get an alert',
  description: 'Returns the alert with its state and the errors of its evaluation.',
  tag,
  scope: 'stack:read',
  object: { kind: 'alert', id: 'id' },
  params: IdParams,
  query: NoQuery,
  body: NoBody,
  result: Alert,
  faults: ['not_found'],
});
export const updateAlert = operation({
  name: 'updateAlert',
  readOnly: [
    'id',
    'team',
    'state',
    'dashboard',
    'savedSearch',
    'silenced',
    'executionErrors',
    'lastEvaluatedAt',
    'lastValue',
    'acknowledgements',
    'recent',
    'createdAt',
    'updatedAt',
  ],
  summary: 'Update an alert',
  description:
    'Omitted fields keep their value. The update does not change the state or history of the alert.',
  tag,
  scope: 'stack:write',
  object: { kind: 'alert', id: 'id' },
  params: IdParams,
  query: NoQuery,
  body: AlertChange,
  result: Alert,
  faults: ['not_found'],
  example: { threshold: 25 },
});
export const deleteAlert = operation({
  name: 'deleteAlert',
  summary: 'Delete an alert',
  description: 'Also deletes the state and history of the alert.',
  tag,
  scope: 'stack:write',
  object: { kind: 'alert', id: 'id' },
  params: IdParams,
  query: NoQuery,
  body: NoBody,
  result: z.undefined(),
  faults: ['not_found'],
});
