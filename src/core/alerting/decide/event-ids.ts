import { hash } from 'node:crypto';

/**
 * Ids that depend on their arguments only, so that they are the same after a crash, on another node
 * and for every attempt. `groupKey` is the JSON of the group's values, so that different values
 * never share a key.
 */
export const eventIds = {
  event: (alertId: string, groupKey: string, windowEndMs: number, state: string): string =>
    digest('evt', alertId, groupKey, windowEndMs, state),
  incident: (alertId: string, groupKey: string, beganMs: number): string =>
    digest('inc', alertId, groupKey, beganMs),
  group: (alertId: string, groupKey: string): string => digest('grp', alertId, groupKey),
};

function digest(prefix: string, ...parts: (string | number)[]): string {
  return `${prefix}_${hash('sha256', JSON.stringify([prefix, ...parts]), 'hex').slice(0, 32)}`;
}
