import { z } from 'zod';
import { NoBody, NoParams, NoQuery, ObjectId } from './common.ts';
import { operation } from './operation.ts';

const SourceTime = z
  .object({
    sourceId: ObjectId,
    lastTime: z
      .int()
      .optional()
      .meta({
        description:
          'Time of the newest row, in milliseconds since the Unix epoch. Absent if the tables of the ' +
          'source have no row or cannot be read.',
      }),
  })
  .meta({
    id: 'SourceTime',
    example: { sourceId: '65f0c1d2e3a4b5c6d7e8f901', lastTime: 1_767_225_612_000 },
  });
export type SourceTime = z.output<typeof SourceTime>;

export const listSourceTimes = operation({
  name: 'listSourceTimes',
  summary: 'List the time of the newest row of each source',
  tag: 'Sources',
  scope: 'telemetry:query',
  object: { kind: 'source' },
  description: 'Tells which sources receive data. Returns the first 1000 sources of the team.',
  params: NoParams,
  query: NoQuery,
  body: NoBody,
  result: z.array(SourceTime),
  faults: ['timeout'],
  measured: true,
});
