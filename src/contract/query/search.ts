import { z } from 'zod';
import { NoParams, NoQuery, ObjectId } from '../common.ts';
import { operation } from '../operation.ts';
import { rowConditions } from './filter.ts';
import { orderedRange, range } from './range.ts';

const Select = z
  .union([z.string().max(8192), z.array(z.string().min(1).max(2048)).max(100)])
  .meta({ id: 'SearchSelect' });

/** Which rows a search finds, their columns and their order. */
export const rowsToFind = {
  sourceId: ObjectId,
  ...rowConditions,
  ...range,
  select: Select.optional().meta({
    description:
      'Columns, map keys or expressions, each with an optional `AS name`: ' +
      'a list, or comma-separated text. Default: the columns that the source defines.',
  }),
  orderBy: z
    .string()
    .max(2048)
    .optional()
    .meta({
      description:
        'Columns or expressions, each with optional ASC or DESC. Rows with equal values are newest ' +
        'first. Default: newest first.',
    }),
};

export const SearchRequest = z
  .object({
    ...rowsToFind,
    limit: z
      .int()
      .min(1)
      .max(2000)
      .default(100)
      .meta({ description: 'Maximum number of rows to return (1–2000, default 100).' }),
    cursor: z.string().max(1024).optional().meta({ description: '`cursor` of the previous page.' }),
  })
  .superRefine(orderedRange)
  .meta({ id: 'SearchRequest' });
export type SearchRequest = z.output<typeof SearchRequest>;

const SearchColumn = z
  .object({
    name: z.string().meta({ description: 'Name of the column.' }),
    type: z.string().meta({ description: 'ClickHouse type.' }),
  })
  .meta({ id: 'SearchColumn' });

export const SearchResult = z
  .object({
    columns: z.array(SearchColumn).meta({ description: 'Columns of the rows, in order.' }),
    rows: z.array(z.record(z.string(), z.unknown())).meta({
      description:
        'Values by column name. 64-bit integers are strings; times are text in UTC. `_id` identifies ' +
        'the row: it depends on the content of the row, not on its place in storage.',
    }),
    cursor: z
      .string()
      .optional()
      .meta({ description: 'Cursor to request the next page; absent on the last page.' }),
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
          _id: '1767225612345678900-8993a009869b81274a7202843b2e9445',
          Timestamp: '2026-01-01 00:00:12.345678900',
          Body: 'timeout while talking to the payment provider',
        },
      ],
      cursor: 'MTc2NzIyNTYxMjM0NTY3ODkwMC44OTkzYTAwOTg2OWI4MTI3NGE3MjAyODQzYjJlOTQ0NQ',
    },
  });
export type SearchResult = z.output<typeof SearchResult>;

export const searchRows = operation({
  name: 'search',
  summary: 'Search rows of a source',
  tag: 'Search',
  scope: 'telemetry:query',
  object: { kind: 'search' },
  description:
    'Returns rows of a log or trace source in a time range, newest first unless `orderBy` is set. ' +
    'Following `cursor` returns every row once, even while new rows arrive.',
  params: NoParams,
  query: NoQuery,
  body: SearchRequest,
  result: SearchResult,
  faults: ['not_found', 'timeout'],
  measured: true,
  example: {
    sourceId: '65f0c1d2e3a4b5c6d7e8f901',
    where: 'timeout',
    filters: [{ type: 'field', field: 'ServiceName', op: 'is', values: ['checkout'] }],
    startTime: 1_767_225_600_000,
    endTime: 1_767_229_200_000,
    limit: 50,
  },
});

export const SearchRowRequest = z
  .object({
    sourceId: ObjectId,
    id: z.string().min(1).max(128).meta({ description: '`_id` of a row that a search returned.' }),
  })
  .meta({ id: 'SearchRowRequest' });
export type SearchRowRequest = z.output<typeof SearchRowRequest>;

export const SearchRowResult = z
  .object({
    columns: z
      .array(SearchColumn)
      .meta({ description: 'All columns of the table, in the order of the table.' }),
    row: z.record(z.string(), z.unknown()).meta({
      description:
        'Values by column name, and `_id`. 64-bit integers are strings; times are text in UTC.',
    }),
  })
  .meta({
    id: 'SearchRowResult',
    example: {
      columns: [
        { name: 'Timestamp', type: 'DateTime64(9)' },
        { name: 'Body', type: 'String' },
      ],
      row: {
        _id: '1767225612345678900-8993a009869b81274a7202843b2e9445',
        Timestamp: '2026-01-01 00:00:12.345678900',
        Body: 'timeout while talking to the payment provider',
      },
    },
  });
export type SearchRowResult = z.output<typeof SearchRowResult>;

export const searchRow = operation({
  name: 'searchRow',
  summary: 'Get one row of a source',
  tag: 'Search',
  scope: 'telemetry:query',
  object: { kind: 'search' },
  description:
    'Returns all columns of the row with this `_id`. The row is found by its content, so a link to ' +
    'it works until retention deletes the row or the columns of the table change.',
  params: NoParams,
  query: NoQuery,
  body: SearchRowRequest,
  result: SearchRowResult,
  faults: ['not_found', 'timeout'],
  measured: true,
  example: {
    sourceId: '65f0c1d2e3a4b5c6d7e8f901',
    id: '1767225612345678900-8993a009869b81274a7202843b2e9445',
  },
});
