import { formatClock, formatTime, momentIn, monthNames, partsIn } from './zone.ts';

/** A bound of a range: milliseconds, or relative to now (`now`, `now-30m`). */
export type TimeBound = number | string;

export interface TimeRange {
  from: TimeBound;
  to: TimeBound;
}

/** A range at one moment, in milliseconds; `endMs` exclusive. */
export interface Span {
  startMs: number;
  endMs: number;
}

export const defaultRange: TimeRange = { from: 'now-30m', to: 'now' };

const unitsMs: Record<string, number> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

const minMs = 1_000_000_000_000;
const maxMs = 8_640_000_000_000_000;

/** A bound of the URL, or undefined if it is none. */
export function parseBound(text: string): TimeBound | undefined {
  if (text === 'now' || /^now-[1-9]\d{0,5}[smhdw]$/.test(text)) {
    return text;
  }
  const ms = /^\d{13,16}$/.test(text) ? Number(text) : Number.NaN;
  return ms >= minMs && ms <= maxMs ? ms : undefined;
}

export function boundMs(bound: TimeBound, nowMs: number): number {
  if (typeof bound === 'number') {
    return bound;
  }
  const match = /^now-(\d+)([smhdw])$/.exec(bound);
  return match ? nowMs - Number(match[1]) * (unitsMs[match[2] ?? ''] ?? 0) : nowMs;
}

export function spanOf({ from, to }: TimeRange, nowMs: number): Span {
  const startMs = boundMs(from, nowMs);
  const endMs = boundMs(to, nowMs);
  return startMs < endMs ? { startMs, endMs } : { startMs: endMs - 1000, endMs };
}

export function isRelative({ from, to }: TimeRange): boolean {
  return typeof from === 'string' || typeof to === 'string';
}

export const fromSpan = ({ startMs, endMs }: Span): TimeRange => ({
  from: Math.floor(startMs),
  to: Math.ceil(endMs),
});

/** The range of the same length before (-1) or after (1). */
export function shifted({ startMs, endMs }: Span, direction: -1 | 1): Span {
  const step = (endMs - startMs) * direction;
  return { startMs: startMs + step, endMs: endMs + step };
}

/** Three times the length around the same middle, not past now. */
export function zoomedOut({ startMs, endMs }: Span, nowMs: number): Span {
  const length = endMs - startMs;
  const end = Math.min(endMs + length, Math.max(nowMs, endMs));
  return { startMs: end - 3 * length, endMs: end };
}

export const quickRanges: { label: string; range: TimeRange }[] = (
  [
    ['5 minutes', '5m'],
    ['15 minutes', '15m'],
    ['30 minutes', '30m'],
    ['1 hour', '1h'],
    ['3 hours', '3h'],
    ['12 hours', '12h'],
    ['1 day', '1d'],
    ['3 days', '3d'],
    ['7 days', '7d'],
    ['30 days', '30d'],
  ] as const
).map(([label, text]) => ({ label: `Past ${label}`, range: { from: `now-${text}`, to: 'now' } }));

/** `Past 30 minutes`, or `Nov 22 10:00 – 11:30`. */
export function rangeLabel(range: TimeRange, zone: string): string {
  const quick = quickRanges.find(
    (one) => one.range.from === range.from && one.range.to === range.to,
  );
  if (quick) {
    return quick.label;
  }
  if (range.to === 'now' && typeof range.from === 'string') {
    return `Past ${range.from.slice(4)}`;
  }
  const end = (bound: TimeBound): string =>
    typeof bound === 'number' ? formatTime(bound, zone, precisionOf(bound)) : bound;
  const { from, to } = range;
  const isOneDay =
    typeof from === 'number' &&
    typeof to === 'number' &&
    formatTime(from, zone, 'day') === formatTime(to, zone, 'day');
  return isOneDay
    ? `${end(from)} – ${formatClock(to, zone, precisionOf(to))}`
    : `${end(from)} – ${end(to)}`;
}

const precisionOf = (ms: number): 'minute' | 'second' => (ms % 60_000 === 0 ? 'minute' : 'second');

/**
 * Reads `past 30m`, `now-2h`, `10:00 – 11:30`, `Mar 4 10:00 to Mar 4 12:00`,
 * `2026-03-04 10:00:00 – now`, `yesterday`. Undefined if the text is none of these.
 */
export function parseRange(text: string, zone: string, nowMs: number): TimeRange | undefined {
  const clean = text.trim().toLowerCase().replaceAll(/\s+/g, ' ');
  const past = /^(?:past |last |now-)?(\d{1,6}) ?(s|m|min|h|d|w)[a-z]*$/.exec(clean);
  if (past) {
    return { from: `now-${Number(past[1])}${(past[2] ?? 'm').charAt(0)}`, to: 'now' };
  }
  if (clean === 'today' || clean === 'yesterday') {
    const { year, month, day } = partsIn(nowMs, zone);
    const midnight = momentIn({ year, month, day, hour: 0, minute: 0, second: 0 }, zone);
    return clean === 'today'
      ? { from: midnight, to: 'now' }
      : { from: midnight - 86_400_000, to: midnight };
  }
  const [first, second, ...more] = clean.split(/ ?(?:–|—| to | - ) ?/);
  if (first === undefined || more.length > 0) {
    return undefined;
  }
  const from = parseMoment(first, zone, nowMs);
  const to = second === undefined ? 'now' : parseMoment(second, zone, nowMs, from);
  if (from === undefined || to === undefined) {
    return undefined;
  }
  return boundMs(from, nowMs) < boundMs(to, nowMs) ? { from, to } : undefined;
}

/** A moment as people write it. A time without a day is on the day of `base`, or today. */
export function parseMoment(
  text: string,
  zone: string,
  nowMs: number,
  base?: TimeBound,
): TimeBound | undefined {
  const bound = parseBound(text);
  if (bound !== undefined) {
    return bound;
  }
  const today = partsIn(base === undefined ? nowMs : boundMs(base, nowMs), zone);
  const match =
    /^(?:(?:(\d{4})-(\d\d?)-(\d\d?)|([a-z]{3})[a-z]* (\d\d?)(?:,? (\d{4}))?)[ t]?)?(?:(\d\d?):(\d\d)(?::(\d\d))?)?$/.exec(
      text,
    );
  if (!match || text === '') {
    return undefined;
  }
  const [, isoYear, isoMonth, isoDay, monthName, namedDay, namedYear, hour, minute, second] = match;
  const named = monthName
    ? monthNames.findIndex((name) => name.toLowerCase() === monthName) + 1
    : undefined;
  const parts = {
    year: Number(isoYear ?? namedYear ?? today.year),
    month: isoMonth ? Number(isoMonth) : (named ?? today.month),
    day: Number(isoDay ?? namedDay ?? today.day),
    hour: Number(hour ?? 0),
    minute: Number(minute ?? 0),
    second: Number(second ?? 0),
  };
  const isValid =
    parts.month >= 1 &&
    parts.month <= 12 &&
    parts.day >= 1 &&
    parts.day <= new Date(Date.UTC(parts.year, parts.month, 0)).getUTCDate() &&
    parts.hour <= 24 &&
    parts.minute < 60 &&
    parts.second < 60;
  return isValid ? momentIn(parts, zone) : undefined;
}
