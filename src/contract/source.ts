import { z } from 'zod';
import { IdParams, NoBody, NoParams, NoQuery, ObjectId, PageQuery, Timestamp } from './common.ts';
import { operation } from './operation.ts';

/** A column expression of the source's own table; checked by the SQL guard when the source is saved. */
const Expression = z.string().min(1).max(2048);
const TableName = z.string().min(1).max(256);

export const SourceKind = z.enum(['log', 'trace', 'metric']).meta({ id: 'SourceKind' });
export type SourceKind = z.infer<typeof SourceKind>;

export const MetricDataType = z.enum(['gauge', 'sum', 'histogram']).meta({ id: 'MetricDataType' });
export type MetricDataType = z.infer<typeof MetricDataType>;

const shared = {
  name: z.string().min(1).max(255),
  from: z
    .object({ databaseName: TableName, tableName: TableName })
    .meta({ description: 'The table it reads. A metric source names its tables in metricTables' }),
  timestampValueExpression: Expression.default('Timestamp').meta({
    description: 'Column (or expression) of the event time',
  }),
  serviceNameExpression: Expression.optional(),
  resourceAttributesExpression: Expression.optional(),
  eventAttributesExpression: Expression.optional().meta({
    description: 'Map of the attributes of the event itself',
  }),
};

export const LogSourceInput = z.object({
  kind: z.literal('log'),
  ...shared,
  bodyExpression: Expression.optional(),
  severityTextExpression: Expression.optional(),
  traceIdExpression: Expression.optional(),
  spanIdExpression: Expression.optional(),
  implicitColumnExpression: Expression.optional().meta({
    description: 'What bare words of a lucene condition search; bodyExpression where absent',
  }),
  defaultTableSelectExpression: Expression.optional().meta({
    description: 'Columns a search shows when it names none, comma-separated',
  }),
});

export const TraceSourceInput = z.object({
  kind: z.literal('trace'),
  ...shared,
  durationExpression: Expression.optional(),
  durationPrecision: z
    .union([z.literal(0), z.literal(3), z.literal(6), z.literal(9)])
    .optional()
    .meta({ description: 'Digits after the second in durationExpression: 9 is nanoseconds' }),
  traceIdExpression: Expression.optional(),
  spanIdExpression: Expression.optional(),
  parentSpanIdExpression: Expression.optional(),
  spanNameExpression: Expression.optional(),
  spanKindExpression: Expression.optional(),
  statusCodeExpression: Expression.optional(),
  statusMessageExpression: Expression.optional(),
  implicitColumnExpression: Expression.optional(),
  defaultTableSelectExpression: Expression.optional(),
});

export const MetricSourceInput = z.object({
  kind: z.literal('metric'),
  ...shared,
  timestampValueExpression: Expression.default('TimeUnix'),
  metricTables: z
    .object({
      gauge: TableName.optional(),
      sum: TableName.optional(),
      histogram: TableName.optional(),
      summary: TableName.optional(),
      'exponential histogram': TableName.optional(),
    })
    .meta({ description: 'Table of each metric type, in from.databaseName' }),
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

/** A change: the fields of the source's kind, all optional; null unsets an optional one. */
export const SourceChange = z
  .object({
    kind: SourceKind,
    ...nullable(MetricSourceInput.shape),
    ...nullable(TraceSourceInput.shape),
    ...nullable(LogSourceInput.shape),
    name: shared.name,
    from: shared.from,
    timestampValueExpression: Expression,
    metricTables: MetricSourceInput.shape.metricTables,
  })
  .partial()
  .meta({ id: 'SourceChange', description: 'What is absent stays; null unsets an optional field' });
export type SourceChange = z.output<typeof SourceChange>;

function nullable<Shape extends z.ZodRawShape>({
  kind: _kind,
  name: _name,
  from: _from,
  timestampValueExpression: _time,
  metricTables: _tables,
  ...rest
}: Shape): {
  [
    K in Exclude<
      keyof Shape,
      'kind' | 'name' | 'from' | 'timestampValueExpression' | 'metricTables'
    >
  ]: z.ZodNullable<Shape[K]>;
} {
  return Object.fromEntries(
    Object.entries(rest).map(([name, schema]) => [name, (schema as z.ZodType).nullable()]),
  ) as never;
}

export const SourceField = z
  .object({
    name: z
      .string()
      .meta({ description: 'As conditions and expressions write it: a column, or Map.key' }),
    type: z.string().meta({ description: 'Type in the engine' }),
    kind: z.enum(['column', 'attribute']),
    values: z.array(z.string()).meta({ description: 'Some values that occur' }),
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
  tag: 'Sources',
  scope: 'sources:write',
  params: NoParams,
  query: NoQuery,
  body: SourceInput,
  result: Source,
  example: sourceExample,
});
export const getSource = operation({
  name: 'getSource',
  summary: 'Get a data source',
  tag: 'Sources',
  scope: 'stack:read',
  params: IdParams,
  query: NoQuery,
  body: NoBody,
  result: Source,
  faults: ['not_found'],
});
export const updateSource = operation({
  name: 'updateSource',
  summary: 'Change a data source',
  tag: 'Sources',
  scope: 'sources:write',
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
  description: 'Refused while a dashboard or saved search uses it.',
  tag: 'Sources',
  scope: 'sources:write',
  params: IdParams,
  query: NoQuery,
  body: NoBody,
  result: z.undefined(),
  faults: ['not_found', 'conflict'],
});
export const listSourceFields = operation({
  name: 'listSourceFields',
  summary: 'Columns and attribute keys of a source',
  description: 'With values that occur, for editors.',
  tag: 'Sources',
  scope: 'telemetry:query',
  params: IdParams,
  query: NoQuery,
  body: NoBody,
  result: z.array(SourceField),
  faults: ['not_found', 'timeout'],
});

export const listSources = operation({
  name: 'listSources',
  summary: 'List data sources',
  tag: 'Sources',
  scope: 'stack:read',
  params: NoParams,
  query: PageQuery,
  body: NoBody,
  result: z.array(Source),
});
