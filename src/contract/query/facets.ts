import { z } from 'zod';
import { NoParams, NoQuery, ObjectId } from '../common.ts';
import { operation } from '../operation.ts';
import { rowConditions } from './filter.ts';
import { orderedRange, range } from './range.ts';

/** Rows that values are counted in. If more rows match, a part of them is taken. */
export const facetRowsMax = 1_000_000;

export const FacetRequest = z
  .object({
    sourceId: ObjectId,
    ...rowConditions,
    ...range,
    fields: z
      .array(z.string().min(1).max(2048))
      .min(1)
      .max(20)
      .optional()
      .meta({
        description:
          'Columns, map keys (`Map.key.with.dots`) or expressions to count the values of (1–20). ' +
          'If absent, the response has the columns with few different values, and `keys`.',
      }),
    search: z.string().max(256).default('').meta({
      description:
        'Text that a value, or a key of `keys`, must contain, in any case (default: any value).',
    }),
    limit: z
      .int()
      .min(1)
      .max(100)
      .default(10)
      .meta({ description: 'Maximum number of values for each field (1–100, default 10).' }),
  })
  .superRefine(orderedRange)
  .meta({ id: 'FacetRequest' });
export type FacetRequest = z.output<typeof FacetRequest>;

const rowCount = z.int().min(0);

export const Facet = z
  .object({
    field: z.string().meta({ description: 'The field, as in the request.' }),
    type: z.enum(['text', 'number', 'time', 'boolean']).meta({
      description: 'How values compare. `number` and `time` fields have `min` and `max`.',
    }),
    rows: rowCount.meta({ description: 'Number of counted rows that have a value.' }),
    values: z
      .array(
        z
          .object({
            value: z.string().meta({
              description: 'The value as text: `values` of a `FieldFilter` take it.',
            }),
            rows: rowCount.meta({ description: 'Number of counted rows with this value.' }),
          })
          .meta({ id: 'FacetValue' }),
      )
      .meta({
        description:
          'Most frequent values, most frequent first. Values of over 1,000 characters are left out.',
      }),
    approximate: z.boolean().meta({
      description:
        'Whether the field has so many values that counts are upper bounds and a frequent value may be missing.',
    }),
    min: z.string().optional().meta({ description: 'Least value, as text.' }),
    max: z.string().optional().meta({ description: 'Greatest value, as text.' }),
  })
  .meta({ id: 'Facet' });
export type Facet = z.output<typeof Facet>;

export const FacetResult = z
  .object({
    rows: rowCount.meta({ description: 'Number of rows that match in the range.' }),
    countedRows: rowCount.meta({ description: 'Number of rows that the values were counted in.' }),
    sampled: z.boolean().meta({
      description:
        'Whether `countedRows` is a part of `rows`, taken from 32 periods spread over the range. ' +
        'This happens if more than 1,000,000 rows match.',
    }),
    facets: z.array(Facet).meta({ description: 'One entry for each field, in order.' }),
    keys: z
      .array(
        z
          .object({
            field: z.string().meta({ description: 'Name to use as a field: `Map.key`.' }),
            rows: rowCount.meta({ description: 'Number of counted rows that have the key.' }),
          })
          .meta({ id: 'FacetKey' }),
      )
      .optional()
      .meta({
        description:
          'Keys of map columns, most frequent first (at most 500). Only if the request has no `fields`.',
      }),
  })
  .meta({
    id: 'FacetResult',
    example: {
      rows: 1204,
      countedRows: 1204,
      sampled: false,
      facets: [
        {
          field: 'ServiceName',
          type: 'text',
          rows: 1204,
          values: [
            { value: 'checkout', rows: 800 },
            { value: 'payment', rows: 404 },
          ],
          approximate: false,
        },
      ],
    },
  });
export type FacetResult = z.output<typeof FacetResult>;

export const queryFacets = operation({
  name: 'queryFacets',
  summary: 'Count values of fields',
  tag: 'Search',
  scope: 'telemetry:query',
  object: { kind: 'search' },
  description:
    'Returns the most frequent values of fields among the rows that match in a time range, and ' +
    'the keys of map columns if the request names no fields.',
  params: NoParams,
  query: NoQuery,
  body: FacetRequest,
  result: FacetResult,
  faults: ['not_found', 'timeout'],
  measured: true,
  example: {
    sourceId: '65f0c1d2e3a4b5c6d7e8f901',
    where: 'timeout',
    filters: [{ type: 'field', field: 'SeverityText', op: 'is', values: ['error'] }],
    startTime: 1_767_225_600_000,
    endTime: 1_767_229_200_000,
    fields: ['ServiceName', 'LogAttributes.http.route'],
  },
});
