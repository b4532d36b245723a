import { z } from 'zod';
import { AccessKeyCredentials, IamRole, Region } from './fields.ts';

export const CloudstreamIterator = z.enum(['TRIM_HORIZON', 'LATEST', 'AT_TIMESTAMP']);

const visible = {
  streamName: z
    .string()
    .regex(
      /^[A-Za-z0-9_.-]{1,128}$/,
      'must be a stream name: letters, digits, "_", "." and "-", at most 128 characters',
    ),
  region: Region,
  format: z.enum(['JSONEachRow', 'Avro']).optional(),
  useEnhancedFanOut: z.boolean().optional(),
  iteratorType: CloudstreamIterator.optional().meta({
    description:
      'Where a shard without a stored position begins; AT_TIMESTAMP where a timestamp is given, else TRIM_HORIZON',
  }),
  timestamp: z
    .number()
    .int('must be whole UNIX seconds')
    .min(0)
    .max(4_102_444_800, 'must be UNIX seconds, not milliseconds')
    .optional()
    .meta({ description: 'UNIX seconds' }),
  authentication: z.enum(['IAM_ROLE', 'IAM_USER']).optional(),
  iamRole: IamRole.optional(),
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

export const CloudstreamSource = z.object(visible).meta({ id: 'PipeCloudstreamSource' });
export type CloudstreamSource = z.output<typeof CloudstreamSource>;

export const CloudstreamSourceUpdate = z
  .object({ iamRole: visible.iamRole, accessKey: AccessKeyCredentials.optional() })
  .meta({ id: 'PipeCloudstreamSourceUpdate' });
export type CloudstreamSourceUpdate = z.output<typeof CloudstreamSourceUpdate>;

/** Rules between fields; also asked of a stored source after a PATCH. */
export function cloudstreamMistakes(
  source: Pick<
    CloudstreamSourceInput,
    'iteratorType' | 'timestamp' | 'authentication' | 'iamRole' | 'accessKey'
  >,
): [path: string[], message: string][] {
  const mistakes: [string[], string][] = [];
  if (source.iteratorType === 'AT_TIMESTAMP' && source.timestamp === undefined) {
    mistakes.push([['timestamp'], 'is required with iteratorType AT_TIMESTAMP']);
  }
  if (
    source.iteratorType !== undefined &&
    source.iteratorType !== 'AT_TIMESTAMP' &&
    source.timestamp !== undefined
  ) {
    mistakes.push([['timestamp'], `does not go with iteratorType ${source.iteratorType}`]);
  }
  if (source.authentication === 'IAM_ROLE' && source.iamRole === undefined) {
    mistakes.push([['iamRole'], 'is required with authentication IAM_ROLE']);
  }
  if (source.authentication === 'IAM_USER' && source.accessKey === undefined) {
    mistakes.push([['accessKey'], 'is required with authentication IAM_USER']);
  }
  return mistakes;
}
