import { Cron } from 'croner';
import { durationMs } from '../../../contract/common.ts';
import type { MaintenanceSchedule } from '../../../contract/alert/maintenance.ts';

/** One run of a schedule: `[fromMs, toMs)`. */
export interface Occurrence {
  fromMs: number;
  toMs: number;
}

/**
 * The earliest occurrence that ends after a time; undefined if there is none. A local time that the
 * clock change skips begins at the change, and one that it repeats begins once, at the first. The
 * duration is elapsed time.
 */
export function occurrenceAfter(
  schedule: MaintenanceSchedule,
  timeMs: number,
): Occurrence | undefined {
  if (schedule.type === 'once') {
    const [fromMs, toMs] = [Date.parse(schedule.from), Date.parse(schedule.to)];
    return timeMs < toMs ? { fromMs, toMs } : undefined;
  }
  const lengthMs = durationMs(schedule.duration) ?? 0;
  const next = cronOf(schedule).nextRun(new Date(timeMs - lengthMs));
  return next ? { fromMs: next.getTime(), toMs: next.getTime() + lengthMs } : undefined;
}

/** The problem of a schedule as text with its field, or undefined if it is valid. */
export function scheduleProblem(
  schedule: MaintenanceSchedule,
  nowMs: number,
): { path: string; message: string } | undefined {
  if (schedule.type === 'once') {
    return undefined;
  }
  const path = 'expression';
  try {
    return cronOf(schedule).nextRun(new Date(nowMs))
      ? undefined
      : { path, message: 'never occurs: no date matches it' };
  } catch {
    return {
      path,
      message:
        'must be a cron expression of five fields (minute, hour, day of month, month, day of week), ' +
        'such as 0 2 * * SUN',
    };
  }
}

const cronOf = ({ expression, timeZone }: { expression: string; timeZone: string }): Cron =>
  new Cron(expression, { timezone: timeZone, mode: '5-part', paused: true });
