import { usePref } from '../../view/use-pref.ts';
import { formatTime, zoneLabel, zoneName } from '../../view/zone.ts';

interface Times {
  /** `Nov 22 12:51` of an ISO time, in the zone of the person. */
  time(iso: string): string;
  day(iso: string): string;
  /** The zone, for the head of a column. */
  zone: string;
}

/** Times of the API as the person reads them. */
export function useTimes(): Times {
  const [pref] = usePref('zone');
  const zone = zoneName(pref);
  return {
    time: (iso) => formatTime(Date.parse(iso), zone, 'minute'),
    day: (iso) => formatTime(Date.parse(iso), zone, 'day'),
    zone: zoneLabel(zone),
  };
}
