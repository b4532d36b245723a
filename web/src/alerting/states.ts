import type { Alert, AlertState } from '../api/queries/alerts.ts';

/** What a list can show alone. */
export const stateFilters = ['broken', 'firing', 'pending', 'silenced', 'inactive'] as const;
export type StateFilter = (typeof stateFilters)[number];

export const stateWords: Record<StateFilter, string> = {
  broken: 'Broken',
  firing: 'Firing',
  pending: 'Pending',
  silenced: 'Silenced',
  inactive: 'Inactive',
};

/** Whether errors keep the alert from being evaluated or delivered. */
export const isBroken = ({ executionErrors }: Alert): boolean =>
  executionErrors !== undefined && executionErrors.length > 0;

/** An alert can fire and be broken and silenced. */
export function isInState(alert: Alert, state: StateFilter): boolean {
  switch (state) {
    case 'broken':
      return isBroken(alert);
    case 'silenced':
      return alert.silenced;
    default:
      return alert.state === state;
  }
}

/** What to show of an alert: an inactive one that is broken is no good news. */
export function statesOf(alert: Alert): StateFilter[] {
  const isQuiet = isBroken(alert) && alert.state === 'inactive';
  return stateFilters.filter(
    (state) => isInState(alert, state) && !(isQuiet && state === 'inactive'),
  );
}

export const nameOf = ({ name }: Pick<Alert, 'name'>): string =>
  name === undefined || name.trim() === '' ? 'Unnamed alert' : name;

/** What needs a person first, then by name. */
export function byUrgency(one: Alert, other: Alert): number {
  return rank(one) - rank(other) || nameOf(one).localeCompare(nameOf(other));
}

const ranks: Record<AlertState, number> = { firing: 2, pending: 4, inactive: 6 };

/** A silenced alert comes after the others of its state. */
const rank = (alert: Alert): number =>
  (isBroken(alert) ? 0 : ranks[alert.state]) + (alert.silenced ? 1 : 0);
