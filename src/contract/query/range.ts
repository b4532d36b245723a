import { z } from 'zod';

/** Milliseconds since the Unix epoch. Seconds have fewer than 13 digits and are rejected. */
export const EpochMs = z
  .int()
  .min(1_000_000_000_000, 'must be milliseconds since 1970-01-01 UTC (at least 13 digits)')
  .max(8_640_000_000_000_000)
  .meta({ id: 'EpochMs', example: 1_767_225_600_000 });

/** Rows of a request: from `startTime` up to, and without, `endTime`. */
export const range = {
  startTime: EpochMs,
  endTime: EpochMs.meta({ description: 'End of the range, exclusive.' }),
};

/** For `superRefine`: the range must not be empty. */
export function orderedRange(
  { startTime, endTime }: { startTime: number; endTime: number },
  context: z.RefinementCtx,
): void {
  if (startTime >= endTime) {
    context.addIssue({ code: 'custom', path: ['endTime'], message: 'must be after startTime' });
  }
}
