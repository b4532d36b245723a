import { z } from 'zod';
import { NoBody, NoParams, NoQuery, ObjectId, Timestamp } from './common.ts';
import { operation } from './operation.ts';

const DemoObject = z
  .object({
    kind: z.enum(['dashboard', 'webhook', 'alert']).meta({ description: 'Kind of the object.' }),
    id: ObjectId,
    name: z.string().meta({ description: 'Name of the object.' }),
  })
  .meta({
    id: 'DemoObject',
    description: 'Object that the demo shop made.',
    example: { kind: 'dashboard', id: '65f0c1d2e3a4b5c6d7e8f900', name: 'Shop (demo)' },
  });

export const Demo = z
  .object({
    state: z.enum(['running', 'stopped', 'unavailable']).meta({
      description:
        '`running`: the shop sends telemetry. `stopped`: it does not. ' +
        '`unavailable`: the process that answers cannot run it, because it does not receive ' +
        'telemetry or shares its store with other processes.',
    }),
    startedAt: Timestamp.optional().meta({
      description: 'Time of the start. Absent if the shop does not run.',
    }),
    objects: z.array(DemoObject).meta({
      description: 'Objects that a start made and that still exist.',
    }),
    notifications: z
      .object({
        count: z.int().min(0).meta({
          description: 'Number of notifications since the start of the server.',
        }),
        lastAt: Timestamp.optional().meta({
          description: 'Time of the last notification. Absent without one.',
        }),
      })
      .meta({ description: 'Notifications that the webhook of the shop delivered.' }),
  })
  .meta({
    id: 'Demo',
    example: {
      state: 'running',
      startedAt: '2026-03-14T09:26:53.589Z',
      objects: [{ kind: 'dashboard', id: '65f0c1d2e3a4b5c6d7e8f900', name: 'Shop (demo)' }],
      notifications: { count: 2, lastAt: '2026-03-14T09:32:00.000Z' },
    },
  });
export type Demo = z.output<typeof Demo>;

const shared = {
  tag: 'Demo',
  object: { kind: 'demo' },
  params: NoParams,
  body: NoBody,
} as const;

export const getDemo = operation({
  ...shared,
  query: NoQuery,
  name: 'getDemo',
  summary: 'Get the state of the demo shop',
  description: 'The shop ends with the process that runs it. Its objects stay.',
  scope: 'team:read',
  result: Demo,
});
export const startDemo = operation({
  ...shared,
  query: NoQuery,
  name: 'startDemo',
  summary: 'Start the demo shop',
  description:
    'A simulated shop sends logs, traces and metrics to the team, the last half hour first. ' +
    'The server makes a dashboard, an alert and a webhook that show it, unless they exist. ' +
    'If the shop runs already, it goes on. Requires the role admin.',
  scope: 'demo:write',
  result: Demo,
  faults: ['forbidden', 'conflict'],
});
export const stopDemo = operation({
  ...shared,
  query: z.object({
    objects: z
      .enum(['keep', 'delete'])
      .optional()
      .meta({
        description:
          'What happens to the objects that a start made (default `keep`). `delete` also deletes ' +
          'all alerts on tiles of the dashboard. It fails if another alert uses the webhook.',
      }),
  }),
  name: 'stopDemo',
  summary: 'Stop the demo shop',
  description:
    'The telemetry that it has sent stays. If it does not run, nothing stops. ' +
    'Requires the role admin.',
  scope: 'demo:write',
  result: NoBody,
  faults: ['forbidden', 'conflict'],
});
