import { z } from 'zod';
import { NoParams, NoQuery } from '../common.ts';
import { operation } from '../operation.ts';
import { ChartRequest, querySeries } from './chart.ts';
import { SearchRequest, searchRows } from './search.ts';

const amount = (description: string) => z.int().min(0).meta({ description });

const TableRead = z
  .object({
    table: z.string().meta({ description: 'Name of the table.' }),
    parts: amount('Number of parts to read.'),
    rows: amount('Number of rows to read.'),
    marks: amount('Number of marks (granules) to read.'),
  })
  .meta({ id: 'TableRead' });

export const UsedIndex = z
  .object({
    table: z.string().meta({ description: 'Name of the table.' }),
    type: z.string().meta({ description: 'Type of the index, such as `PrimaryKey` or `Skip`.' }),
    name: z.string().optional().meta({ description: 'Name of a skip index.' }),
    keys: z.array(z.string()).optional().meta({ description: 'Columns of the index.' }),
    parts: amount('Number of parts before the index is used.'),
    selectedParts: amount('Number of parts that remain.'),
    granules: amount('Number of granules before the index is used.'),
    selectedGranules: amount('Number of granules that remain.'),
  })
  .meta({ id: 'UsedIndex' });
export type UsedIndex = z.output<typeof UsedIndex>;

export const ExplainedQuery = z
  .object({
    sql: z.string().meta({ description: 'The statement.' }),
    reads: z.array(TableRead).meta({
      description: 'Estimate of what the statement reads.',
    }),
    indexes: z.array(UsedIndex).meta({ description: 'Indexes in the order of their use.' }),
  })
  .meta({ id: 'ExplainedQuery' });
export type ExplainedQuery = z.output<typeof ExplainedQuery>;

export const ExplainResult = z
  .object({
    queries: z.array(ExplainedQuery).meta({ description: 'The statements of the request.' }),
  })
  .meta({
    id: 'ExplainResult',
    example: {
      queries: [
        {
          sql:
            'SELECT `Body` AS `__column_0` FROM `default`.`otel_logs` ' +
            "WHERE `TimestampTime` >= '2026-01-01 00:00:00' LIMIT 101",
          reads: [{ table: 'otel_logs', parts: 1, rows: 8192, marks: 1 }],
          indexes: [
            {
              table: 'otel_logs',
              type: 'PrimaryKey',
              keys: ['TimestampTime'],
              parts: 4,
              selectedParts: 1,
              granules: 120,
              selectedGranules: 1,
            },
          ],
        },
      ],
    },
  });
export type ExplainResult = z.output<typeof ExplainResult>;

export const explainSearch = operation({
  name: 'explainSearch',
  summary: 'Explain a search',
  tag: 'Search',
  scope: 'telemetry:query',
  object: { kind: 'search' },
  description:
    'Returns the SQL statement that a search begins with, and what it would read. Nothing is searched.',
  params: NoParams,
  query: NoQuery,
  body: SearchRequest,
  result: ExplainResult,
  faults: ['not_found', 'timeout'],
  example: searchRows.example,
});

export const explainSeries = operation({
  name: 'explainSeries',
  summary: 'Explain a chart',
  tag: 'Charts',
  scope: 'telemetry:query',
  object: { kind: 'chart' },
  description:
    'Returns the SQL statements that a chart runs if none of its results is cached, and what they ' +
    'would read. With `limit`, the first statements rank the groups. The others are shown without the ' +
    'condition for the groups found.',
  params: NoParams,
  query: NoQuery,
  body: ChartRequest,
  result: ExplainResult,
  faults: ['not_found', 'timeout'],
  example: querySeries.example,
});
