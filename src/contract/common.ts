import { z } from 'zod';

/** Ids of stack objects, teams and users: 24 lower-case hex digits, ordered by time. */
export const ObjectId = z
  .string()
  .regex(/^[0-9a-f]{24}$/, 'must be 24 lower-case hexadecimal digits')
  .meta({ id: 'ObjectId', example: '65f0c1d2e3a4b5c6d7e8f901' });
export type ObjectId = z.infer<typeof ObjectId>;

/** Ids of organizations, services, pipes and keys. Accepts both cases and returns lower case. */
export const Uuid = z
  .string()
  .regex(
    /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/,
    'must be a UUID',
  )
  .toLowerCase()
  .meta({ id: 'Uuid', example: '7f9c2d1e-3b4a-4c5d-8e6f-0a1b2c3d4e5f' });
export type Uuid = z.infer<typeof Uuid>;

export const Timestamp = z.iso.datetime({ offset: true }).meta({
  id: 'Timestamp',
  description: 'ISO 8601 date-time with an offset.',
  example: '2026-03-14T09:26:53.589Z',
});

/** A number followed by a unit letter: minutes, hours or days, 1m to 7d. */
export const Duration = z
  .string()
  .refine(
    (text) => durationMs(text) !== undefined,
    'must be a duration such as 5m, 1h or 1d, from 1m to 7d',
  )
  .meta({ id: 'Duration', pattern: '^[1-9][0-9]{0,4}[mhd]$', example: '5m' });

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const durationMaxMs = 7 * unitMs.d;

/** Milliseconds of `<n>m|h|d`, or undefined if the text is not a duration from 1m to 7d. */
export function durationMs(text: string): number | undefined {
  const match = /^([1-9]\d{0,4})([mhd])$/.exec(text);
  if (!match) {
    return undefined;
  }
  const ms = Number(match[1]) * unitMs[match[2] as keyof typeof unitMs];
  return ms <= durationMaxMs ? ms : undefined;
}

const WholeText = z
  .string()
  .regex(/^\d{1,12}$/, 'must be a whole number')
  .transform(Number);

/** `limit` and `offset` of every list, which are text in a query string. */
export const PageQuery = z.object({
  limit: WholeText.pipe(
    z.number().min(1, 'must be from 1 to 1000').max(1000, 'must be from 1 to 1000'),
  )
    .default(1000)
    .meta({
      description: 'Maximum number of items to return (1–1000, default 1000).',
      type: 'integer',
      minimum: 1,
      maximum: 1000,
      default: 1000,
    }),
  offset: WholeText.default(0).meta({
    description: 'Number of items to skip (default 0).',
    type: 'integer',
    minimum: 0,
    default: 0,
  }),
});
export type PageQuery = z.output<typeof PageQuery>;

/** A set: repeated tags are stored once. */
export const Tags = z
  .array(z.string().min(1).max(32))
  .max(50)
  .overwrite((tags) => [...new Set(tags)]);

export const NoParams = z.object({});
export const NoQuery = z.object({});
export const NoBody = z.undefined();
export const IdParams = z.object({ id: ObjectId });

export const WhereLanguage = z.enum(['lucene', 'sql']).meta({ id: 'WhereLanguage' });
export type WhereLanguage = z.infer<typeof WhereLanguage>;
