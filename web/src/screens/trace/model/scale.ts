/** A part of a trace, in nanoseconds after its start. `toNanos` is after `fromNanos`. */
export interface TimeWindow {
  fromNanos: number;
  toNanos: number;
}

/** The deepest zoom. */
const lengthMin = 20;

/** All of a trace. A trace without a length is shown as if it had one. */
export const wholeWindow = (durationNanos: number): TimeWindow => ({
  fromNanos: 0,
  toNanos: Math.max(durationNanos, lengthMin),
});

const lengthOf = ({ fromNanos, toNanos }: TimeWindow): number => toNanos - fromNanos;

/** The nearest window of at least the smallest length within the whole. */
export function clampWindow(window: TimeWindow, whole: TimeWindow): TimeWindow {
  const length = Math.min(Math.max(Math.round(lengthOf(window)), lengthMin), lengthOf(whole));
  const latest = whole.toNanos - length;
  const fromNanos = Math.min(Math.max(Math.round(window.fromNanos), whole.fromNanos), latest);
  return { fromNanos, toNanos: fromNanos + length };
}

export const isWhole = (window: TimeWindow, whole: TimeWindow): boolean =>
  window.fromNanos <= whole.fromNanos && window.toNanos >= whole.toNanos;

/** The window `factor` times as long, in which `atNanos` keeps its place. */
export function zoomBy(
  window: TimeWindow,
  whole: TimeWindow,
  factor: number,
  atNanos: number,
): TimeWindow {
  const at = Math.min(Math.max(atNanos, window.fromNanos), window.toNanos);
  const fromNanos = at - (at - window.fromNanos) * factor;
  return clampWindow({ fromNanos, toNanos: fromNanos + lengthOf(window) * factor }, whole);
}

/** The window moved by a share of its length; negative: earlier. */
export function panBy(window: TimeWindow, whole: TimeWindow, share: number): TimeWindow {
  const move = lengthOf(window) * share;
  return clampWindow({ fromNanos: window.fromNanos + move, toNanos: window.toNanos + move }, whole);
}

/** The window around a span, with a tenth of its length on both sides. */
export function windowAround(
  startNanos: number,
  durationNanos: number,
  whole: TimeWindow,
): TimeWindow {
  const margin = Math.max(durationNanos * 0.1, lengthMin / 2);
  return clampWindow(
    { fromNanos: startNanos - margin, toNanos: startNanos + durationNanos + margin },
    whole,
  );
}

/** Place of a moment in the window: 0 at its start, 1 at its end. */
export const shareOf = (window: TimeWindow, nanos: number): number =>
  (nanos - window.fromNanos) / lengthOf(window);

export const nanosAt = (window: TimeWindow, share: number): number =>
  window.fromNanos + Math.min(Math.max(share, 0), 1) * lengthOf(window);

export interface Bar {
  /** 0–1, as far as it is in the window. */
  left: number;
  width: number;
  /** The span, or a part of it, is outside the window. */
  isCutBefore: boolean;
  isCutAfter: boolean;
}

/** Where a span is in the window. A span outside has no width, at the edge that it is behind. */
export function barOf(window: TimeWindow, startNanos: number, durationNanos: number): Bar {
  const start = shareOf(window, startNanos);
  const end = shareOf(window, startNanos + durationNanos);
  const left = Math.min(Math.max(start, 0), 1);
  return {
    left,
    width: Math.max(0, Math.min(end, 1) - left),
    isCutBefore: start < 0,
    isCutAfter: end > 1,
  };
}

export interface Tick {
  nanos: number;
  share: number;
  text: string;
}

const halfCharWidth = 3.2;

/** CSS position of the middle of a tick's text: at its place, but not over an end of the axis. */
export function tickLeft(share: number, text: string): string {
  const half = `${Math.ceil(text.length * halfCharWidth)}px`;
  return `clamp(${half}, ${share * 100}%, calc(100% - ${half}))`;
}

const units: readonly [nanos: number, name: string][] = [
  [60e9, 'min'],
  [1e9, 's'],
  [1e6, 'ms'],
  [1e3, 'µs'],
  [1, 'ns'],
];

/** Ticks at round distances from the start of the trace, at most `countMax` and one at the start. */
export function ticksOf(window: TimeWindow, countMax: number): Tick[] {
  const step = roundStep(lengthOf(window) / Math.max(1, countMax));
  const first = Math.ceil(window.fromNanos / step);
  const last = Math.floor(window.toNanos / step);
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const nanos = (first + index) * step;
    return { nanos, share: shareOf(window, nanos), text: tickText(nanos, step) };
  });
}

/** The smallest of 1, 2, 5, 10, 20, 50 … units, and of whole parts of minutes and hours, that fits. */
function roundStep(atLeast: number): number {
  if (atLeast > 30e9) {
    const minutes = [1, 2, 5, 10, 15, 30, 60].find((one) => one * 60e9 >= atLeast);
    return minutes === undefined ? 3600e9 * power(atLeast / 3600e9) : minutes * 60e9;
  }
  if (atLeast > 10e9) {
    return atLeast > 20e9 ? 30e9 : 20e9;
  }
  return Math.max(1, power(atLeast));
}

function power(atLeast: number): number {
  const ten = 10 ** Math.floor(Math.log10(Math.max(atLeast, 1)));
  const factor = [1, 2, 5, 10].find((one) => one * ten >= atLeast * (1 - 1e-9)) ?? 10;
  return factor * ten;
}

/** With as many digits as tell two neighbours apart. */
function tickText(nanos: number, step: number): string {
  if (nanos === 0) {
    return '0';
  }
  const [unit, name] = units.find(([one]) => nanos >= one) ?? [1, 'ns'];
  const digits = Math.max(0, Math.ceil(Math.log10(unit / step) - 1e-9));
  const isRound = unit === 60e9 && step < 60e9;
  return isRound
    ? `${(nanos / 1e9).toFixed(Math.max(0, Math.ceil(Math.log10(1e9 / step) - 1e-9)))} s`
    : `${(nanos / unit).toFixed(digits)} ${name}`;
}
