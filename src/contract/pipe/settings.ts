import { z } from 'zod';

const mebibyte = 1_048_576;
const gibibyte = 1_073_741_824;

interface WholeNumber {
  min: number;
  max: number;
  default: number;
  says: string;
}

/**
 * Bounds, default and meaning of each numeric setting. Schemas, responses and reference use this
 * table.
 */
export const pipeSettingBounds = {
  streaming_max_insert_wait_ms: {
    min: 500,
    max: 60_000,
    default: 5_000,
    says: 'Streaming sources: maximum time a record waits before the pipe inserts it, in milliseconds (500–60000)',
  },
  object_storage_concurrency: {
    min: 1,
    max: 35,
    default: 1,
    says: 'Number of object batches loaded in parallel (1–35)',
  },
  object_storage_polling_interval_ms: {
    min: 100,
    max: 3_600_000,
    default: 30_000,
    says: 'Continuous object storage pipes: time between two listings, in milliseconds (100–3600000)',
  },
  object_storage_max_insert_bytes: {
    min: 10 * mebibyte,
    max: 50 * gibibyte,
    default: 10 * gibibyte,
    says: 'Maximum total size of the objects in one insert, in bytes (10 MiB–50 GiB)',
  },
  object_storage_max_file_count: {
    min: 1,
    max: 10_000,
    default: 100,
    says: 'Maximum number of objects in one insert (1–10000)',
  },
  engine_max_threads: {
    min: 0,
    max: 64,
    default: 0,
    says: 'Maximum number of engine threads for one query (0–64); 0 chooses by the number of processors',
  },
  engine_max_insert_threads: {
    min: 0,
    max: 16,
    default: 1,
    says: 'Number of engine threads that write one insert (0–16)',
  },
  engine_min_insert_block_size_bytes: {
    min: 0,
    max: 10 * gibibyte,
    default: gibibyte,
    says: 'Size up to which the engine collects blocks before it writes them, in bytes (0–10 GiB)',
  },
  engine_max_download_threads: {
    min: 0,
    max: 32,
    default: 4,
    says: 'Number of threads that download one object (0–32)',
  },
  engine_parallel_distributed_insert_select: {
    min: 0,
    max: 2,
    default: 2,
    says:
      'Distributed INSERT SELECT: 0 disables it, 1 runs SELECT on each shard, ' +
      '2 runs SELECT and INSERT on each shard',
  },
} as const satisfies Record<string, WholeNumber>;

/** The boolean settings. */
export const pipeSettingSwitches = {
  object_storage_use_cluster_function: {
    default: true,
    says: 'Read objects with all nodes of the cluster, if the engine is a cluster',
  },
  engine_parallel_view_processing: {
    default: false,
    says: 'Process materialized views of the table in parallel',
  },
} as const;

type NumberName = keyof typeof pipeSettingBounds;
type SwitchName = keyof typeof pipeSettingSwitches;

/** Every setting with its effective value. */
export type PipeSettings = Record<NumberName, number> & Record<SwitchName, boolean>;
/** The settings that the caller has set. */
export type ChosenPipeSettings = Partial<PipeSettings>;
/** Settings as sent: absent keeps the stored value, null restores the default. */
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
): Record<NumberName | SwitchName, z.ZodType> {
  return Object.fromEntries([
    ...numberNames.map((name) => [name, wrap(wholeNumber(name), pipeSettingBounds[name])] as const),
    ...switchNames.map(
      (name) =>
        [name, wrap(z.boolean('must be true or false'), pipeSettingSwitches[name])] as const,
    ),
  ]) as Record<NumberName | SwitchName, z.ZodType>;
}

export const PipeSettings = z
  .object(shape((schema, { says }) => schema.meta({ description: `${says}.` })))
  .meta({ id: 'PipeSettings', example: defaultPipeSettings() }) as z.ZodType<
  PipeSettings,
  PipeSettings
>;
export const ChosenPipeSettings = z
  .object(
    shape((schema, value) =>
      schema.optional().meta({
        description: `${value.says}. Absent: the default, ${String(value.default)}.`,
      }),
    ),
  )
  .meta({ id: 'ChosenPipeSettings' }) as z.ZodType<ChosenPipeSettings, ChosenPipeSettings>;
export const PipeSettingsInput = z
  .object(
    shape((schema, value) =>
      schema.nullish().meta({
        description: `${value.says}. Default ${String(value.default)}; null restores it.`,
      }),
    ),
  )
  .meta({ id: 'PipeSettingsInput' }) as z.ZodType<PipeSettingsInput, PipeSettingsInput>;

/** The chosen settings after `input` is applied to `stored`; null removes a choice. */
export function mergePipeSettings(
  input: PipeSettingsInput,
  stored: ChosenPipeSettings = {},
): ChosenPipeSettings {
  const sent = Object.entries(input).filter(([, value]) => value !== undefined);
  const merged = Object.entries({ ...stored, ...Object.fromEntries(sent) });
  return Object.fromEntries(merged.filter(([, value]) => value !== null));
}

/** Every setting: the chosen ones, and the defaults of the others. */
export function effectivePipeSettings(chosen: ChosenPipeSettings): PipeSettings {
  return { ...defaultPipeSettings(), ...chosen };
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
    .meta({ description: 'Number of readers that share the source (1–40, default 1).' }),
  concurrency: amount(0, 35, 'must be a whole number from 0 to 35')
    .refine(Number.isSafeInteger, 'must be a whole number from 0 to 35')
    .meta({
      description:
        'Number of parallel inserts in one replica (0–35, default 0); 0 chooses automatically.',
    }),
  replicaCpuMillicores: amount(125, 2000, 'must be a whole number from 125 to 2000')
    .refine(Number.isSafeInteger, 'must be a whole number from 125 to 2000')
    .meta({
      description: 'CPU share of one replica, in thousandths of a core (125–2000, default 125).',
    }),
  replicaMemoryGb: amount(0.5, 8, 'must be from 0.5 to 8').meta({
    description:
      'Memory of one replica in GiB (0.5–8, default 0.5). Limits the data that a replica buffers before an insert.',
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
