import type { Schemas } from '../api/client.ts';
import type { Alert } from '../api/queries/alerts.ts';
import { nameOf } from './states.ts';

const nameMax = 512;

/** The definition of an alert under another name, without its state. */
export function copyOf(alert: Alert): Schemas['AlertInput'] {
  const { message, threshold, thresholdMax, thresholdType, interval, source, channel } = alert;
  const { dashboard, tileId, savedSearch, groupBy, numConsecutiveWindows } = alert;
  const { renotifyInterval, noData, severity, channels, tags } = alert;
  return {
    name: `${nameOf(alert).slice(0, nameMax - 7)} (copy)`,
    threshold,
    thresholdType,
    interval,
    source,
    channel,
    ...(message !== undefined && { message }),
    ...(thresholdMax !== undefined && { thresholdMax }),
    ...(dashboard !== undefined && { dashboardId: dashboard }),
    ...(tileId !== undefined && { tileId }),
    ...(savedSearch !== undefined && { savedSearchId: savedSearch }),
    ...(groupBy !== undefined && { groupBy }),
    ...(numConsecutiveWindows !== undefined && { numConsecutiveWindows }),
    ...(renotifyInterval !== undefined && { renotifyInterval }),
    ...(noData !== undefined && { noData }),
    ...(severity !== undefined && { severity }),
    ...(channels !== undefined && { channels }),
    ...(tags !== undefined && { tags }),
  };
}
