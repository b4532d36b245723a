import type { Span } from '../view/time-range.ts';
import { formatClock, formatTime, momentIn, offsetMs, partsIn } from '../view/zone.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const stepsMs = [
  1000,
  2000,
  5000,
  10_000,
  15_000,
  30_000,
  minuteMs,
  2 * minuteMs,
  5 * minuteMs,
  10 * minuteMs,
  15 * minuteMs,
  30 * minuteMs,
  hourMs,
  2 * hourMs,
  3 * hourMs,
  6 * hourMs,
  12 * hourMs,
  dayMs,
  2 * dayMs,
  7 * dayMs,
  14 * dayMs,
  30 * dayMs,
  90 * dayMs,
  365 * dayMs,
];

const tickWidth = 96;
const edge = 24;

/** Ticks at round times of the zone, as many as fit; none at the edges, where text would be cut. */
export function timeTicks(span: Span, width: number, zone: string): { ms: number; text: string }[] {
  const length = span.endMs - span.startMs;
  const count = Math.max(1, Math.floor(width / tickWidth));
  const step = stepsMs.find((one) => length / one <= count) ?? 365 * dayMs;
  const shift = offsetMs(span.startMs, zone);
  const ticks: { ms: number; text: string }[] = [];
  const first = Math.ceil((span.startMs + shift) / step) * step - shift;
  for (let ms = first; ms < span.endMs; ms += step) {
    const at = step >= dayMs ? midnight(ms, zone) : ms;
    const x = ((at - span.startMs) / length) * width;
    if (x >= edge && x <= width - edge) {
      ticks.push({ ms: at, text: tickText(at, step, zone) });
    }
  }
  return ticks;
}

/** The nearest midnight: a day may have 23 or 25 hours. */
function midnight(ms: number, zone: string): number {
  const { year, month, day } = partsIn(ms + 2 * hourMs, zone);
  return momentIn({ year, month, day, hour: 0, minute: 0, second: 0 }, zone);
}

function tickText(ms: number, step: number, zone: string): string {
  const { hour, minute, second } = partsIn(ms, zone);
  if (step >= dayMs || (hour === 0 && minute === 0 && second === 0)) {
    return formatTime(ms, zone, 'day');
  }
  return formatClock(ms, zone, step < minuteMs ? 'second' : 'minute');
}
