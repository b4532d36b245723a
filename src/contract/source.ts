import { z } from 'zod';
import { IdParams, NoBody, NoParams, NoQuery, ObjectId, PageQuery, Timestamp } from './common.ts';
import { operation } from './operation.ts';

/** A column expression of the source's own table. It is compiled when the source is saved. */
const Expression = z.string().min(1).max(2048);
const TableName = z.string().min(1).max(256);

export const SourceKind = z.enum(['log', 'trace', 'metric']).meta({ id: 'SourceKind' });
export type SourceKind = z.infer<typeof SourceKind>;

export const MetricDataType = z
  .enum(['gauge', 'sum', 'histogram', 'exponential histogram', 'summary'])
  .meta({ id: 'MetricDataType' });
export type MetricDataType = z.infer<typeof MetricDataType>;

const shared = {
  name: z.string().min(1).max(255).meta({ description: 'Name (1–255 characters).' }),
  from: z
    .object({
      databaseName: TableName.meta({ description: 'Database of the table (1–256 characters).' }),
      tableName: TableName.meta({ description: 'Name of the table (1–256 characters).' }),
    })
    .meta({
      id: 'SourceTable',
      description:
        'Table that the source reads. A metric source lists its tables in `metricTables`.',
    }),
  timestampValueExpression: Expression.default('Timestamp').meta({
    description: 'Column or expression of the event time.',
  }),
  serviceNameExpression: Expression.optional().meta({
    description: 'Column or expression of the service name.',
  }),
  resourceAttributesExpression: Expression.optional().meta({
    description: 'Column with the map of resource attributes.',
  }),
  eventAttributesExpression: Expression.optional().meta({
    description: 'Column with the map of event attributes.',
  }),
};

export const LogSourceInput = z.object({
  kind: z.literal('log'),
  ...shared,
  bodyExpression: Expression.optional().meta({
    description: 'Column or expression of the log message.',
  }),
  severityTextExpression: Expression.optional().meta({
    description: 'Column or expression of the severity text.',
  }),
  traceIdExpression: Expression.optional().meta({
    description: 'Column or expression of the trace id.',
  }),
  spanIdExpression: Expression.optional().meta({
    description: 'Column or expression of the span id.',
  }),
  implicitColumnExpression: Expression.optional().meta({
    description:
      'Column or expression that bare words of a Lucene condition search. Default: `bodyExpression`.',
  }),
  defaultTableSelectExpression: Expression.optional().meta({
    description: 'Columns that a search returns if it selects none, comma-separated.',
  }),
});

export const TraceSourceInput = z.object({
  kind: z.literal('trace'),
  ...shared,
  durationExpression: Expression.optional().meta({
    description: 'Column or expression of the span duration.',
  }),
  durationPrecision: z
    .union([z.literal(0), z.literal(3), z.literal(6), z.literal(9)])
    .optional()
    .meta({
      description:
        'Unit of `durationExpression`: 0 seconds, 3 milliseconds, 6 microseconds, 9 nanoseconds.',
    }),
  traceIdExpression: Expression.optional().meta({
    description: 'Column or expression of the trace id.',
  }),
  spanIdExpression: Expression.optional().meta({
    description: 'Column or expression of the span id.',
  }),
  parentSpanIdExpression: Expression.optional().meta({
    description: 'Column or expression of the parent span id.',
  }),
  spanNameExpression: Expression.optional().meta({
    description: 'Column or expression of the span name.',
  }),
  spanKindExpression: Expression.optional().meta({
    description: 'Column or expression of the span kind.',
  }),
  statusCodeExpression: Expression.optional().meta({
    description: 'Column or expression of the status code.',
  }),
  statusMessageExpression: Expression.optional().meta({
    description: 'Column or expression of the status message.',
  }),
  implicitColumnExpression: Expression.optional().meta({
    description:
      'Column or expression that bare words of a Lucene condition search. Default: `spanNameExpression`.',
  }),
  defaultTableSelectExpression: Expression.optional().meta({
    description: 'Columns that a search returns if it selects none, comma-separated.',
  }),
});

export const MetricSourceInput = z.object({
  kind: z.literal('metric'),
  ...shared,
  timestampValueExpression: Expression.default('TimeUnix').meta({
    description: 'Column or expression of the event time.',
  }),
  metricTables: z
    .object({
      gauge: TableName.optional().meta({ description: 'Table of gauge metrics.' }),
      sum: TableName.optional().meta({ description: 'Table of sum metrics.' }),
      histogram: TableName.optional().meta({ description: 'Table of histogram metrics.' }),
      summary: TableName.optional().meta({ description: 'Table of summary metrics.' }),
      'exponential histogram': TableName.optional().meta({
        description: 'Table of exponential histogram metrics.',
      }),
    })
    .meta({
      id: 'SourceMetricTables',
      description: 'Table of each metric type, in `from.databaseName`.',
    }),
});

export const SourceInput = z
  .discriminatedUnion('kind', [LogSourceInput, TraceSourceInput, MetricSourceInput])
  .meta({ id: 'SourceInput' });
export type SourceInput = z.output<typeof SourceInput>;

const record = { id: ObjectId, team: ObjectId, createdAt: Timestamp, updatedAt: Timestamp };
export const Source = z
  .discriminatedUnion('kind', [
    LogSourceInput.extend(record),
    TraceSourceInput.extend(record),
    MetricSourceInput.extend(record),
  ])
  .meta({
    id: 'Source',
    example: {
      id: '65f0c1d2e3a4b5c6d7e8f901',
      team: '65f0c1d2e3a4b5c6d7e8f900',
      kind: 'log',
      name: 'Logs',
      from: { databaseName: 'telemetry', tableName: 'otel_logs' },
      timestampValueExpression: 'Timestamp',
      bodyExpression: 'Body',
      serviceNameExpression: 'ServiceName',
      severityTextExpression: 'SeverityText',
      createdAt: '2026-03-14T09:26:53.589Z',
      updatedAt: '2026-03-14T09:26:53.589Z',
    },
  });
export type Source = z.output<typeof Source>;

/** A change: the fields of the source's kind, all optional; null clears an optional one. */
export const SourceChange = z
  .object({
    kind: SourceKind,
    ...nullable(MetricSourceInput.shape),
    ...nullable(TraceSourceInput.shape),
    ...nullable(LogSourceInput.shape),
    name: shared.name,
    from: shared.from,
    timestampValueExpression: Expression.meta({
      description: 'Column or expression of the event time.',
    }),
    metricTables: MetricSourceInput.shape.metricTables,
  })
  .partial()
  .meta({
    id: 'SourceChange',
    description: 'Omitted fields keep their value; `null` clears an optional field.',
  });
export type SourceChange = z.output<typeof SourceChange>;

type NullableFields<Shape extends z.ZodRawShape> = {
  [
    K in Exclude<
      keyof Shape,
      'kind' | 'name' | 'from' | 'timestampValueExpression' | 'metricTables'
    >
  ]: z.ZodNullable<Shape[K]>;
};

function nullable<Shape extends z.ZodRawShape>({
  kind: _kind,
  name: _name,
  from: _from,
  timestampValueExpression: _time,
  metricTables: _tables,
  ...rest
}: Shape): NullableFields<Shape> {
  const fields = {} as NullableFields<Shape>;
  for (const [name, schema] of Object.entries(rest)) {
    Object.assign(fields, { [name]: (schema as z.ZodType).nullable() });
  }
  return fields;
}

export const SourceField = z
  .object({
    name: z
      .string()
      .meta({ description: 'Name to use in conditions and expressions: a column, or `Map.key`.' }),
    type: z.string().meta({ description: 'ClickHouse type.' }),
    kind: z.enum(['column', 'attribute']).meta({
      description: '`column`: a column of the table. `attribute`: a key of a map column.',
    }),
    values: z.array(z.string()).meta({ description: 'Sample of values found in the data.' }),
  })
  .meta({
    id: 'SourceField',
    example: {
      name: 'ServiceName',
      type: 'LowCardinality(String)',
      kind: 'column',
      values: ['checkout', 'payment'],
    },
  });
export type SourceField = z.output<typeof SourceField>;

const sourceExample = {
  kind: 'log',
  name: 'Audit log',
  from: { databaseName: 'telemetry', tableName: 'otel_logs' },
  timestampValueExpression: 'Timestamp',
  bodyExpression: 'Body',
};

export const createSource = operation({
  name: 'createSource',
  summary: 'Create a data source',
  description:
    'Makes a table of the telemetry database available to charts, searches and alerts. ' +
    'Expressions are compiled before the source is saved.',
  tag: 'Sources',
  scope: 'sources:write',
  object: { kind: 'source' },
  params: NoParams,
  query: NoQuery,
  body: SourceInput,
  result: Source,
  example: sourceExample,
});
export const getSource = operation({
  name: 'getSource',
  summary: 'Get a data source',
  description: 'Returns the source with its expressions.',
  tag: 'Sources',
  scope: 'stack:read',
  object: { kind: 'source', id: 'id' },
  params: IdParams,
  query: NoQuery,
  body: NoBody,
  result: Source,
  faults: ['not_found'],
});
export const updateSource = operation({
  name: 'updateSource',
  readOnly: ['id', 'team', 'createdAt', 'updatedAt'],
  summary: 'Update a data source',
  description:
    'Omitted fields keep their value. Expressions are compiled before the source is saved.',
  tag: 'Sources',
  scope: 'sources:write',
  object: { kind: 'source', id: 'id' },
  params: IdParams,
  query: NoQuery,
  body: SourceChange,
  result: Source,
  faults: ['not_found'],
  example: { name: 'Audit log of the shop' },
});
export const deleteSource = operation({
  name: 'deleteSource',
  summary: 'Delete a data source',
  description: 'Fails with 409 while a dashboard or saved search uses the source.',
  tag: 'Sources',
  scope: 'sources:write',
  object: { kind: 'source', id: 'id' },
  params: IdParams,
  query: NoQuery,
  body: NoBody,
  result: z.undefined(),
  faults: ['not_found', 'conflict'],
});
export const listSourceFields = operation({
  name: 'listSourceFields',
  summary: 'List the columns and attribute keys of a source',
  description: 'Includes sample values, for use in query editors.',
  tag: 'Sources',
  scope: 'telemetry:query',
  object: { kind: 'source', id: 'id' },
  params: IdParams,
  query: NoQuery,
  body: NoBody,
  result: z.array(SourceField),
  faults: ['not_found', 'timeout'],
});

export const listSources = operation({
  name: 'listSources',
  summary: 'List data sources',
  description:
    'Returns the data sources that charts, searches and alerts can query, in creation order.',
  tag: 'Sources',
  scope: 'stack:read',
  object: { kind: 'source' },
  params: NoParams,
  query: PageQuery,
  body: NoBody,
  result: z.array(Source),
});
