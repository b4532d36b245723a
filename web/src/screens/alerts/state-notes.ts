import type { Alert } from '../../api/queries/alerts.ts';
import type { MaintenanceWindow } from '../../api/queries/maintenance.ts';
import { endOf, mutingWindow } from '../../alerting/maintenance.ts';
import { actorOf, errorWords } from '../../alerting/words.ts';
import { usePref } from '../../view/use-pref.ts';
import { formatTime, zoneName } from '../../view/zone.ts';

/** What stands below the state of an alert: errors, who works on it, and what mutes it. */
export function useStateNotes(windows: readonly MaintenanceWindow[]): (alert: Alert) => string[] {
  const [zonePref] = usePref('zone');
  const zone = zoneName(zonePref);
  const time = (iso: string): string => formatTime(Date.parse(iso), zone, 'minute');
  return (alert) => {
    const { executionErrors = [], acknowledgements = [], silencedUntil } = alert;
    const [first] = acknowledgements;
    const muting = mutingWindow(windows, alert);
    return [
      ...new Set(executionErrors.map(({ type }) => errorWords[type])),
      ...(first ? [`Acknowledged by ${actorOf(first)}`] : []),
      ...(alert.silenced
        ? [silencedUntil === undefined ? 'Until somebody ends it' : `Until ${time(silencedUntil)}`]
        : []),
      ...(muting ? [`Maintenance until ${formatTime(endOf(muting), zone, 'minute')}`] : []),
    ];
  };
}
