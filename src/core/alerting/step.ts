import { breaches, type Threshold } from './breach.ts';

export type AlertState = 'inactive' | 'pending' | 'firing';
export type NoData = 'zero' | 'ok' | 'firing' | 'keep';

/** What one group read in one window. NULL and NaN are `undecided`: there was data, but it decides nothing. */
export type Reading = { kind: 'value'; value: number } | { kind: 'undecided' } | { kind: 'none' };

/** One group of one alert. An alert without groupBy has one group. All times are ends of windows. */
export interface GroupState {
  state: AlertState;
  sinceMs: number;
  /** Breaching windows in a row. */
  breaches: number;
  /** The window that began the incident; what its notifications have in common. */
  incidentMs: number | null;
  /** Receivers were told that it fires, and not yet that it ended. */
  announced: boolean;
  notifiedMs: number | null;
  lastDataMs: number | null;
  /** Webhooks that were told that it fires, and not yet that it ended. */
  told: readonly string[];
}

export interface StepConfig extends Threshold {
  numConsecutiveWindows: number;
  noData: NoData;
  /** Null: on transitions only. */
  renotifyIntervalMs: number | null;
  silenced: boolean;
  /** A group that sent nothing for so long is gone for good; null: never (an alert without groups). */
  goneAfterMs: number | null;
}

export type TransitionReason =
  | 'breached'
  | 'breached_repeatedly'
  | 'recovered'
  | 'no_data'
  | 'group_gone'
  | 'group_by_changed';
export type NotificationReason =
  | 'fired'
  | 'still_firing'
  | 'resolved'
  | 'group_gone'
  | 'group_by_changed'
  | 'silence_ended';

export interface Transition {
  from: AlertState;
  to: AlertState;
  reason: TransitionReason;
}

export interface Notification {
  state: 'firing' | 'inactive';
  previousState: AlertState;
  reason: NotificationReason;
  incidentMs: number;
}

export interface Step {
  /** Undefined: nothing worth remembering, the group reads as new when it comes back. */
  next: GroupState | undefined;
  /** The state of this window, also where the group is not remembered. */
  state: AlertState;
  transition?: Transition;
  notification?: Notification;
}

const unseen: GroupState = {
  state: 'inactive',
  sinceMs: 0,
  breaches: 0,
  incidentMs: null,
  announced: false,
  notifiedMs: null,
  lastDataMs: null,
  told: [],
};

/** One window of one group: the table in docs/rules/alerting.md. */
export function step(
  before: GroupState | undefined,
  reading: Reading,
  config: StepConfig,
  windowEndMs: number,
): Step {
  const from = before ?? { ...unseen, sinceMs: windowEndMs };
  const lastDataMs = reading.kind === 'none' ? from.lastDataMs : windowEndMs;
  const gone =
    reading.kind === 'none' &&
    config.goneAfterMs !== null &&
    windowEndMs - (from.lastDataMs ?? windowEndMs) >= config.goneAfterMs;
  const moved = gone
    ? leave(from, 'group_gone', windowEndMs)
    : move({ ...from, lastDataMs }, reading, config, windowEndMs);
  return announce(moved, reading, config.silenced, config.renotifyIntervalMs, windowEndMs);
}

/** Ends a group whatever it reads: its alert is grouped by something else now. */
export function dismiss(before: GroupState, silenced: boolean, windowEndMs: number): Step {
  return announce(
    leave(before, 'group_by_changed', windowEndMs),
    { kind: 'none' },
    silenced,
    null,
    windowEndMs,
  );
}

type Verdict = 'breach' | 'calm' | 'undecided';

function judge(reading: Reading, config: StepConfig): Verdict {
  if (reading.kind === 'undecided') {
    return 'undecided';
  }
  if (reading.kind === 'value') {
    return breaches(reading.value, config) ? 'breach' : 'calm';
  }
  switch (config.noData) {
    case 'zero':
      return breaches(0, config) ? 'breach' : 'calm';
    case 'ok':
      return 'calm';
    case 'firing':
      return 'breach';
    case 'keep':
      return 'undecided';
  }
}

interface Moved {
  group: GroupState;
  transition?: Transition;
}

function move(from: GroupState, reading: Reading, config: StepConfig, windowEndMs: number): Moved {
  const verdict = judge(reading, config);
  if (verdict === 'undecided') {
    return { group: from };
  }
  const noData = reading.kind === 'none' && config.noData !== 'zero';
  if (verdict === 'calm') {
    return leave(from, noData ? 'no_data' : 'recovered', windowEndMs);
  }
  const breaches = from.breaches + 1;
  if (from.state === 'firing') {
    return { group: { ...from, breaches } };
  }
  const to = breaches >= config.numConsecutiveWindows ? 'firing' : 'pending';
  const reason = noData ? 'no_data' : from.state === 'pending' ? 'breached_repeatedly' : 'breached';
  if (to === from.state) {
    return { group: { ...from, breaches } };
  }
  // An incident whose end was never told (it fell into a silence) goes on: its receiver still takes it for firing.
  const incidentMs = to === 'pending' || from.announced ? from.incidentMs : windowEndMs;
  return {
    group: { ...from, state: to, sinceMs: windowEndMs, breaches, incidentMs },
    transition: { from: from.state, to, reason },
  };
}

function leave(from: GroupState, reason: TransitionReason, windowEndMs: number): Moved {
  if (from.state === 'inactive') {
    return { group: { ...from, breaches: 0 } };
  }
  return {
    group: { ...from, state: 'inactive', sinceMs: windowEndMs, breaches: 0 },
    transition: { from: from.state, to: 'inactive', reason },
  };
}

function announce(
  { group, transition }: Moved,
  reading: Reading,
  silenced: boolean,
  renotifyIntervalMs: number | null,
  windowEndMs: number,
): Step {
  const reason = silenced
    ? undefined
    : dueNotification(group, transition, renotifyIntervalMs, windowEndMs);
  const state = group.state;
  const told =
    reason === undefined
      ? group
      : { ...group, announced: state === 'firing', notifiedMs: windowEndMs };
  const next =
    state === 'inactive' && !told.announced && reading.kind === 'none' ? undefined : told;
  const result: Step = { next, state };
  if (transition) {
    result.transition = transition;
  }
  if (reason !== undefined) {
    result.notification = {
      state: state === 'firing' ? 'firing' : 'inactive',
      previousState: transition?.from ?? state,
      reason,
      incidentMs: group.incidentMs ?? windowEndMs,
    };
  }
  return result;
}

/** What receivers have to be told after this window, if anything. */
function dueNotification(
  group: GroupState,
  transition: Transition | undefined,
  renotifyIntervalMs: number | null,
  windowEndMs: number,
): NotificationReason | undefined {
  if (group.state === 'firing') {
    if (!group.announced) {
      return transition ? 'fired' : 'silence_ended';
    }
    const reminds =
      renotifyIntervalMs !== null &&
      windowEndMs - (group.notifiedMs ?? windowEndMs) >= renotifyIntervalMs;
    return reminds ? 'still_firing' : undefined;
  }
  if (!group.announced || group.state === 'pending') {
    return undefined;
  }
  if (!transition) {
    return 'silence_ended';
  }
  return transition.reason === 'group_gone' || transition.reason === 'group_by_changed'
    ? transition.reason
    : 'resolved';
}

const rank: Record<AlertState, number> = { inactive: 0, pending: 1, firing: 2 };

/** What an alert shows: the worst of its groups. */
export function worst(states: Iterable<AlertState>): AlertState {
  let found: AlertState = 'inactive';
  for (const state of states) {
    if (rank[state] > rank[found]) {
      found = state;
    }
  }
  return found;
}
