import type { AlertState, NoData } from '../../../contract/alert/alert.ts';
import type { NotificationReason } from '../../../contract/webhook/webhook-event.ts';
import { breaches, type Threshold } from './breach.ts';
import { noReading, type Reading } from './readings.ts';

/** One group of one alert; an alert without groupBy has one group. All times are window ends. */
export interface GroupState {
  state: AlertState;
  sinceMs: number;
  /** Breaching windows in a row. */
  breaches: number;
  /** End of the window that began the incident; the notifications of one incident share it. */
  incidentMs: number | null;
  /** A notification of the firing was sent, and none of its end yet. */
  announced: boolean;
  notifiedMs: number | null;
  lastDataMs: number | null;
  /** Ids of the webhooks that know of the firing and not yet of its end. */
  notifiedWebhookIds: readonly string[];
  /** What hides the current state from the receivers; absent if they know it. */
  hiddenBy?: 'silence' | 'maintenance';
}

export interface StepConfig extends Threshold {
  numConsecutiveWindows: number;
  noData: NoData;
  /** Null: notify on transitions only. */
  renotifyIntervalMs: number | null;
  silenced: boolean;
  /** A maintenance window covers the alert. */
  inMaintenance?: boolean;
  /** Somebody acknowledged the incident of the group: no reminders. */
  acknowledged?: boolean;
  /** A group without data for this long is gone; null: never (an alert without groups). */
  goneAfterMs: number | null;
}

export type TransitionReason =
  | 'breached'
  | 'breached_repeatedly'
  | 'recovered'
  | 'no_data'
  | 'group_gone'
  | 'group_by_changed';
/** Why a step notifies; `test` is the only reason that no step has. */
export type StepNotificationReason = Exclude<NotificationReason, 'test'>;

export interface Transition {
  from: AlertState;
  to: AlertState;
  reason: TransitionReason;
}

export interface Notification {
  state: 'firing' | 'inactive';
  previousState: AlertState;
  reason: StepNotificationReason;
  incidentMs: number;
}

export interface Step {
  /** Undefined: nothing to remember; a group that comes back counts as new. */
  next: GroupState | undefined;
  /** The state in this window, even if the group is not remembered. */
  state: AlertState;
  transition?: Transition;
  notification?: Notification;
  /** A notification that was due and is not sent. */
  muted?: Muted;
}

export interface Muted {
  reason: StepNotificationReason;
  by: 'silence' | 'maintenance' | 'acknowledgement';
}

const unseen: GroupState = {
  state: 'inactive',
  sinceMs: 0,
  breaches: 0,
  incidentMs: null,
  announced: false,
  notifiedMs: null,
  lastDataMs: null,
  notifiedWebhookIds: [],
};

/** Steps one group through one window, by the table in docs/rules/alerting.md. */
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
  return announce(moved, reading, config, windowEndMs);
}

/** Ends a group because its alert now groups by something else. */
export function dismiss(before: GroupState, config: Muting, windowEndMs: number): Step {
  return announce(leave(before, 'group_by_changed', windowEndMs), noReading, config, windowEndMs);
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
  if (to === from.state) {
    return { group: { ...from, breaches } };
  }
  // If a silence hid the end of an incident, the incident goes on: its receivers still count it as
  // firing.
  const incidentMs = to === 'pending' || from.announced ? from.incidentMs : windowEndMs;
  return {
    group: { ...from, state: to, sinceMs: windowEndMs, breaches, incidentMs },
    transition: { from: from.state, to, reason: breachReason(noData, from.state) },
  };
}

function breachReason(noData: boolean, before: AlertState): TransitionReason {
  if (noData) {
    return 'no_data';
  }
  return before === 'pending' ? 'breached_repeatedly' : 'breached';
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
  config: Muting,
  windowEndMs: number,
): Step {
  const due = dueNotification(group, transition, config.renotifyIntervalMs, windowEndMs);
  const mutedBy = due === undefined ? undefined : muting(config, due);
  const reason = mutedBy === undefined ? due : undefined;
  const state = group.state;
  const announcedGroup =
    reason === undefined ? hidden(group, due, mutedBy) : announced(group, windowEndMs);
  const next =
    state === 'inactive' && !announcedGroup.announced && reading.kind === 'none'
      ? undefined
      : announcedGroup;
  const result: Step = { next, state };
  if (transition) {
    result.transition = transition;
  }
  if (due !== undefined && mutedBy !== undefined) {
    result.muted = { reason: due, by: mutedBy };
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

function announced(group: GroupState, windowEndMs: number): GroupState {
  return {
    ...shownGroup(group),
    announced: group.state === 'firing',
    notifiedMs: windowEndMs,
  };
}

/** Copies nothing if nothing hides the group. */
function shownGroup(group: GroupState): GroupState {
  if (group.hiddenBy === undefined) {
    return group;
  }
  const { hiddenBy: _hiddenBy, ...shown } = group;
  return shown;
}

/** Remembers what hides the state of a group. A reminder hides nothing. */
function hidden(
  group: GroupState,
  due: StepNotificationReason | undefined,
  mutedBy: Muted['by'] | undefined,
): GroupState {
  const hiddenBy = due === 'still_firing' || mutedBy === 'acknowledgement' ? undefined : mutedBy;
  if (hiddenBy === group.hiddenBy) {
    return group;
  }
  return hiddenBy === undefined ? shownGroup(group) : { ...group, hiddenBy };
}

type Muting = Pick<
  StepConfig,
  'silenced' | 'inMaintenance' | 'acknowledged' | 'renotifyIntervalMs'
>;

/** An acknowledgement mutes reminders only: nobody has to miss a firing or its end. */
function muting(
  { silenced, inMaintenance, acknowledged }: Muting,
  due: StepNotificationReason,
): Muted['by'] | undefined {
  if (silenced) {
    return 'silence';
  }
  if (inMaintenance === true) {
    return 'maintenance';
  }
  return due === 'still_firing' && acknowledged === true ? 'acknowledgement' : undefined;
}

/** Why a notification is due after this window; undefined: none is due. */
function dueNotification(
  group: GroupState,
  transition: Transition | undefined,
  renotifyIntervalMs: number | null,
  windowEndMs: number,
): StepNotificationReason | undefined {
  if (group.state === 'firing') {
    if (!group.announced) {
      return transition ? 'fired' : endOf(group);
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
    return endOf(group);
  }
  return transition.reason === 'group_gone' || transition.reason === 'group_by_changed'
    ? transition.reason
    : 'resolved';
}

/** Why receivers learn only now what has happened before. */
const endOf = ({ hiddenBy }: GroupState): StepNotificationReason =>
  hiddenBy === 'maintenance' ? 'maintenance_ended' : 'silence_ended';

const rank: Record<AlertState, number> = { inactive: 0, pending: 1, firing: 2 };

/** The state that an alert shows: the worst of its groups. */
export function worst(states: Iterable<AlertState>): AlertState {
  let highest: AlertState = 'inactive';
  for (const state of states) {
    if (rank[state] > rank[highest]) {
      highest = state;
    }
  }
  return highest;
}
