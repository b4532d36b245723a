import { z } from 'zod';

/** The file that makes a backup complete: it is written last. */
export const manifestFile = 'manifest.json';
export const metadataFile = 'metadata.jsonl.gz';
export const telemetryFolder = 'telemetry';
/** The part of one shard; it counts from 0. */
export const shardFolder = (index: number): string => `${telemetryFolder}/${index + 1}`;

/** A text that only the secret key of the backed-up server opens. */
export const keyCheck = { plain: 'sightline', context: 'backup' } as const;

export const Manifest = z.object({
  format: z.literal(1),
  createdAt: z.string(),
  /** Of the program that wrote it. */
  version: z.string(),
  metadata: z.object({ store: z.enum(['SQLite', 'PostgreSQL']), rows: z.number() }),
  telemetry: z.object({
    databases: z.array(z.string()),
    /** Of the cluster; absent: it was one engine. */
    shards: z.number().optional(),
    files: z.number(),
    bytes: z.number(),
  }),
  /** Partitions whose last range may be in the table although the position does not cover it. */
  unfinished: z.array(z.object({ pipeId: z.string(), partition: z.string() })),
  /** `keyCheck`, sealed. */
  keyCheck: z.string(),
});
export type Manifest = z.infer<typeof Manifest>;
