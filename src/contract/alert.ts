import { z } from 'zod';
import {
  Duration,
  IdParams,
  NoBody,
  NoParams,
  NoQuery,
  ObjectId,
  PageQuery,
  Timestamp,
} from './common.ts';
import { operation } from './operation.ts';

export const AlertChannel = z
  .object({ type: z.literal('webhook'), webhookId: ObjectId })
  .meta({ id: 'AlertChannel', description: 'Where it notifies' });
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
      'above fires at threshold or more, below at less than it; between and not_between take thresholdMax as well, both ends inclusive',
  });
export type ThresholdType = z.infer<typeof ThresholdType>;

export const AlertState = z.enum(['inactive', 'pending', 'firing']).meta({
  id: 'AlertState',
  description: 'inactive: new or not breaching; pending: breaching, but not yet for enough windows',
});
export type AlertState = z.infer<typeof AlertState>;

export const NoData = z.enum(['zero', 'ok', 'firing', 'keep']).meta({
  id: 'NoData',
  description:
    'What a window without data counts as: the value 0 (default), not breaching, breaching, or no change',
});
export type NoData = z.infer<typeof NoData>;

/** Both words for a saved search are read; records say `search`. */
const AlertSource = z
  .enum(['tile', 'search', 'saved_search'])
  .transform((source) => (source === 'saved_search' ? 'search' : source))
  .meta({ id: 'AlertSource' });

const required = {
  threshold: z.number(),
  interval: Duration.meta({ description: 'Length of the window, and how often it is evaluated' }),
  source: AlertSource,
  thresholdType: ThresholdType,
  channel: AlertChannel,
};

/** null, on creation or change, is the same as leaving it unset. */
const optional = {
  dashboardId: ObjectId.nullish(),
  tileId: ObjectId.nullish().meta({ description: 'A tile of dashboardId' }),
  savedSearchId: ObjectId.nullish(),
  name: z.string().max(512).nullish(),
  message: z.string().max(4096).nullish(),
  groupBy: z.string().max(2048).nullish().meta({
    description: 'One state for each value of it; columns or expressions, comma-separated',
  }),
  thresholdMax: z.number().nullish().meta({ description: 'Upper end of between and not_between' }),
  numConsecutiveWindows: z
    .int()
    .min(1)
    .max(1000)
    .nullish()
    .meta({ description: 'Fires only after so many breaching windows in a row; 1 where absent' }),
  renotifyInterval: Duration.nullish().meta({
    description: 'Notify again while it keeps firing; on transitions only where absent',
  }),
  noData: NoData.nullish(),
  silencedUntil: Timestamp.nullish().meta({ description: 'Evaluated, but not sent, until then' }),
  channels: z
    .array(AlertChannel)
    .min(1)
    .max(10)
    .nullish()
    .meta({ description: 'Further channels beside `channel`; each webhook is notified once' }),
};

export const AlertInput = z.object({ ...required, ...optional }).meta({ id: 'AlertInput' });
export type AlertInput = z.output<typeof AlertInput>;

export const AlertChange = z
  .object({ ...required, ...optional })
  .partial()
  .meta({
    id: 'AlertChange',
    description:
      'What is absent stays; null unsets an optional field. Neither state nor history is touched',
  });
export type AlertChange = z.output<typeof AlertChange>;

export const ExecutionError = z
  .object({
    type: z.enum([
      'QUERY_ERROR',
      'QUERY_TIMEOUT',
      'WEBHOOK_ERROR',
      'INVALID_ALERT',
      'TOO_MANY_GROUPS',
    ]),
    message: z.string(),
    timestamp: Timestamp,
  })
  .meta({ id: 'ExecutionError' });
export type ExecutionError = z.output<typeof ExecutionError>;

export const Alert = z
  .object({
    id: ObjectId,
    name: z.string().optional(),
    message: z.string().optional(),
    threshold: z.number(),
    thresholdMax: z.number().optional(),
    interval: Duration,
    thresholdType: ThresholdType,
    source: z.enum(['tile', 'search']),
    state: AlertState,
    channel: AlertChannel,
    channels: z.array(AlertChannel).optional(),
    team: ObjectId,
    tileId: ObjectId.optional(),
    dashboard: ObjectId.optional(),
    savedSearch: ObjectId.optional(),
    groupBy: z.string().optional(),
    silenced: z.boolean(),
    silencedUntil: Timestamp.optional(),
    numConsecutiveWindows: z.int().optional(),
    renotifyInterval: Duration.optional(),
    noData: NoData.optional(),
    executionErrors: z
      .array(ExecutionError)
      .optional()
      .meta({ description: 'Why it is not evaluated or sent; absent when all is well' }),
    lastEvaluatedAt: Timestamp.optional(),
    lastValue: z.number().optional(),
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

export const listAlerts = operation({
  name: 'listAlerts',
  summary: 'List alerts',
  tag,
  scope: 'stack:read',
  params: NoParams,
  query: PageQuery,
  body: NoBody,
  result: z.array(Alert),
});
export const createAlert = operation({
  name: 'createAlert',
  summary: 'Create an alert',
  tag,
  scope: 'stack:write',
  params: NoParams,
  query: NoQuery,
  body: AlertInput,
  result: Alert,
  example,
});
export const getAlert = operation({
  name: 'getAlert',
  summary: 'Get an alert',
  tag,
  scope: 'stack:read',
  params: IdParams,
  query: NoQuery,
  body: NoBody,
  result: Alert,
  faults: ['not_found'],
});
export const updateAlert = operation({
  name: 'updateAlert',
  summary: 'Change an alert',
  tag,
  scope: 'stack:write',
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
  tag,
  scope: 'stack:write',
  params: IdParams,
  query: NoQuery,
  body: NoBody,
  result: z.undefined(),
  faults: ['not_found'],
});
