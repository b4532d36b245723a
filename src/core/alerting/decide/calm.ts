import type { AlertState } from '../../../contract/alert/alert.ts';
import { calmRunMax } from '../../../ports/store/alert-store.ts';
import type { AlertDefinition } from '../alert-definition.ts';
import { breaches } from './breach.ts';
import { ungrouped, type Answer, type Reading } from './readings.ts';
import type { Window } from './schedule.ts';
import type { GroupState } from './step.ts';

/** The part of a running alert that decides whether a window is calm. */
export interface CalmCandidate {
  readonly definition: AlertDefinition;
  readonly state: AlertState;
  readonly groupBy: string | null;
  readonly groups: ReadonlyMap<string, GroupState>;
  readonly errors: readonly unknown[];
  readonly lastEndMs: number | null;
  readonly recordedIntervalMs: number;
  readonly lineEndMs: number | null;
  readonly calmAfterMs: number;
  readonly slot: number;
}

/**
 * The value to record for a calm window: one that changes nothing but the last value. Null: no
 * data, or data that decides nothing. Undefined: the window is not calm and needs the whole step.
 *
 * Most alerts are calm most of the time, and a calm window costs a fraction of a step to record.
 * Every `calmRunMax` windows an alert gets a history line of its own, so that no reader has to look
 * far back; `slot` spreads these lines over the alerts.
 */
export function calmOf(
  alert: CalmCandidate,
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

/** Whether the only group is inactive, and its receivers have nothing more to learn. */
function remembersNothing({ groups }: CalmCandidate): boolean {
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

function fires({ definition }: CalmCandidate, reading: Reading): boolean {
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
