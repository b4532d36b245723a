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
import type { Mistake, SourceContracts } from './source-contract.ts';
import { exampleSource, kindsIn, sourceContracts, sourceSchemas } from './sources.ts';

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

/** A pipe as it is answered, created and changed, with sources of these kinds. */
export function pipeSchemas(contracts: SourceContracts) {
  const { PipeSource, PipeSourceInput, PipeSourceUpdate } = sourceSchemas(contracts);
  const Pipe = z
    .object({
      id: Uuid,
      serviceId: Uuid,
      name: z.string().meta({ description: 'Name of the pipe.' }),
      state: PipeState,
      stateMessage: z.string().optional().meta({
        description:
          'Reason for the state, and the action to take. Absent if there is nothing to report.',
      }),
      scaling: PipeScaling,
      source: PipeSource,
      destination: PipeDestination,
      fieldMappings: z.array(PipeFieldMapping).meta({
        description:
          'Mappings of record fields to columns. If empty, each column takes the field of its name.',
      }),
      settings: PipeSettings,
      createdAt: Timestamp,
      updatedAt: Timestamp,
    })
    .meta({ id: 'Pipe', example: pipeExample });
  const PipeCreateBody = z
    .object({
      name: Name.optional().meta({
        description: 'Name (1–255 characters). If absent, the server derives one from the source.',
      }),
      source: PipeSourceInput,
      destination: PipeDestinationInput.optional(),
      fieldMappings: PipeFieldMappings.optional().meta({
        description:
          'Mappings of record fields to columns (at most 1000). If absent, each column takes the field of its name.',
      }),
      scaling: PipeScalingInput.optional(),
      settings: PipeSettingsInput.optional(),
    })
    .superRefine((created, context) => {
      for (const [path, message] of createMistakes(contracts, created)) {
        context.addIssue({ code: 'custom', path, message });
      }
    })
    .meta({ id: 'PipeCreateBody' });
  const PipeUpdateBody = z
    .object({
      name: Name.optional().meta({ description: 'Name (1–255 characters).' }),
      source: PipeSourceUpdate.optional(),
      destination: z
        .object({
          columns: PipeColumns.optional().meta({
            description: 'Columns that the pipe fills (1–1000).',
          }),
        })
        .optional()
        .meta({ description: 'Destination fields to change.' }),
      fieldMappings: PipeFieldMappings.optional().meta({
        description: 'Mappings of record fields to columns (at most 1000).',
      }),
      settings: PipeSettingsInput.optional(),
    })
    .meta({ id: 'PipeUpdateBody' });
  return { Pipe, PipeCreateBody, PipeUpdateBody };
}

const pipeExample = {
  id: '9b1c7e42-0f3d-4a86-8d5e-2c4f6a8b0d1e',
  serviceId: '3c6e0b8a-9c15-4d2e-b3f1-5a7d9e1f2c4b',
  name: 'Orders',
  state: 'Running',
  scaling: { replicas: 1, concurrency: 0, replicaCpuMillicores: 125, replicaMemoryGb: 0.5 },
  source: exampleSource.record,
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
};

type PipeSchemas = ReturnType<typeof pipeSchemas>;
export type Pipe = z.output<PipeSchemas['Pipe']>;
export type PipeCreateBody = z.output<PipeSchemas['PipeCreateBody']>;
export type PipeUpdateBody = z.output<PipeSchemas['PipeUpdateBody']>;

/** The stored, visible fields of a pipe without id, state and times. */
export type PipeDefinition = Pick<
  Pipe,
  'name' | 'scaling' | 'source' | 'destination' | 'fieldMappings' | 'settings'
>;

type CreateInput = Pick<PipeCreateBody, 'source' | 'destination' | 'fieldMappings'>;

function createMistakes(contracts: SourceContracts, created: CreateInput): Mistake[] {
  const [kind, ...others] = kindsIn(contracts, created.source);
  if (kind === undefined || others.length > 0) {
    return [];
  }
  const tablesField = contracts[kind]?.tablesField ?? null;
  return tablesField === null
    ? tableMistakes(kind, created)
    : ownTablesMistakes(kind, tablesField, created);
}

/** The source names its tables, so nothing else may. */
function ownTablesMistakes(
  kind: string,
  tablesField: string,
  { destination = {}, fieldMappings = [] }: CreateInput,
): Mistake[] {
  const refused = (['table', 'columns', 'tableDefinition', 'managedTable'] as const).filter(
    (name) => destination[name] !== undefined,
  );
  const mistakes = refused.map((name): Mistake => [
    ['destination', name],
    `cannot be combined with a ${kind} source: source.${kind}.${tablesField} defines its tables`,
  ]);
  if (fieldMappings.length > 0) {
    mistakes.push([['fieldMappings'], `cannot be combined with a ${kind} source`]);
  }
  return mistakes;
}

function tableMistakes(
  kind: string,
  { destination = {}, fieldMappings = [] }: CreateInput,
): Mistake[] {
  const missing = (['table', 'columns'] as const).filter((name) => destination[name] === undefined);
  const mistakes = missing.map((name): Mistake => [
    ['destination', name],
    `is required for a ${kind} source`,
  ]);
  return fieldMappings.length === 0 || destination.columns === undefined
    ? mistakes
    : [...mistakes, ...mappingMistakes(fieldMappings, destination.columns)];
}

export const PipeStateBody = z
  .object({
    command: z.enum(['start', 'stop', 'resync']).meta({
      description: '`start` starts the pipe, `stop` stops it, and `resync` reads its source again.',
    }),
  })
  .meta({ id: 'PipeStateBody' });

export const PipeMetrics = z
  .object({
    rows: z.number().meta({ description: 'Number of rows inserted since the pipe was created.' }),
    bytes: z
      .number()
      .meta({ description: 'Number of bytes of record data inserted since the pipe was created.' }),
    errors: z.number().meta({ description: 'Number of records in the error table.' }),
    batches: z.number().meta({ description: 'Number of inserts.' }),
    lag: z
      .number()
      .nullable()
      .meta({
        description:
          'Number of records not stored yet, as of the last measurement of each partition. ' +
          '`null` if the source does not report it.',
      }),
    retainedBytes: z
      .number()
      .nullable()
      .optional()
      .meta({
        description:
          'Bytes of log that the source retains for the pipe, as of the last measurement. ' +
          'Only for sources that measure their lag in bytes.',
      }),
    oldestUnprocessedAt: Timestamp.nullable().meta({
      description:
        'Time at which the source received the oldest record that is not stored yet. ' +
        'If that record was not read yet, the time of the record before it. ' +
        "If records carry no time, the time of the partition's last insert. " +
        '`null` if no record is waiting.',
    }),
    lastError: z
      .object({ message: z.string().meta({ description: 'Text of the error.' }), at: Timestamp })
      .nullable()
      .meta({ description: 'Last error of the pipe; `null` if there was none.' }),
    checkpoint: z
      .array(
        z.object({
          partition: z.string().meta({ description: 'Name of the partition.' }),
          position: z
            .string()
            .nullable()
            .meta({ description: 'Stored position; `null` if nothing is stored yet.' }),
          storedAt: Timestamp,
        }),
      )
      .meta({ description: 'Stored position of each partition.' }),
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
    partition: z.string().meta({ description: 'Partition of the record.' }),
    position: z.string().meta({ description: 'Position of the record in the partition.' }),
    reason: z.string().meta({ description: 'Reason why the record could not be stored.' }),
    raw: z.string().meta({ description: 'Original record. Invalid UTF-8 bytes are replaced.' }),
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
  object: { kind: 'pipe', id: 'pipeId' },
  query: NoQuery,
  params: PipeParams,
  body: NoBody,
  faults: ['not_found'],
} as const;
const write = {
  tag: 'Pipes',
  scope: 'pipes:write',
  object: { kind: 'pipe', id: 'pipeId' },
  query: NoQuery,
  params: PipeParams,
  faults: ['not_found', 'timeout'],
} as const;

export const deletePipe = operation({
  ...write,
  name: 'deletePipe',
  summary: 'Delete a pipe',
  body: NoBody,
  result: NoBody,
  description:
    'Stops the pipe and removes everything it created at the source. The destination table remains.',
});
export const getPipeSettings = operation({
  ...read,
  name: 'getPipeSettings',
  summary: 'Get the advanced settings of a pipe',
  description: 'Returns every setting, with defaults for those that were not set.',
  result: PipeSettings,
  versioned: true,
});
export const changePipeSettings = operation({
  ...write,
  name: 'changePipeSettings',
  summary: 'Update the advanced settings of a pipe',
  body: PipeSettingsInput,
  result: PipeSettings,
  versioned: true,
  description: 'Omitted settings keep their value; `null` restores the default.',
  example: { object_storage_max_file_count: 500, engine_max_threads: null },
});
export const getPipeMetrics = operation({
  ...read,
  name: 'getPipeMetrics',
  summary: 'Get the metrics of a pipe',
  description:
    'Returns rows, bytes, errors and lag of the pipe, and the stored position of every partition.',
  result: PipeMetrics,
});
export const listPipeErrors = operation({
  ...read,
  name: 'listPipeErrors',
  summary: 'List records that could not be stored, newest first',
  description: 'Returns the records that could not be stored, with the reason for each.',
  query: PageQuery,
  result: z.array(PipeError),
  faults: ['not_found', 'timeout'],
});

const createExample = {
  name: 'Orders',
  source: exampleSource.input,
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
};

/** The operations that show or change a source, with sources of these kinds. */
export function pipeOperations(contracts: SourceContracts) {
  const { Pipe, PipeCreateBody, PipeUpdateBody } = pipeSchemas(contracts);
  const listPipes = operation({
    ...read,
    name: 'listPipes',
    object: { kind: 'pipe' },
    summary: 'List pipes',
    description: 'Returns the pipes of the service with their state, in creation order.',
    params: NoParams,
    query: PageQuery,
    result: z.array(Pipe),
    faults: [],
  });
  const getPipe = operation({
    ...read,
    name: 'getPipe',
    summary: 'Get a pipe',
    description: 'Returns the pipe with its state. Credentials are never returned.',
    result: Pipe,
  });
  const createPipe = operation({
    ...write,
    name: 'createPipe',
    object: { kind: 'pipe' },
    summary: 'Create a pipe',
    params: NoParams,
    body: PipeCreateBody,
    result: Pipe,
    faults: ['timeout'],
    description:
      'Requires exactly one source. Credentials are stored encrypted and never returned. ' +
      'The pipe starts automatically; its state shows the result.',
    example: createExample,
  });
  const updatePipe = operation({
    ...write,
    name: 'updatePipe',
    summary: 'Update a pipe',
    body: PipeUpdateBody,
    result: Pipe,
    description:
      'Omitted fields keep their value. The server applies all changes or none. ' +
      'A running pipe continues from its position.',
    example: { settings: { streaming_max_insert_wait_ms: 1000 } },
  });
  const changePipeState = operation({
    ...write,
    name: 'changePipeState',
    summary: 'Start, stop or resync a pipe',
    description:
      '`start` starts a stopped or failed pipe, `stop` stops it and keeps its position, `resync` loads a PostgreSQL source again.',
    body: PipeStateBody,
    result: Pipe,
    example: { command: 'stop' },
  });
  const changePipeScaling = operation({
    ...write,
    name: 'changePipeScaling',
    summary: 'Update the scaling of a pipe',
    description:
      'Changes the fields in the request and restarts the readers of the pipe. The pipe keeps its position.',
    body: PipeScalingInput,
    result: Pipe,
    example: { replicas: 2 },
  });
  return { listPipes, getPipe, createPipe, updatePipe, changePipeState, changePipeScaling };
}

/** The operations of the API, with every kind of source. */
export const { listPipes, getPipe, createPipe, updatePipe, changePipeState, changePipeScaling } =
  pipeOperations(sourceContracts);
