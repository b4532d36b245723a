import { z } from 'zod';
import { createOnly } from './create-only.ts';
import { AccessKeyCredentials, IamRole, Region } from './fields.ts';
import type { Mistake, SourceContract } from './source-contract.ts';

export const CloudstreamIterator = z.enum(['TRIM_HORIZON', 'LATEST', 'AT_TIMESTAMP']);

const visible = {
  streamName: z
    .string()
    .regex(
      /^[A-Za-z0-9_.-]{1,128}$/,
      'must be a stream name: letters, digits, "_", "." and "-", at most 128 characters',
    )
    .meta({ description: 'Name of the stream.' }),
  region: Region.meta({ description: 'Region of the stream, such as us-east-1.' }),
  format: z
    .enum(['JSONEachRow', 'Avro'])
    .optional()
    .meta({ description: 'Format of the records (default `JSONEachRow`).' }),
  useEnhancedFanOut: z.boolean().optional().meta({
    description: 'If true, read with a dedicated throughput per consumer (default false).',
  }),
  iteratorType: CloudstreamIterator.optional().meta({
    description:
      'Start position of a shard without a stored position. ' +
      'Default: `AT_TIMESTAMP` if `timestamp` is set, otherwise `TRIM_HORIZON`.',
  }),
  timestamp: z
    .number()
    .int('must be whole Unix seconds')
    .min(0)
    .max(4_102_444_800, 'must be Unix seconds, not milliseconds')
    .optional()
    .meta({ description: 'Start time in Unix seconds, for `AT_TIMESTAMP`.' }),
  authentication: z.enum(['IAM_ROLE', 'IAM_USER']).optional().meta({
    description:
      'Authentication method. `IAM_ROLE` requires `iamRole`, `IAM_USER` requires `accessKey`.',
  }),
  iamRole: IamRole.optional().meta({ description: 'ARN of the role to assume.' }),
};

export const CloudstreamSourceInput = z
  .object({ ...visible, accessKey: AccessKeyCredentials.optional() })
  .superRefine((source, context) => {
    for (const [path, message] of cloudstreamMistakes(source)) {
      context.addIssue({ code: 'custom', path, message });
    }
  })
  .meta({ id: 'PipeCloudstreamSourceInput' });
export type CloudstreamSourceInput = z.output<typeof CloudstreamSourceInput>;

const CloudstreamSourceDraft = z
  .object({
    ...CloudstreamSourceInput.shape,
    streamName: visible.streamName
      .optional()
      .transform((streamName = '') => streamName)
      .meta({ description: 'Name of the stream to check. If absent, no stream is checked.' }),
  })
  .meta({ id: 'PipeCloudstreamSourceDraft' });

export const CloudstreamSource = z.object(visible).meta({ id: 'PipeCloudstreamSource' });
export type CloudstreamSource = z.output<typeof CloudstreamSource>;

export const CloudstreamSourceUpdate = z
  .object({
    iamRole: visible.iamRole,
    accessKey: AccessKeyCredentials.optional(),
    ...createOnly(visible, ['iamRole']),
  })
  .meta({ id: 'PipeCloudstreamSourceUpdate' });
export type CloudstreamSourceUpdate = z.output<typeof CloudstreamSourceUpdate>;

function cloudstreamMistakes(
  source: Pick<
    CloudstreamSourceInput,
    'iteratorType' | 'timestamp' | 'authentication' | 'iamRole' | 'accessKey'
  >,
): Mistake[] {
  const mistakes: Mistake[] = [];
  if (source.iteratorType === 'AT_TIMESTAMP' && source.timestamp === undefined) {
    mistakes.push([['timestamp'], 'is required with iteratorType AT_TIMESTAMP']);
  }
  if (
    source.iteratorType !== undefined &&
    source.iteratorType !== 'AT_TIMESTAMP' &&
    source.timestamp !== undefined
  ) {
    mistakes.push([['timestamp'], `cannot be combined with iteratorType ${source.iteratorType}`]);
  }
  if (source.authentication === 'IAM_ROLE' && source.iamRole === undefined) {
    mistakes.push([['iamRole'], 'is required with authentication IAM_ROLE']);
  }
  if (source.authentication === 'IAM_USER' && source.accessKey === undefined) {
    mistakes.push([['accessKey'], 'is required with authentication IAM_USER']);
  }
  return mistakes;
}

export const cloudstreamContract = {
  input: CloudstreamSourceInput,
  draft: CloudstreamSourceDraft,
  record: CloudstreamSource,
  masks: {},
  update: CloudstreamSourceUpdate,
  virtualFields: ['_stream', '_shard', '_sequence_number', '_timestamp', '_key', '_raw_message'],
  tablesField: null,
  mistakes: cloudstreamMistakes,
} as const satisfies SourceContract<CloudstreamSourceInput>;
