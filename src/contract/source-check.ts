import { z } from 'zod';
import { NoBody, NoParams, NoQuery } from './common.ts';
import { operation } from './operation.ts';
import { SearchResult } from './query/search.ts';
import { MetricDataType, SourceInput, SourceKind } from './source.ts';

const TableColumn = z
  .object({
    name: z.string().meta({ description: 'Name of the column.' }),
    type: z.string().meta({ description: 'ClickHouse type.' }),
  })
  .meta({ id: 'TableColumn' });

export const TelemetryTable = z
  .object({
    databaseName: z.string().meta({ description: 'Database of the table.' }),
    tableName: z.string().meta({ description: 'Name of the table.' }),
    kind: z.enum(['table', 'view']).meta({ description: '`view` includes materialized views.' }),
    columns: z.array(TableColumn).meta({ description: 'Columns in the order of the table.' }),
    sourceKinds: z.array(SourceKind).meta({
      description:
        'Kinds of source that the columns fit, the best one first. Empty if there is no time.',
    }),
    metricDataType: MetricDataType.optional().meta({
      description: 'Metric type that the columns fit; only for tables of metrics.',
    }),
  })
  .meta({
    id: 'TelemetryTable',
    example: {
      databaseName: 'telemetry',
      tableName: 'otel_logs',
      kind: 'table',
      columns: [
        { name: 'Timestamp', type: 'DateTime64(9)' },
        { name: 'Body', type: 'String' },
      ],
      sourceKinds: ['log'],
    },
  });
export type TelemetryTable = z.output<typeof TelemetryTable>;

export const listSourceTables = operation({
  name: 'listSourceTables',
  summary: 'List the tables that a source can read',
  tag: 'Sources',
  scope: 'telemetry:query',
  object: { kind: 'source' },
  description:
    'Returns the tables and views of the telemetry database of the team, by name, with their columns.',
  params: NoParams,
  query: NoQuery,
  body: NoBody,
  result: z.array(TelemetryTable),
  faults: ['timeout'],
});

export const SourceCheck = z
  .object({
    columns: SearchResult.shape.columns,
    rows: SearchResult.shape.rows.meta({
      description: 'The newest rows (at most 5), as a search returns them.',
    }),
  })
  .meta({
    id: 'SourceCheck',
    example: {
      columns: [{ name: 'Body', type: 'String' }],
      rows: [{ _id: '1767225612345678900-8993a009869b81274a7202843b2e9445', Body: 'started' }],
    },
  });
export type SourceCheck = z.output<typeof SourceCheck>;

export const checkSource = operation({
  name: 'checkSource',
  summary: 'Check a source without saving it',
  tag: 'Sources',
  scope: 'telemetry:query',
  object: { kind: 'source' },
  description:
    'Checks that the tables exist and have the columns of every expression, and returns the newest ' +
    'rows. Mistakes are a 400 that names each field. Nothing is stored.',
  params: NoParams,
  query: NoQuery,
  body: SourceInput,
  result: SourceCheck,
  faults: ['timeout'],
  example: {
    kind: 'log',
    name: 'Audit log',
    from: { databaseName: 'telemetry', tableName: 'otel_logs' },
    timestampValueExpression: 'Timestamp',
    bodyExpression: 'Body',
  },
});
