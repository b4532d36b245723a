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
} from '../common.ts';
import { operation } from '../operation.ts';

const TimeZone = z
  .string()
  .max(64)
  .refine(isTimeZone, 'must be an IANA time zone, such as Europe/Berlin or UTC')
  .meta({ description: 'IANA time zone of the expression.', example: 'Europe/Berlin' });

function isTimeZone(name: string): boolean {
  try {
    Intl.DateTimeFormat('en', { timeZone: name });
    return /^[A-Za-z]/.test(name);
  } catch {
    return false;
  }
}

const Once = z
  .object({
    type: z.literal('once'),
    from: Timestamp.meta({ description: 'Begin, inclusive.' }),
    to: Timestamp.meta({ description: 'End, exclusive. Must be after `from`.' }),
  })
  .refine(({ from, to }) => Date.parse(to) > Date.parse(from), {
    path: ['to'],
    message: 'must be after from',
  })
  .meta({ id: 'MaintenanceOnce' });

const Recurring = z
  .object({
    type: z.literal('cron'),
    expression: z
      .string()
      .min(9)
      .max(128)
      .meta({
        description:
          'Cron expression of five fields (minute, hour, day of month, month, day of week) ' +
          'for the begin of each occurrence.',
        example: '0 2 * * SUN',
      }),
    timeZone: TimeZone,
    duration: Duration.meta({
      description: 'Length of each occurrence (1m–7d). The clock change does not alter it.',
    }),
  })
  .meta({ id: 'MaintenanceCron' });

export const MaintenanceSchedule = z
  .discriminatedUnion('type', [Once, Recurring])
  .meta({ id: 'MaintenanceSchedule' });
export type MaintenanceSchedule = z.output<typeof MaintenanceSchedule>;

export const MaintenanceAlerts = z
  .object({
    all: z.boolean().default(false).meta({ description: 'All alerts of the team.' }),
    ids: z.array(ObjectId).max(200).default([]).meta({ description: 'Alerts (at most 200).' }),
    tags: z.array(z.string().min(1).max(32)).max(50).default([]).meta({
      description: 'Alerts that have at least one of these tags (at most 50).',
    }),
  })
  .refine(({ all, ids, tags }) => all || ids.length > 0 || tags.length > 0, {
    message: 'must choose alerts: all of them, some, or those with a tag',
  })
  .meta({ id: 'MaintenanceAlerts', description: 'Alerts that the window covers.' });

const fields = {
  name: z.string().min(1).max(255).meta({ description: 'Name (1–255 characters).' }),
  schedule: MaintenanceSchedule,
  alerts: MaintenanceAlerts,
};

export const MaintenanceInput = z.object(fields).meta({ id: 'MaintenanceInput' });
export type MaintenanceInput = z.output<typeof MaintenanceInput>;

export const MaintenanceChange = z
  .object(fields)
  .partial()
  .meta({ id: 'MaintenanceChange', description: 'Omitted fields keep their value.' });
export type MaintenanceChange = z.output<typeof MaintenanceChange>;

const Occurrence = z
  .object({ from: Timestamp, to: Timestamp })
  .meta({ id: 'MaintenanceOccurrence' });

export const MaintenanceWindow = z
  .object({
    id: ObjectId,
    ...fields,
    active: z.boolean().meta({ description: 'True if the window covers this moment.' }),
    occurrence: Occurrence.optional().meta({
      description: 'The current or next occurrence; absent if there is none.',
    }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({
    id: 'MaintenanceWindow',
    example: {
      id: '65f0c1d2e3a4b5c6d7e8f907',
      name: 'Database upgrade',
      schedule: {
        type: 'cron',
        expression: '0 2 * * SUN',
        timeZone: 'Europe/Berlin',
        duration: '2h',
      },
      alerts: { all: false, ids: [], tags: ['database'] },
      active: false,
      occurrence: { from: '2026-03-15T01:00:00.000Z', to: '2026-03-15T03:00:00.000Z' },
      createdAt: '2026-03-14T09:26:53.589Z',
      updatedAt: '2026-03-14T09:26:53.589Z',
    },
  });
export type MaintenanceWindow = z.output<typeof MaintenanceWindow>;

const tag = 'Maintenance windows';
const object = { kind: 'maintenanceWindow', id: 'id' } as const;
const example = {
  name: 'Database upgrade',
  schedule: { type: 'once', from: '2026-03-15T01:00:00Z', to: '2026-03-15T03:00:00Z' },
  alerts: { tags: ['database'] },
};

export const listMaintenanceWindows = operation({
  name: 'listMaintenanceWindows',
  summary: 'List maintenance windows',
  description: 'Returns maintenance windows with their current or next occurrence.',
  tag,
  scope: 'stack:read',
  object: { kind: 'maintenanceWindow' },
  params: NoParams,
  query: PageQuery,
  body: NoBody,
  result: z.array(MaintenanceWindow),
});
export const createMaintenanceWindow = operation({
  name: 'createMaintenanceWindow',
  summary: 'Create a maintenance window',
  description:
    'During the window the server evaluates the alerts but sends no notifications. ' +
    'Afterwards it sends one notification for each alert and group that still fires.',
  tag,
  scope: 'stack:write',
  object: { kind: 'maintenanceWindow' },
  params: NoParams,
  query: NoQuery,
  body: MaintenanceInput,
  result: MaintenanceWindow,
  example,
});
export const getMaintenanceWindow = operation({
  name: 'getMaintenanceWindow',
  summary: 'Get a maintenance window',
  description: 'Returns the window with its current or next occurrence.',
  tag,
  scope: 'stack:read',
  object,
  params: IdParams,
  query: NoQuery,
  body: NoBody,
  result: MaintenanceWindow,
  faults: ['not_found'],
});
export const updateMaintenanceWindow = operation({
  name: 'updateMaintenanceWindow',
  readOnly: ['id', 'active', 'occurrence', 'createdAt', 'updatedAt'],
  summary: 'Update a maintenance window',
  description: 'Omitted fields keep their value. The change takes effect at the next evaluation.',
  tag,
  scope: 'stack:write',
  object,
  params: IdParams,
  query: NoQuery,
  body: MaintenanceChange,
  result: MaintenanceWindow,
  faults: ['not_found'],
  example: { name: 'Database upgrade, second part' },
});
export const deleteMaintenanceWindow = operation({
  name: 'deleteMaintenanceWindow',
  summary: 'Delete a maintenance window',
  description: 'If the window covers this moment, it ends now.',
  tag,
  scope: 'stack:write',
  object,
  params: IdParams,
  query: NoQuery,
  body: NoBody,
  result: z.undefined(),
  faults: ['not_found'],
});
