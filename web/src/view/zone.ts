/** Times on screen. One formatter, 24 hours, in the zone that the person chose. */

export const localZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** IANA name of a preference: `local`, `UTC` or a name. An unknown name counts as local. */
export function zoneName(pref: string): string {
  if (pref === 'local') {
    return localZone();
  }
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: pref }).resolvedOptions().timeZone;
  } catch {
    return localZone();
  }
}

export interface TimeParts {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatter(zone: string): Intl.DateTimeFormat {
  let found = formatters.get(zone);
  if (!found) {
    found = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    formatters.set(zone, found);
  }
  return found;
}

/** Calendar fields of a moment in a zone; month from 1. */
export function partsIn(ms: number, zone: string): TimeParts {
  const parts: Record<string, number> = {};
  for (const { type, value } of formatter(zone).formatToParts(ms)) {
    parts[type] = Number(value);
  }
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return { year, month, day, hour, minute, second };
}

/** Distance of a zone from UTC at a moment, in milliseconds; positive to the east. */
export function offsetMs(ms: number, zone: string): number {
  const whole = Math.floor(ms / 1000) * 1000;
  return utcOf(partsIn(whole, zone)) - whole;
}

const utcOf = (parts: TimeParts): number =>
  Date.UTC(parts.year, parts.month - 1, parts.day, parts.hour, parts.minute, parts.second);

/**
 * The moment at which clocks in the zone show these fields. A time that clocks skip counts as the
 * moment after the gap; of a repeated hour, the first.
 */
export function momentIn(parts: TimeParts, zone: string): number {
  const wall = utcOf(parts);
  const dayMs = 86_400_000;
  const candidates = [offsetMs(wall - dayMs, zone), offsetMs(wall + dayMs, zone)].map(
    (offset) => wall - offset,
  );
  const exact = candidates.filter((ms) => ms + offsetMs(ms, zone) === wall);
  return exact.length > 0 ? Math.min(...exact) : Math.max(...candidates);
}

export const monthNames = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

const two = (value: number): string => String(value).padStart(2, '0');

export type Precision = 'day' | 'minute' | 'second' | 'ms';

/** `Nov 22 12:51:01.282`; with the year if it is not the present one. */
export function formatTime(ms: number, zone: string, precision: Precision = 'ms'): string {
  const at = partsIn(ms, zone);
  const isThisYear = at.year === partsIn(Date.now(), zone).year;
  const day = `${monthNames[at.month - 1]} ${at.day}${isThisYear ? '' : ` ${at.year}`}`;
  return precision === 'day' ? day : `${day} ${clock(at, ms, precision)}`;
}

/** `12:51:01.282` */
export function formatClock(ms: number, zone: string, precision: Precision = 'second'): string {
  return clock(partsIn(ms, zone), ms, precision);
}

function clock(at: TimeParts, ms: number, precision: Precision): string {
  const minutes = `${two(at.hour)}:${two(at.minute)}`;
  if (precision === 'minute') {
    return minutes;
  }
  const seconds = `${minutes}:${two(at.second)}`;
  const fraction = String(((ms % 1000) + 1000) % 1000).padStart(3, '0');
  return precision === 'ms' ? `${seconds}.${fraction}` : seconds;
}

/** `UTC`, `UTC+1` or `UTC+5:45`: what a column header says. */
export function zoneLabel(zone: string, ms: number = Date.now()): string {
  const minutes = Math.round(offsetMs(ms, zone) / 60_000);
  if (minutes === 0) {
    return 'UTC';
  }
  const rest = Math.abs(minutes) % 60;
  const hours = Math.floor(Math.abs(minutes) / 60);
  return `UTC${minutes < 0 ? '−' : '+'}${hours}${rest === 0 ? '' : `:${two(rest)}`}`;
}

/** `3 min ago`, `in 2 h`. */
export function formatAgo(ms: number, nowMs: number = Date.now()): string {
  const text = formatAge(Math.abs(nowMs - ms));
  return ms > nowMs ? `in ${text}` : `${text} ago`;
}

/** `3 min` */
export function formatAge(distance: number): string {
  const units: [limit: number, unit: number, name: string][] = [
    [60_000, 1000, 's'],
    [3_600_000, 60_000, 'min'],
    [86_400_000, 3_600_000, 'h'],
    [Infinity, 86_400_000, 'd'],
  ];
  const [, unit, name] = units.find(([limit]) => distance < limit) ?? units[3]!;
  return `${Math.floor(distance / unit)} ${name}`;
}

/** Names that browsers still give by what the place was called before. */
const presentNames: Readonly<Record<string, string>> = {
  'America/Godthab': 'America/Nuuk',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Europe/Kiev': 'Europe/Kyiv',
};

/** Every zone but UTC, with the name to show and to find it by: `Asia/Ho Chi Minh`. */
export function zones(): { zone: string; title: string }[] {
  return Intl.supportedValuesOf('timeZone')
    .filter((zone) => zone !== 'UTC')
    .map((zone) => ({ zone, title: (presentNames[zone] ?? zone).replaceAll('_', ' ') }))
    .sort((one, two) => (one.title < two.title ? -1 : 1));
}

/** A moment in UTC, in the zone of this browser, and how long ago: what the pointer over a time says. */
export function timeHint(ms: number, nowMs: number = Date.now()): string {
  const local = localZone();
  return [
    `${formatTime(ms, 'UTC')} UTC`,
    `${formatTime(ms, local)} ${local}`,
    formatAgo(ms, nowMs),
  ].join('\n');
}
