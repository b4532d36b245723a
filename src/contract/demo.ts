import { z } from 'zod';
import { NoBody, NoParams, NoQuery, Timestamp } from './common.ts';
import { operation } from './operation.ts';

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
  })
  .meta({ id: 'Demo', example: { state: 'running', startedAt: '2026-03-14T09:26:53.589Z' } });
export type Demo = z.output<typeof Demo>;

const shared = {
  tag: 'Demo',
  object: { kind: 'demo' },
  params: NoParams,
  query: NoQuery,
  body: NoBody,
} as const;

export const getDemo = operation({
  ...shared,
  name: 'getDemo',
  summary: 'Get the state of the demo shop',
  description: 'The shop ends with the process that runs it.',
  scope: 'team:read',
  result: Demo,
});
export const startDemo = operation({
  ...shared,
  name: 'startDemo',
  summary: 'Start the demo shop',
  description:
    'A simulated shop sends logs, traces and metrics to the team, the last half hour first. ' +
    'If it runs already, nothing changes. Requires the role admin.',
  scope: 'demo:write',
  result: Demo,
  faults: ['forbidden', 'conflict'],
});
export const stopDemo = operation({
  ...shared,
  name: 'stopDemo',
  summary: 'Stop the demo shop',
  description:
    'The telemetry that it has sent stays. If it does not run, nothing changes. ' +
    'Requires the role admin.',
  scope: 'demo:write',
  result: NoBody,
  faults: ['forbidden'],
});
