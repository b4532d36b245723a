import { z } from 'zod';
import { EpochMs, Where } from './chart.ts';
import { NoParams, NoQuery, ObjectId, WhereLanguage } from './common.ts';
import { operation } from './operation.ts';

const Select = z.union([z.string().max(8192), z.array(z.string().min(1).max(2048)).max(100)]);

export const SearchRequest = z
  .object({
    sourceId: ObjectId,
    where: Where.default(''),
    whereLanguage: WhereLanguage.default('lucene'),
    startTime: EpochMs,
    endTime: EpochMs.meta({ description: 'Exclusive' }),
    select: Select.optional().meta({
      description:
        "Columns, map keys or expressions with optional `AS name`: a list, or text with commas. The source's default where absent",
    }),
    orderBy: z.string().max(2048).optional().meta({
      description: 'Columns or expressions, each with ASC or DESC; newest first where absent',
    }),
    limit: z.int().min(1).max(2000).default(100),
    cursor: z.string().max(1024).optional().meta({ description: '`cursor` of the page before' }),
  })
  .superRefine((request, context) => {
    if (request.startTime >= request.endTime) {
      context.addIssue({ code: 'custom', path: ['endTime'], message: 'must be after startTime' });
    }
  })
  .meta({ id: 'SearchRequest' });
export type SearchRequest = z.output<typeof SearchRequest>;

export const SearchResult = z
  .object({
    columns: z.array(
      z.object({ name: z.string(), type: z.string().meta({ description: 'ClickHouse type' }) }),
    ),
    rows: z.array(z.record(z.string(), z.unknown())).meta({
      description: 'Values by column name. 64-bit integers are strings, times are text in UTC',
    }),
    cursor: z
      .string()
      .optional()
      .meta({ description: 'Asks for the next page; absent on the last one' }),
  })
  .meta({
    id: 'SearchResult',
    example: {
      columns: [
        { name: 'Timestamp', type: 'DateTime64(9)' },
        { name: 'Body', type: 'String' },
      ],
      rows: [
        {
          Timestamp: '2026-01-01 00:00:12.345678900',
          Body: 'timeout while talking to the payment provider',
        },
      ],
      cursor: 'MjAyNi0wMS0wMQ',
    },
  });
export type SearchResult = z.output<typeof SearchResult>;

export const searchRows = operation({
  name: 'search',
  summary: 'Search rows of a source',
  tag: 'Search',
  scope: 'telemetry:query',
  description:
    'Rows of a log or trace source in a time range, newest first unless `orderBy` says otherwise.',
  params: NoParams,
  query: NoQuery,
  body: SearchRequest,
  result: SearchResult,
  faults: ['not_found', 'timeout'],
  example: {
    sourceId: '65f0c1d2e3a4b5c6d7e8f901',
    where: 'ServiceName:"checkout" timeout',
    startTime: 1_767_225_600_000,
    endTime: 1_767_229_200_000,
    limit: 50,
  },
});
