import { calmOf } from './decide/calm.ts';
import type { Answer } from './decide/readings.ts';
import { TooManyGroups } from './record/execution-error.ts';
import type { AnsweredTask, FailedAlert } from './record/recorder.ts';
import type { CalmTask, Task } from './record/recording.ts';
import { TimeSlice } from '../../ports/time-slice.ts';

export interface SortedAnswers {
  /** Only a value is to be recorded. */
  calm: CalmTask[];
  answered: AnsweredTask[];
  /** Alerts with more groups than an alert may have. */
  overfull: FailedAlert[];
}

/**
 * Sorts the alerts of one query by what is to be recorded. One query can answer more than ten
 * thousand alerts, so this yields to other work in between.
 */
export async function sortAnswers(
  tasks: readonly Task[],
  answers: readonly Answer[],
): Promise<SortedAnswers> {
  const result: SortedAnswers = { calm: [], answered: [], overfull: [] };
  const slice = new TimeSlice();
  // The response of the engine was parsed in this turn of the event loop.
  await slice.yieldToOthers();
  for (const [index, task] of tasks.entries()) {
    if (slice.expired) {
      await slice.yieldToOthers();
    }
    const answer = answers[index];
    if (answer === undefined) {
      throw new RangeError('a query answers every alert of its batch');
    }
    const value = task.skipped
      ? undefined
      : calmOf(task.alert, task.compiled.groupBy, answer, task.window);
    if (value !== undefined) {
      result.calm.push({ task, value });
    } else if (answer.kind === 'too_many_groups') {
      result.overfull.push({ alert: task.alert, error: new TooManyGroups() });
    } else {
      result.answered.push({ task, answer });
    }
  }
  return result;
}
