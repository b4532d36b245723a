import { z } from 'zod';
import { NoBody, NoParams, NoQuery, PageQuery, Timestamp, Uuid } from '../common.ts';
import { operation } from '../operation.ts';
import {
  mappingMistakes,
  PipeColumns,
  PipeDestination,
  PipeDestinationInput,
  PipeFieldMapping,
  PipeFieldMappings,
} from './destination.ts';
import {
  defaultPipeSettings,
  PipeScaling,
  PipeScalingInput,
  PipeSettings,
  PipeSettingsInput,
} from './settings.ts';
import { PipeSource, PipeSourceInput, PipeSourceUpdate, sourceKinds } from './sources.ts';

export const PipeState = z
  .enum([
    'Provisioning',
    'Setup',
    'Snapshot',
    'Running',
    'Degraded',
    'Stopping',
    'Stopped',
    'Pausing',
    'Paused',
    'Completed',
    'Failed',
  ])
  .meta({ id: 'PipeState' });
export type PipeState = z.output<typeof PipeState>;

const Name = z
  .string()
  .min(1, 'must have 1 to 255 characters')
  .max(255, 'must have 1 to 255 characters');

export const Pipe = z
  .object({
    id: Uuid,
    serviceId: Uuid,
    name: z.string(),
    state: PipeState,
    stateMessage: z.string().optional().meta({
      description: 'Why it is in this state, and what to do; absent where there is nothing to say',
    }),
    scaling: PipeScaling,
    source: PipeSource,
    destination: PipeDestination,
    fieldMappings: z.array(PipeFieldMapping),
    settings: PipeSettings,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({
    id: 'Pipe',
    example: {
      id: '9b1c7e42-0f3d-4a86-8d5e-2c4f6a8b0d1e',
      serviceId: '3c6e0b8a-9c15-4d2e-b3f1-5a7d9e1f2c4b',
      name: 'Orders',
      state: 'Running',
      scaling: { replicas: 1, concurrency: 0, replicaCpuMillicores: 125, replicaMemoryGb: 0.5 },
      source: {
        kafka: {
          brokers: 'broker-1.example.com:9092',
          topics: 'orders',
          format: 'JSONEachRow',
          authentication: 'SCRAM-SHA-256',
        },
      },
      destination: {
        database: 'default',
        table: 'orders',
        managedTable: true,
        columns: [
          { name: 'id', type: 'UInt64' },
          { name: 'amount', type: 'Decimal(18, 2)' },
        ],
      },
      fieldMappings: [],
      settings: defaultPipeSettings(),
      createdAt: '2026-03-14T09:26:53.589Z',
      updatedAt: '2026-03-14T09:26:53.589Z',
    },
  });
export type Pipe = z.output<typeof Pipe>;

/** Everything about a pipe that is stored and may be seen, without id, state and times. */
export type PipeDefinition = Pick<
  Pipe,
  'name' | 'scaling' | 'source' | 'destination' | 'fieldMappings' | 'settings'
>;

export const PipeCreateBody = z
  .object({
    name: Name.optional().meta({ description: 'Made up from the source where absent' }),
    source: PipeSourceInput,
    destination: PipeDestinationInput.optional(),
    fieldMappings: PipeFieldMappings.optional(),
    scaling: PipeScalingInput.optional(),
    settings: PipeSettingsInput.optional(),
  })
  .superRefine((body, context) => {
    for (const [path, message] of createMistakes(body)) {
      context.addIssue({ code: 'custom', path, message });
    }
  })
  .meta({ id: 'PipeCreateBody' });
export type PipeCreateBody = z.output<typeof PipeCreateBody>;

type Mistake = [path: (string | number)[], message: string];

function createMistakes({
  source,
  destination = {},
  fieldMappings,
}: Pick<PipeCreateBody, 'source' | 'destination' | 'fieldMappings'>): Mistake[] {
  const kinds = sourceKinds.filter((kind) => source[kind] !== undefined);
  if (kinds.length !== 1) {
    return [];
  }
  if (kinds[0] === 'postgres') {
    const refused = (['table', 'columns', 'tableDefinition', 'managedTable'] as const).filter(
      (name) => destination[name] !== undefined,
    );
    const mistakes = refused.map((name): Mistake => [
      ['destination', name],
      'does not go with a postgres source: its tables follow tableMappings',
    ]);
    return fieldMappings === undefined || fieldMappings.length === 0
      ? mistakes
      : [...mistakes, [['fieldMappings'], 'does not go with a postgres source']];
  }
  const missing = (['table', 'columns'] as const).filter((name) => destination[name] === undefined);
  const mistakes = missing.map((name): Mistake => [
    ['destination', name],
    `is required for a ${kinds[0]!} source`,
  ]);
  return fieldMappings === undefined ||
    fieldMappings.length === 0 ||
    destination.columns === undefined
    ? mistakes
    : [...mistakes, ...mappingMistakes(fieldMappings, destination.columns)];
}

export const PipeUpdateBody = z
  .object({
    name: Name.optional(),
    source: PipeSourceUpdate.optional(),
    destination: z.object({ columns: PipeColumns.optional() }).optional(),
    fieldMappings: PipeFieldMappings.optional(),
    settings: PipeSettingsInput.optional(),
  })
  .meta({ id: 'PipeUpdateBody' });
export type PipeUpdateBody = z.output<typeof PipeUpdateBody>;

export const PipeStateBody = z
  .object({ command: z.enum(['start', 'stop', 'resync']) })
  .meta({ id: 'PipeStateBody' });

export const PipeMetrics = z
  .object({
    rows: z.number().meta({ description: 'Rows inserted since the pipe was made' }),
    bytes: z.number().meta({ description: 'Bytes of record data inserted since then' }),
    errors: z.number().meta({ description: 'Records in the error table' }),
    batches: z.number().meta({ description: 'Inserts' }),
    lag: z.number().nullable().meta({
      description:
        'Records not yet stored, as of the last look at each partition; null where the source does not say',
    }),
    retainedBytes: z.number().nullable().optional().meta({
      description: 'postgres: bytes of log that the server keeps for the pipe, as of its last look',
    }),
    oldestUnprocessedAt: Timestamp.nullable().meta({
      description:
        'When the source got the oldest record that is not stored; where that one was not read yet, the one before it; where records have no time, when the partition was last stored. Null where nothing waits',
    }),
    lastError: z.object({ message: z.string(), at: Timestamp }).nullable(),
    checkpoint: z.array(
      z.object({ partition: z.string(), position: z.string().nullable(), storedAt: Timestamp }),
    ),
  })
  .meta({
    id: 'PipeMetrics',
    example: {
      rows: 1_204_512,
      bytes: 184_290_336,
      errors: 2,
      batches: 241,
      lag: 0,
      oldestUnprocessedAt: null,
      lastError: { message: 'amount: not a Decimal(18, 2)', at: '2026-03-14T09:26:53.589Z' },
      checkpoint: [
        { partition: 'orders/0', position: '1204513', storedAt: '2026-03-14T09:30:05.000Z' },
      ],
    },
  });
export type PipeMetrics = z.output<typeof PipeMetrics>;

export const PipeError = z
  .object({
    at: Timestamp,
    partition: z.string(),
    position: z.string(),
    reason: z.string(),
    raw: z
      .string()
      .meta({ description: 'The record as it came; bytes that are no UTF-8 are replaced' }),
  })
  .meta({
    id: 'PipeError',
    example: {
      at: '2026-03-14T09:26:53.589Z',
      partition: 'orders/0',
      position: '81920',
      reason: 'amount: not a Decimal(18, 2)',
      raw: '{"id":7,"amount":"much"}',
    },
  });
export type PipeError = z.output<typeof PipeError>;

const PipeParams = z.object({ pipeId: Uuid });
const read = {
  tag: 'Pipes',
  scope: 'pipes:read',
  query: NoQuery,
  params: PipeParams,
  body: NoBody,
  faults: ['not_found'],
} as const;
const write = {
  tag: 'Pipes',
  scope: 'pipes:write',
  query: NoQuery,
  params: PipeParams,
  faults: ['not_found', 'timeout'],
} as const;

export const listPipes = operation({
  ...read,
  name: 'listPipes',
  summary: 'List pipes',
  params: NoParams,
  query: PageQuery,
  result: z.array(Pipe),
  faults: [],
});
export const getPipe = operation({ ...read, name: 'getPipe', summary: 'Get a pipe', result: Pipe });
export const createPipe = operation({
  ...write,
  name: 'createPipe',
  summary: 'Create a pipe',
  params: NoParams,
  body: PipeCreateBody,
  result: Pipe,
  faults: ['timeout'],
  description:
    'Exactly one source. Credentials are sealed and never shown again. The pipe starts by itself; its state tells how that went.',
  example: {
    name: 'Orders',
    source: {
      kafka: {
        brokers: 'broker-1.example.com:9092',
        topics: 'orders',
        format: 'JSONEachRow',
        credentials: { username: 'reader', password: 'secret' },
        authentication: 'SCRAM-SHA-256',
      },
    },
    destination: {
      database: 'default',
      table: 'orders',
      managedTable: true,
      tableDefinition: { engine: { type: 'MergeTree' }, sortingKey: ['id'] },
      columns: [
        { name: 'id', type: 'UInt64' },
        { name: 'amount', type: 'Decimal(18, 2)' },
      ],
    },
  },
});
export const updatePipe = operation({
  ...write,
  name: 'updatePipe',
  summary: 'Update a pipe',
  body: PipeUpdateBody,
  result: Pipe,
  description:
    'What is left out stays. All of it is applied or nothing; a running pipe goes on from its position.',
  example: { settings: { streaming_max_insert_wait_ms: 1000 } },
});
export const deletePipe = operation({
  ...write,
  name: 'deletePipe',
  summary: 'Delete a pipe',
  body: NoBody,
  result: NoBody,
  description: 'It stops, and what it made at the source is removed. Its table stays.',
});
export const changePipeState = operation({
  ...write,
  name: 'changePipeState',
  summary: 'Start, stop or resync a pipe',
  body: PipeStateBody,
  result: Pipe,
  example: { command: 'stop' },
});
export const changePipeScaling = operation({
  ...write,
  name: 'changePipeScaling',
  summary: 'Change the scaling of a pipe',
  body: PipeScalingInput,
  result: Pipe,
  example: { replicas: 2 },
});
export const getPipeSettings = operation({
  ...read,
  name: 'getPipeSettings',
  summary: 'Get the advanced settings of a pipe',
  result: PipeSettings,
  versioned: true,
});
export const changePipeSettings = operation({
  ...write,
  name: 'changePipeSettings',
  summary: 'Change advanced settings of a pipe',
  body: PipeSettingsInput,
  result: PipeSettings,
  versioned: true,
  description: 'What is left out stays; null returns to the default.',
  example: { object_storage_max_file_count: 500, engine_max_threads: null },
});
export const getPipeMetrics = operation({
  ...read,
  name: 'getPipeMetrics',
  summary: 'Get the metrics of a pipe',
  result: PipeMetrics,
});
export const listPipeErrors = operation({
  ...read,
  name: 'listPipeErrors',
  summary: 'List records that could not be stored, newest first',
  query: PageQuery,
  result: z.array(PipeError),
  faults: ['not_found', 'timeout'],
});
