import { z } from 'zod';
import { NoBody, NoQuery, Timestamp, Uuid } from '../common.ts';
import { operation } from '../operation.ts';

export const PipeReplay = z
  .object({
    state: z.enum(['None', 'Pending', 'Running', 'Completed', 'Failed']).meta({
      description:
        '`None`: no replay was requested yet. `Pending`: no process has begun the replay yet. ' +
        '`Running` and `Completed`: the records are being stored, or all of them were tried. ' +
        '`Failed`: the replay cannot go on; `message` says why.',
    }),
    requestedAt: Timestamp.nullable().meta({
      description: 'Records that were refused until this time are replayed.',
    }),
    endedAt: Timestamp.nullable(),
    replayed: z.number().meta({ description: 'Number of records that were stored.' }),
    refused: z.number().meta({ description: 'Number of records that were refused again.' }),
    message: z
      .string()
      .nullable()
      .meta({ description: 'Reason why the replay waits or failed; `null` if it does neither.' }),
  })
  .meta({
    id: 'PipeReplay',
    example: {
      state: 'Completed',
      requestedAt: '2026-03-14T09:40:00.000Z',
      endedAt: '2026-03-14T09:40:02.215Z',
      replayed: 41,
      refused: 1,
      message: null,
    },
  });
export type PipeReplay = z.output<typeof PipeReplay>;

const replay = {
  tag: 'Pipes',
  object: { kind: 'pipe', id: 'pipeId' },
  query: NoQuery,
  params: z.object({ pipeId: Uuid }),
  body: NoBody,
  result: PipeReplay,
} as const;

export const replayPipeErrors = operation({
  ...replay,
  scope: 'pipes:write',
  name: 'replayPipeErrors',
  summary: 'Store records that could not be stored once more',
  description:
    'Call this after you changed the pipe or its table. Each record is stored exactly once and ' +
    'leaves the list of errors, or comes back with the new reason. The replay runs in the ' +
    'background, also while the pipe is stopped. 409 if a replay is running. ' +
    '400 if the pipe does not read records: a pipe from object storage reads a refused object ' +
    'again once the object or the pipe changes, and `resync` loads a PostgreSQL source again.',
  faults: ['not_found', 'conflict', 'timeout'],
});
export const getPipeReplay = operation({
  ...replay,
  scope: 'pipes:read',
  name: 'getPipeReplay',
  summary: 'Get the last replay of a pipe',
  description: 'Returns how far the replay is that was requested last.',
  faults: ['not_found'],
});
