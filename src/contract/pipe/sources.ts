import { z } from 'zod';
import {
  CloudstreamSource,
  CloudstreamSourceInput,
  CloudstreamSourceUpdate,
} from './cloudstream.ts';
import { KafkaSource, KafkaSourceInput, KafkaSourceUpdate } from './kafka.ts';
import {
  ObjectStorageSource,
  ObjectStorageSourceInput,
  ObjectStorageSourceUpdate,
} from './object-storage.ts';
import { PostgresSource, PostgresSourceInput, PostgresSourceUpdate } from './postgres.ts';

export const sourceKinds = ['kafka', 'objectStorage', 'cloudstream', 'postgres'] as const;
export type SourceKindName = (typeof sourceKinds)[number];

/** What each source kind is sent as, answered as and changed with. A new kind is one entry of each, or the compiler complains. */
const inputs = {
  kafka: KafkaSourceInput,
  objectStorage: ObjectStorageSourceInput,
  cloudstream: CloudstreamSourceInput,
  postgres: PostgresSourceInput,
} as const satisfies Record<SourceKindName, z.ZodType>;
const records = {
  kafka: KafkaSource,
  objectStorage: ObjectStorageSource,
  cloudstream: CloudstreamSource,
  postgres: PostgresSource,
} as const satisfies Record<SourceKindName, z.ZodType>;
const updates = {
  kafka: KafkaSourceUpdate,
  objectStorage: ObjectStorageSourceUpdate,
  cloudstream: CloudstreamSourceUpdate,
  postgres: PostgresSourceUpdate,
} as const satisfies Record<SourceKindName, z.ZodType>;

const ValidateSamples = z.boolean().optional().meta({
  description:
    'Connect, read up to 10 records and check that they map and cast, before anything is stored',
  writeOnly: true,
});

export const PipeSourceInput = z
  .object({
    kafka: inputs.kafka.optional(),
    objectStorage: inputs.objectStorage.optional(),
    cloudstream: inputs.cloudstream.optional(),
    postgres: inputs.postgres.optional(),
    validateSamples: ValidateSamples,
  })
  .superRefine((source, context) => {
    const given = sourceKinds.filter((kind) => source[kind] !== undefined);
    if (given.length !== 1) {
      context.addIssue({
        code: 'custom',
        message: `must have exactly one of ${sourceKinds.join(', ')}${given.length === 0 ? '' : `; it has ${given.join(' and ')}`}`,
      });
    }
  })
  .meta({ id: 'PipeSourceInput' });
export type PipeSourceInput = z.output<typeof PipeSourceInput>;

export const PipeSource = z
  .object({
    kafka: records.kafka.optional(),
    objectStorage: records.objectStorage.optional(),
    cloudstream: records.cloudstream.optional(),
    postgres: records.postgres.optional(),
  })
  .meta({ id: 'PipeSource' });
export type PipeSource = z.output<typeof PipeSource>;

export const PipeSourceUpdate = z
  .object({
    kafka: updates.kafka.optional(),
    objectStorage: updates.objectStorage.optional(),
    cloudstream: updates.cloudstream.optional(),
    postgres: updates.postgres.optional(),
    validateSamples: ValidateSamples,
  })
  .meta({ id: 'PipeSourceUpdate' });
export type PipeSourceUpdate = z.output<typeof PipeSourceUpdate>;

/** One source with everything that was sent, secrets included: what a connector is made from. */
export type SourceConfiguration = {
  [K in SourceKindName]: { kind: K; settings: z.output<(typeof inputs)[K]> };
}[SourceKindName];

/** The one source that is there. */
export function sourceKindOf(
  source: Pick<PipeSourceInput, SourceKindName> | PipeSource,
): SourceKindName {
  const kind = sourceKinds.find((name) => source[name] !== undefined);
  if (kind === undefined) {
    throw new TypeError('a pipe has exactly one source');
  }
  return kind;
}
