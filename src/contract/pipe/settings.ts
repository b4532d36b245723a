import { z } from 'zod';

const mebibyte = 1_048_576;
const gibibyte = 1_073_741_824;

interface WholeNumber {
  min: number;
  max: number;
  default: number;
  says: string;
}

/** Bounds, default and meaning of each numeric setting; the schemas, the answers and the reference all come from here. */
export const pipeSettingBounds = {
  streaming_max_insert_wait_ms: {
    min: 500,
    max: 60_000,
    default: 5_000,
    says: 'Streaming kinds: a record waits at most so long before it is inserted, in milliseconds',
  },
  object_storage_concurrency: {
    min: 1,
    max: 35,
    default: 1,
    says: 'Object batches loaded at the same time',
  },
  object_storage_polling_interval_ms: {
    min: 100,
    max: 3_600_000,
    default: 30_000,
    says: 'Continuous object pipes: time between two listings, in milliseconds',
  },
  object_storage_max_insert_bytes: {
    min: 10 * mebibyte,
    max: 50 * gibibyte,
    default: 10 * gibibyte,
    says: 'Bytes of objects in one insert',
  },
  object_storage_max_file_count: {
    min: 1,
    max: 10_000,
    default: 100,
    says: 'Objects in one insert',
  },
  engine_max_threads: {
    min: 0,
    max: 64,
    default: 0,
    says: 'Threads of one query on the engine; 0 lets the engine choose',
  },
  engine_max_insert_threads: { min: 0, max: 16, default: 1, says: 'Threads that write one insert' },
  engine_min_insert_block_size_bytes: {
    min: 0,
    max: 10 * gibibyte,
    default: gibibyte,
    says: 'The engine gathers blocks up to so many bytes before it writes',
  },
  engine_max_download_threads: {
    min: 0,
    max: 32,
    default: 4,
    says: 'Threads that download one object',
  },
  engine_parallel_distributed_insert_select: {
    min: 0,
    max: 2,
    default: 2,
    says: '0 no, 1 shards select for themselves, 2 shards select and insert for themselves',
  },
} as const satisfies Record<string, WholeNumber>;

/** The settings that are yes or no. */
export const pipeSettingSwitches = {
  object_storage_use_cluster_function: {
    default: true,
    says: 'Read objects with every node of a cluster, where there is one',
  },
  engine_parallel_view_processing: {
    default: false,
    says: 'Feed materialized views of the table in parallel',
  },
} as const;

type NumberName = keyof typeof pipeSettingBounds;
type SwitchName = keyof typeof pipeSettingSwitches;

/** Every setting with the value in force. */
export type PipeSettings = Record<NumberName, number> & Record<SwitchName, boolean>;
/** Settings as sent: absent keeps what is stored, null returns to the default. */
export type PipeSettingsInput = { [K in NumberName]?: number | null | undefined } & {
  [K in SwitchName]?: boolean | null | undefined;
};

const numberNames = Object.keys(pipeSettingBounds) as NumberName[];
const switchNames = Object.keys(pipeSettingSwitches) as SwitchName[];

function wholeNumber(name: NumberName): z.ZodNumber {
  const { min, max } = pipeSettingBounds[name];
  const range = `must be a whole number from ${min} to ${max}`;
  return z.number(range).refine(Number.isSafeInteger, range).min(min, range).max(max, range);
}

function shape(
  wrap: (schema: z.ZodType, value: { default: number | boolean; says: string }) => z.ZodType,
): Record<string, z.ZodType> {
  return Object.fromEntries([
    ...numberNames.map((name) => [name, wrap(wholeNumber(name), pipeSettingBounds[name])] as const),
    ...switchNames.map(
      (name) =>
        [name, wrap(z.boolean('must be true or false'), pipeSettingSwitches[name])] as const,
    ),
  ]);
}

export const PipeSettings = z
  .object(shape((schema, { says }) => schema.meta({ description: says })))
  .meta({ id: 'PipeSettings', example: defaultPipeSettings() }) as unknown as z.ZodType<
  PipeSettings,
  PipeSettings
>;
export const PipeSettingsInput = z
  .object(
    shape((schema, value) =>
      schema.nullish().meta({
        description: `${value.says}. Default ${String(value.default)}; null returns to it`,
      }),
    ),
  )
  .meta({ id: 'PipeSettingsInput' }) as unknown as z.ZodType<PipeSettingsInput, PipeSettingsInput>;

/** What is in force after `input` is laid over `stored` (the defaults, for a new pipe). */
export function mergePipeSettings(
  input: PipeSettingsInput,
  stored: PipeSettings = defaultPipeSettings(),
): PipeSettings {
  const fallback = defaultPipeSettings();
  const sent = Object.entries(input).filter(([, value]) => value !== undefined);
  return {
    ...stored,
    ...Object.fromEntries(
      sent.map(([name, value]) => [name, value ?? fallback[name as NumberName]]),
    ),
  };
}

export function defaultPipeSettings(): PipeSettings {
  return Object.fromEntries([
    ...numberNames.map((name) => [name, pipeSettingBounds[name].default] as const),
    ...switchNames.map((name) => [name, pipeSettingSwitches[name].default] as const),
  ]) as PipeSettings;
}

const amount = (min: number, max: number, text: string) =>
  z.number(text).min(min, text).max(max, text);
const scalingFields = {
  replicas: amount(1, 40, 'must be a whole number from 1 to 40')
    .refine(Number.isSafeInteger, 'must be a whole number from 1 to 40')
    .meta({ description: 'Readers that share the source' }),
  concurrency: amount(0, 35, 'must be a whole number from 0 to 35')
    .refine(Number.isSafeInteger, 'must be a whole number from 0 to 35')
    .meta({ description: 'Inserts at the same time in one replica; 0 is automatic' }),
  replicaCpuMillicores: amount(125, 2000, 'must be a whole number from 125 to 2000')
    .refine(Number.isSafeInteger, 'must be a whole number from 125 to 2000')
    .meta({ description: 'Share of processor of one replica, thousandths of a core' }),
  replicaMemoryGb: amount(0.5, 8, 'must be from 0.5 to 8').meta({
    description: 'Memory of one replica, gibibytes; bounds what it holds before it is inserted',
  }),
};

export const PipeScaling = z.object(scalingFields).meta({ id: 'PipeScaling' });
export type PipeScaling = z.infer<typeof PipeScaling>;
export const PipeScalingInput = PipeScaling.partial().meta({ id: 'PipeScalingInput' });
export type PipeScalingInput = z.infer<typeof PipeScalingInput>;

export const defaultPipeScaling: PipeScaling = {
  replicas: 1,
  concurrency: 0,
  replicaCpuMillicores: 125,
  replicaMemoryGb: 0.5,
};
