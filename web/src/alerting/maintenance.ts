import type { Alert } from '../api/queries/alerts.ts';
import type { MaintenanceWindow } from '../api/queries/maintenance.ts';

type Covered = Pick<Alert, 'id' | 'tags'>;

/** Whether a maintenance window is about an alert, now or at another time. */
export function covers(
  { alerts }: Pick<MaintenanceWindow, 'alerts'>,
  { id, tags }: Covered,
): boolean {
  const { all, ids, tags: covered } = alerts;
  return all || ids.includes(id) || covered.some((tag) => tags?.includes(tag));
}

/** The window that mutes an alert now, of several the one that ends last. */
export function mutingWindow(
  windows: readonly MaintenanceWindow[],
  alert: Covered,
): MaintenanceWindow | undefined {
  return windows
    .filter((window) => window.active && covers(window, alert))
    .toSorted((one, other) => endOf(other) - endOf(one))[0];
}

/** End of the current occurrence, in milliseconds. */
export const endOf = ({ occurrence }: MaintenanceWindow): number =>
  Date.parse(occurrence?.to ?? '');
