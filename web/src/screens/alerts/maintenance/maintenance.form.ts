import { Cron } from 'croner';
import { MaintenanceInput as Rules } from '../../../../../src/contract/alert/maintenance.ts';
import { durationMs } from '../../../../../src/contract/common.ts';
import { schemaIssues } from '../../../../../src/contract/schema-issues.ts';
import type { MaintenanceInput } from '../../../api/queries/maintenance.ts';
import type { FormIssue } from '../../../kit/use-form.ts';
import type { Span } from '../../../view/time-range.ts';

/** The rules and messages of the API, in the browser. Loaded after the first paint. */

/** Mistakes that the API would find in a window. */
export function windowIssues(input: MaintenanceInput): FormIssue[] {
  const { error } = Rules.safeParse(input);
  const issues: FormIssue[] = schemaIssues(error?.issues ?? []);
  const { schedule } = input;
  const isWhole = issues.every(({ path }) => !path.startsWith('schedule'));
  if (schedule.type === 'cron' && isWhole && occurrences(schedule, 1).length === 0) {
    const message = 'must be a cron expression that occurs, such as 0 2 * * SUN';
    issues.push({ path: 'schedule.expression', message });
  }
  return issues;
}

interface Recurring {
  expression: string;
  timeZone: string;
  duration: string;
}

/** The next times of a recurring window; none if the fields are not valid. */
export function occurrences({ expression, timeZone, duration }: Recurring, count: number): Span[] {
  const lengthMs = durationMs(duration);
  if (lengthMs === undefined) {
    return [];
  }
  try {
    const cron = new Cron(expression, { timezone: timeZone, mode: '5-part', paused: true });
    return cron.nextRuns(count).map((run) => ({
      startMs: run.getTime(),
      endMs: run.getTime() + lengthMs,
    }));
  } catch {
    return [];
  }
}
