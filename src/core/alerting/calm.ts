import { calmRunMax } from '../../ports/alert-store.ts';
import { breaches } from './breach.ts';
import { ungrouped, type Answer } from './readings.ts';
import type { RunningAlert } from './running-alert.ts';
import type { Window } from './schedule.ts';
import type { Reading } from './step.ts';

/**
 * The value of a window of which nothing else is to be remembered (null: no data, or one that decides nothing); undefined where the whole step has
 * to be taken. Most alerts are calm most of the time, and what is calm is recorded at a fraction of the cost. Now and then a line of its own is due
 * all the same, at another time for each alert, so that nobody has to look far back.
 */
export function calmOf(
  alert: RunningAlert,
  groupBy: string,
  answer: Answer,
  window: Window,
): number | null | undefined {
  if (
    alert.state !== 'inactive' ||
    groupBy !== '' ||
    alert.groupBy !== '' ||
    alert.errors.length > 0 ||
    !remembersNothing(alert)
  ) {
    return undefined;
  }
  const { intervalMs } = alert.definition;
  if (
    alert.lastEndMs !== window.startMs ||
    alert.recordedIntervalMs !== intervalMs ||
    alert.lineEndMs === null ||
    alert.lineEndMs > alert.lastEndMs ||
    window.endMs <= alert.calmAfterMs
  ) {
    return undefined;
  }
  if ((window.endMs / intervalMs + alert.slot) % calmRunMax === 0) {
    return undefined;
  }
  if (answer.kind === 'groups' || answer.kind === 'too_many_groups' || fires(alert, answer)) {
    return undefined;
  }
  return answer.kind === 'value' ? answer.value : null;
}

/** A group that is inactive, and of which receivers have nothing more to hear. */
function remembersNothing({ groups }: RunningAlert): boolean {
  if (groups.size === 0) {
    return true;
  }
  const group = groups.get(ungrouped);
  return (
    groups.size === 1 &&
    group !== undefined &&
    group.state === 'inactive' &&
    !group.announced &&
    group.breaches === 0
  );
}

function fires({ definition }: RunningAlert, reading: Reading): boolean {
  if (reading.kind === 'value') {
    return breaches(reading.value, definition);
  }
  if (reading.kind === 'undecided') {
    return false;
  }
  return (
    definition.noData === 'firing' || (definition.noData === 'zero' && breaches(0, definition))
  );
}
