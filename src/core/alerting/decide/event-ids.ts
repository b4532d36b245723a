import { hash } from 'node:crypto';

/**
 * Ids that depend on their arguments only, so that they are the same after a crash, on another node
 * and for every attempt. `groupKey` is the JSON of the group's values, so that different values
 * never share a key.
 */
export const eventIds = {
  /**
   * Begins with the time of the window. The events of one tick are then neighbors in the key of the
   * outbox, and a write changes few pages of it.
   */
  event: (alertId: string, groupKey: string, windowEndMs: number, state: string): string => {
    const time = windowEndMs.toString(16).padStart(timeDigits, '0');
    const digest = digestOf('evt', alertId, groupKey, windowEndMs, state);
    return `evt_${time}${digest.slice(timeDigits)}`;
  },
  incident: (alertId: string, groupKey: string, beganMs: number): string =>
    `inc_${digestOf('inc', alertId, groupKey, beganMs)}`,
  group: (alertId: string, groupKey: string): string => `grp_${digestOf('grp', alertId, groupKey)}`,
};

/** Enough for every time that a `Date` of the next five centuries has. */
const timeDigits = 11;

function digestOf(...parts: (string | number)[]): string {
  return hash('sha256', JSON.stringify(parts), 'hex').slice(0, 32);
}
