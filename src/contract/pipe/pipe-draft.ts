import { z } from 'zod';
import { NoParams, NoQuery, Timestamp, Uuid } from '../common.ts';
import { operation } from '../operation.ts';
import { PipeColumn, PipeFieldMapping } from './destination.ts';
import type { SourceContracts } from './source-contract.ts';
import { exampleSource, sourceContracts, sourceSchemas } from './sources.ts';

export const PipeCheckStep = z.enum(['connect', 'find', 'read', 'registry', 'replicate']).meta({
  id: 'PipeCheckStep',
  description:
    '`connect`: reach the source, encrypt the connection and log in. ' +
    '`find`: find the topics, tables, stream or objects. `read`: read from them. ' +
    '`registry`: reach the schema registry. `replicate`: replicate changes of a database.',
});
export type PipeCheckStep = z.output<typeof PipeCheckStep>;

export const SourceProblemReason = z
  .enum([
    'host_not_found',
    'address_refused',
    'connection_failed',
    'timed_out',
    'tls_refused',
    'login_refused',
    'not_permitted',
    'not_found',
    'nothing_found',
    'replication_refused',
    'unsupported',
    'unreadable',
  ])
  .meta({
    id: 'PipeSourceProblemReason',
    description:
      '`address_refused`: this server must not connect to the address. ' +
      '`not_permitted`: the login lacks a privilege. ' +
      '`nothing_found`: no object matches the pattern. ' +
      '`replication_refused`: the database cannot replicate changes of these tables to this login. ' +
      '`unsupported`: pipes do not support the settings, the version of the source or the format. ' +
      '`unreadable`: the data cannot be read.',
  });
export type SourceProblemReason = z.output<typeof SourceProblemReason>;

const PipeSourceIssue = z
  .object({
    path: z.string().meta({ description: 'Field of the request at fault.' }),
    reason: SourceProblemReason,
    message: z.string().meta({ description: 'What failed, and the action to take.' }),
  })
  .meta({ id: 'PipeSourceIssue' });
export type PipeSourceIssue = z.output<typeof PipeSourceIssue>;

const verdict = {
  ok: z.boolean().meta({ description: 'True if nothing failed.' }),
  issues: z.array(PipeSourceIssue).meta({ description: 'What failed. Empty if `ok` is true.' }),
};
const issueExample = {
  path: 'source.kafka.credentials',
  reason: 'login_refused',
  message:
    'the broker rejected the credentials (SCRAM-SHA-256). Check the user name and password in credentials.',
} as const;

export const PipeCheck = z
  .object({
    ...verdict,
    steps: z
      .array(
        z.object({
          step: PipeCheckStep,
          ok: z.boolean().meta({ description: 'False for the step that failed.' }),
        }),
      )
      .meta({ description: 'Steps in order, up to the one that failed.' }),
  })
  .meta({
    id: 'PipeCheck',
    example: { ok: false, steps: [{ step: 'connect', ok: false }], issues: [issueExample] },
  });
export type PipeCheck = z.output<typeof PipeCheck>;

export const PipeSourceItem = z
  .object({
    id: z.string().meta({ description: 'Name of the item. Send it as `item` to see records.' }),
    partitions: z.int().optional().meta({ description: 'Number of partitions of a topic.' }),
    bytes: z.number().optional().meta({ description: 'Size of an object, in bytes.' }),
    modifiedAt: Timestamp.optional().meta({ description: 'Time of the last change of an object.' }),
    columns: z
      .array(
        z.object({
          name: z.string().meta({ description: 'Name of the column.' }),
          sourceType: z.string().meta({ description: 'Type in the source database.' }),
          type: z.string().meta({ description: 'ClickHouse type of the column in the target.' }),
          isNullable: z.boolean().meta({ description: 'Whether the column can be NULL.' }),
        }),
      )
      .optional()
      .meta({ description: 'Columns of a table that a pipe replicates.' }),
    primaryKey: z
      .array(z.string())
      .optional()
      .meta({ description: 'Columns of the primary key of a table. Empty if it has none.' }),
    problem: z.string().optional().meta({
      description: 'Why a pipe with these settings cannot read the item, and the action to take.',
    }),
  })
  .meta({ id: 'PipeSourceItem' });
export type PipeSourceItem = z.output<typeof PipeSourceItem>;

export const PipeSampleRecord = z
  .object({
    position: z.string().meta({ description: 'Place of the record in the item.' }),
    data: z.string().meta({
      description: 'JSON text of the record, or the text of a record that cannot be decoded.',
    }),
    isCut: z.boolean().meta({ description: 'Whether `data` is only the beginning of the text.' }),
    problem: z.string().optional().meta({ description: 'Why the record cannot be decoded.' }),
  })
  .meta({ id: 'PipeSampleRecord' });
export type PipeSampleRecord = z.output<typeof PipeSampleRecord>;

function proposalSchema(PipeSourceProposal: z.ZodType) {
  return z
    .object({
      source: PipeSourceProposal.meta({
        description: 'Fields of the source that make a pipe read the item.',
      }),
      destination: z
        .object({
          table: z.string().meta({ description: 'Name for the table.' }),
          columns: z.array(PipeColumn).meta({ description: 'Columns for the fields seen.' }),
        })
        .optional()
        .meta({ description: 'Absent for a database: its tables define the columns.' }),
      fieldMappings: z.array(PipeFieldMapping).meta({
        description:
          'Mappings of record fields to columns. Empty if each column takes the field of its name.',
      }),
    })
    .meta({
      id: 'PipeProposal',
      description:
        'Parts of the body that creates a pipe for the item. Add them to the fields of the draft. ' +
        'Absent if the sample has no record with fields.',
    });
}

const discoveryExample = {
  ok: true,
  issues: [],
  kind: 'topics',
  items: [{ id: 'orders', partitions: 3 }],
  hasMore: false,
  records: [{ position: 'orders/0 81920', data: '{"id":7,"amount":"9.90"}', isCut: false }],
  proposal: {
    source: { kafka: { topics: 'orders' } },
    destination: {
      table: 'orders',
      columns: [
        { name: 'id', type: 'Int64' },
        { name: 'amount', type: 'Decimal(38, 2)' },
      ],
    },
    fieldMappings: [],
  },
};

const draftOperation = {
  tag: 'Pipes',
  scope: 'pipes:write',
  object: { kind: 'pipe' },
  params: NoParams,
  query: NoQuery,
  faults: ['not_found', 'timeout'],
  unkept: true,
} as const;

/** The operations on a source that no pipe may have yet, with sources of these kinds. */
export function pipeDraftOperations(contracts: SourceContracts) {
  const { PipeSourceDraft, PipeSourceProposal } = sourceSchemas(contracts);
  const draft = {
    pipeId: Uuid.optional().meta({
      description:
        'Id of a pipe whose stored credentials replace omitted ones. ' +
        'They are used only for the hosts of that pipe.',
    }),
    source: PipeSourceDraft,
  };
  const PipeDiscovery = z
    .object({
      ...verdict,
      kind: z
        .enum(['topics', 'tables', 'objects', 'streams'])
        .optional()
        .meta({ description: 'Kind of the items. Absent if the source could not be read.' }),
      items: z
        .array(PipeSourceItem)
        .meta({ description: 'Items of the source, by name. With `item`, only that one.' }),
      hasMore: z.boolean().meta({ description: 'Whether the source has more items.' }),
      records: z
        .array(PipeSampleRecord)
        .optional()
        .meta({ description: 'Records of the item (at most 10). Only with `item`.' }),
      proposal: proposalSchema(PipeSourceProposal).optional(),
    })
    .meta({ id: 'PipeDiscovery', example: discoveryExample });
  const checkPipe = operation({
    ...draftOperation,
    name: 'checkPipe',
    summary: 'Check the source of a pipe without creating it',
    description:
      'Connects to the source for at most 8 seconds and tries each step of a pipe. A source that ' +
      'does not work is a response with `ok: false` that names the step, the field and the reason. ' +
      'Nothing is stored or created, here or at the source. ' +
      'A service runs at most 3 of these requests at a time.',
    body: z.object(draft).meta({ id: 'PipeCheckBody' }),
    result: PipeCheck,
    example: { source: exampleSource.input },
  });
  const discoverPipe = operation({
    ...draftOperation,
    name: 'discoverPipe',
    summary: 'List what a source offers, or show records of one item',
    description:
      'Lists the topics, tables, objects or streams of a source. With `item`, returns up to 10 ' +
      'records of that item instead and proposes columns for them. The limits are those of a check. ' +
      'Nothing is stored or created, here or at the source.',
    body: z
      .object({
        ...draft,
        item: z
          .string()
          .min(1, 'must not be empty')
          .max(4096, 'must have at most 4096 characters')
          .optional()
          .meta({ description: '`id` of the item to show records of.' }),
      })
      .meta({ id: 'PipeDiscoverBody' }),
    result: PipeDiscovery,
    example: { source: exampleSource.input, item: 'orders' },
  });
  return { checkPipe, discoverPipe };
}

export const { checkPipe, discoverPipe } = pipeDraftOperations(sourceContracts);
export type PipeDiscovery = z.input<typeof discoverPipe.result>;
