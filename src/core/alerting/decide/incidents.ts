import { eventIds } from './event-ids.ts';
import { decodeGroups } from './group-states.ts';

/** An incident that has not ended, of one group of an alert. */
export interface OpenIncident {
  /** Values of groupBy, in its order; empty for an alert without groups. */
  group: string[];
  incidentId: string;
}

/**
 * The incidents of an alert that have not ended: the groups that fire, and those whose end a silence
 * hides from the receivers.
 */
export function openIncidents(alertId: string, groups: string): OpenIncident[] {
  const open: OpenIncident[] = [];
  for (const [key, { state, announced, incidentMs }] of decodeGroups(groups)) {
    if (incidentMs !== null && (state === 'firing' || announced)) {
      open.push({
        group: JSON.parse(key) as string[],
        incidentId: eventIds.incident(alertId, key, incidentMs),
      });
    }
  }
  return open;
}
