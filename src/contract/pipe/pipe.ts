import { z } from 'zod';
import { NoBody, NoParams, NoQuery, PageQuery, Timestamp, Uuid } from '../common.ts';
import { operation } from '../operation.ts';
import {
  PipeColumns,
  PipeDestination,
  PipeDestinationInput,
  PipeFieldMapping,
  PipeFieldMappings,
} from './destination.ts';
import {
  ChosenPipeSettings,
  PipeScaling,
  PipeScalingInput,
  PipeSettings,
  PipeSettingsInput,
} from './settings.ts';
import { createOnly } from './create-only.ts';
import { createMistakes } from './create-mistakes.ts';
import { ListedPipeMetrics, PipeError, PipeMetrics, PipeMetricsQuery } from './pipe-reports.ts';
import type { SourceContracts } from './source-contract.ts';
import { exampleSource, sourceContracts, sourceSchemas } from './sources.ts';

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
    'Deleting',
  ])
  .meta({ id: 'PipeState' });
export type PipeState = z.output<typeof PipeState>;

const Name = z
  .string()
  .min(1, 'must have 1 to 255 characters')
  .max(255, 'must have 1 to 255 characters');

/** The schemas of a pipe in responses, creates and updates, with these kinds of source. */
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
      settings: ChosenPipeSettings,
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
          ...createOnly(PipeDestinationInput.shape, ['columns']),
        })
        .optional()
        .meta({ description: 'Destination fields to change.' }),
      fieldMappings: PipeFieldMappings.optional().meta({
        description: 'Mappings of record fields to columns (at most 1000).',
      }),
      settings: PipeSettingsInput.optional(),
      ...createOnly({ scaling: PipeScalingInput }, []),
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
  settings: { streaming_max_insert_wait_ms: 1000 },
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

export const PipeStateBody = z
  .object({
    command: z.enum(['start', 'stop', 'resync']).meta({
      description: '`start` starts the pipe, `stop` stops it, and `resync` reads its source again.',
    }),
  })
  .meta({ id: 'PipeStateBody' });

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
  query: z.object({
    force: z
      .enum(['true', 'false'])
      .optional()
      .meta({
        description:
          'If true, the server deletes the pipe immediately and leaves the objects that it created ' +
          'at the source (default false).',
      }),
  }),
  body: NoBody,
  result: NoBody,
  description:
    'Stops the pipe and removes everything it created at the source. The destination table remains. ' +
    'If the source does not respond, the response has a `message`. The server then keeps trying, ' +
    'and the pipe stays in the state `Deleting` until the source is clean.',
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
    'Returns rows, bytes, errors and lag of the pipe, and the stored position of every partition. ' +
    'With `from`, also returns these figures of each minute, which are kept for a day.',
  query: PipeMetricsQuery,
  result: PipeMetrics,
  faults: ['not_found', 'timeout'],
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

const CdcScaling = PipeScaling.pick({ replicaCpuMillicores: true, replicaMemoryGb: true }).meta({
  id: 'PipesCdcScaling',
  example: { replicaCpuMillicores: 1000, replicaMemoryGb: 4 },
});
const cdc = {
  tag: 'Pipes',
  object: { kind: 'pipe' },
  query: NoQuery,
  params: NoParams,
  result: CdcScaling,
} as const;

export const getCdcScaling = operation({
  ...cdc,
  scope: 'pipes:read',
  name: 'getCdcScaling',
  summary: 'Get the scaling of all pipes that replicate a database',
  description:
    'Returns the CPU share and the memory of one replica. If the pipes differ, returns the largest ' +
    'of each. 404 if the service has no such pipe.',
  body: NoBody,
  faults: ['not_found'],
});
export const changeCdcScaling = operation({
  ...cdc,
  scope: 'pipes:write',
  name: 'changeCdcScaling',
  summary: 'Update the scaling of all pipes that replicate a database',
  description:
    'Changes all such pipes of the service or none, and restarts their readers. The pipes keep their ' +
    'position. 404 if the service has no such pipe.',
  body: PipeScalingInput.pick({ replicaCpuMillicores: true, replicaMemoryGb: true }).meta({
    id: 'PipesCdcScalingInput',
  }),
  faults: ['not_found', 'conflict', 'timeout'],
  example: { replicaCpuMillicores: 1000, replicaMemoryGb: 4 },
});

const PipeListQuery = PageQuery.extend({
  metrics: z
    .enum(['true', 'false'])
    .default('false')
    .transform((text) => text === 'true')
    .meta({ description: 'Whether to return the metrics of each pipe.' }),
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
    description:
      'Returns the pipes of the service with their state, in creation order. ' +
      '`metrics=true` adds rows, bytes, errors and lag of each.',
    params: NoParams,
    query: PipeListQuery,
    result: z.array(
      Pipe.extend({ metrics: ListedPipeMetrics.optional() }).meta({
        id: 'ListedPipe',
        example: pipeExample,
      }),
    ),
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
    readOnly: ['id', 'serviceId', 'state', 'stateMessage', 'createdAt', 'updatedAt'],
    result: Pipe,
    description:
      'Omitted fields keep their value. The server applies all changes or none. ' +
      'A running pipe continues from its position. ' +
      'Fields that only a creation sets may be sent with their stored value.',
    example: { settings: { streaming_max_insert_wait_ms: 1000 } },
  });
  const changePipeState = operation({
    ...write,
    name: 'changePipeState',
    summary: 'Start, stop or resync a pipe',
    description:
      '`start` starts a stopped or failed pipe, `stop` stops it and keeps its position, ' +
      '`resync` loads a PostgreSQL source again.',
    body: PipeStateBody,
    result: Pipe,
    faults: ['not_found', 'conflict', 'timeout'],
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
