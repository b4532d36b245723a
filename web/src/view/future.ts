import { boundMs, parseMoment } from './time-range.ts';
import { momentIn, partsIn } from './zone.ts';

const unitsMs: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };
const halfYearMs = 183 * 86_400_000;
const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/**
 * A moment that lies ahead, as people write it: `4h`, `in 2 days`, `18:00`, `tomorrow 9:00`,
 * `monday 9:00`, `Nov 24 10:00`, `now`. A time without a day is the next one after `afterMs`.
 * Undefined if the text is none of these.
 */
export function parseFuture(
  text: string,
  zone: string,
  nowMs: number,
  afterMs: number = nowMs,
): number | undefined {
  const clean = text.trim().toLowerCase().replaceAll(/\s+/g, ' ');
  const ahead = /^(?:in )?(\d{1,4}) ?(m|min|minutes?|h|hours?|d|days?|w|weeks?)$/.exec(clean);
  if (ahead) {
    return nowMs + Number(ahead[1]) * (unitsMs[(ahead[2] ?? '').charAt(0)] ?? 0);
  }
  const named = /^([a-z]+)(?: (\d\d?):(\d\d))?$/.exec(clean);
  const days = named && daysTo(named[1] ?? '', zone, nowMs);
  if (named && days != null) {
    return onDay(days, [Number(named[2] ?? 0), Number(named[3] ?? 0)], zone, nowMs);
  }
  const bound = parseMoment(clean, zone, nowMs, afterMs);
  if (bound === undefined) {
    return undefined;
  }
  const ms = boundMs(bound, nowMs);
  if (/^\d\d?:/.test(clean) && ms <= afterMs) {
    const { hour, minute } = partsIn(ms, zone);
    return onDay(1, [hour, minute], zone, afterMs);
  }
  // In December, “Jan 3” is next year's.
  const isWithoutYear = /^[a-z]{3}/.test(clean) && !/\d{4}/.test(clean);
  return isWithoutYear && ms < nowMs - halfYearMs
    ? parseFuture(
        `${clean.replace(/^(\S+ \d+)/, `$1 ${partsIn(nowMs, zone).year + 1}`)}`,
        zone,
        nowMs,
      )
    : ms;
}

/** Days from today to the day of this name. */
function daysTo(name: string, zone: string, nowMs: number): number | undefined {
  if (name === 'today' || name === 'tomorrow') {
    return name === 'today' ? 0 : 1;
  }
  const weekday = weekdays.findIndex((day) => name.length >= 3 && day.startsWith(name));
  if (weekday < 0) {
    return undefined;
  }
  const { year, month, day } = partsIn(nowMs, zone);
  const today = new Date(Date.UTC(year, month - 1, day)).getUTCDay();
  return ((weekday - today + 6) % 7) + 1;
}

/** A time of the day, so many days after the day of `baseMs`; undefined if there is no such time. */
function onDay(
  days: number,
  [hour, minute]: readonly [hour: number, minute: number],
  zone: string,
  baseMs: number,
): number | undefined {
  const { year, month, day } = partsIn(baseMs, zone);
  const at = new Date(Date.UTC(year, month - 1, day + days));
  return hour < 24 && minute < 60
    ? momentIn(
        {
          year: at.getUTCFullYear(),
          month: at.getUTCMonth() + 1,
          day: at.getUTCDate(),
          hour,
          minute,
          second: 0,
        },
        zone,
      )
    : undefined;
}

/** Tomorrow at nine, on the clocks of a zone. */
export const tomorrowAtNine = (zone: string, nowMs: number): number =>
  onDay(1, [9, 0], zone, nowMs) ?? nowMs;
