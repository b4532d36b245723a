import { barOf, type TimeWindow } from './scale.ts';
import type { TraceTree } from './tree.ts';

/** Size of the picture of a trace, in its own units. */
export const mapSize = { width: 1000, height: 48 };

const lineMax = 4;

export interface MapPath {
  service: string;
  /** Of an SVG path of horizontal lines. */
  d: string;
}

export interface TraceMap {
  /** Height of a line. */
  line: number;
  paths: readonly MapPath[];
  /** Failed spans, over all others. */
  errors: string;
}

/**
 * A picture of all spans, one line a span as long as they fit, and several spans a line after that.
 * Spans of one service that overlap on a line are one stroke, so that its size has a bound.
 */
export function traceMap({ nodes }: TraceTree, whole: TimeWindow): TraceMap {
  const count = nodes.length;
  const line = Math.max(1, Math.min(lineMax, mapSize.height / Math.max(count, 1)));
  const strokes = new Map<string, Strokes>();
  const errors: Strokes = new Map();
  for (const [index, { span, isError }] of nodes.entries()) {
    const y = line > 1 ? index * line : Math.floor((index * mapSize.height) / count);
    const { left, width } = barOf(whole, span.startNanos, span.durationNanos);
    const from = Math.floor(left * mapSize.width);
    const to = Math.max(from + 1, Math.ceil((left + width) * mapSize.width));
    const own: Strokes = strokes.get(span.serviceName) ?? new Map();
    strokes.set(span.serviceName, own);
    add(own, y, from, to);
    if (isError) {
      add(errors, y, from, to);
    }
  }
  return {
    line,
    paths: [...strokes].map(([service, own]) => ({ service, d: pathOf(own, line) })),
    errors: pathOf(errors, line),
  };
}

type Strokes = Map<number, [from: number, to: number][]>;

function add(strokes: Strokes, y: number, from: number, to: number): void {
  const line = strokes.get(y) ?? [];
  strokes.set(y, line);
  line.push([from, to]);
}

function pathOf(strokes: Strokes, height: number): string {
  const parts: string[] = [];
  for (const [y, line] of strokes) {
    for (const [from, to] of joined(line)) {
      parts.push(`M${from} ${Math.round((y + height / 2) * 100) / 100}H${to}`);
    }
  }
  return parts.join('');
}

/** Ranges that overlap or touch, as one. */
export function joined(ranges: readonly [from: number, to: number][]): [number, number][] {
  const whole: [number, number][] = [];
  for (const [from, to] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = whole.at(-1);
    if (last && from <= last[1]) {
      last[1] = Math.max(last[1], to);
    } else {
      whole.push([from, to]);
    }
  }
  return whole;
}
