import uPlot from 'uplot';
import type { Span } from '../view/time-range.ts';
import { cssColor } from './css-color.ts';
import type { TimeData, TimeSeries } from './time-data.ts';
import { timeTicks } from './time-ticks.ts';

export type ChartKind = 'line' | 'bars';

/** A range of values; an end may be infinite. */
export interface ValueBand {
  low: number;
  high: number;
}

/** What the chart asks for while it draws: always of the present moment. */
export interface DrawSource {
  data: TimeData;
  span: Span;
  zone: string;
  thresholds: readonly number[];
  marked: readonly ValueBand[];
  /** Least and greatest value of the axis; absent: those of the data. */
  valueRange: readonly [number, number] | undefined;
  /** Whether a drag selects a range. */
  isBrushed: boolean;
  format(value: number): string;
  onCursor(chart: uPlot): void;
  onDraw(chart: uPlot): void;
  onSelect(chart: uPlot): void;
  onDoubleClick(): void;
}

const font = '11px "Inter Variable", sans-serif';
const axisHeight = 20;
/** About what the labels of values take. */
const valueAxisWidth = 56;
const minBrush = 4;

export function chartOptions(
  kind: ChartKind,
  size: { width: number; height: number },
  syncKey: string | undefined,
  now: () => DrawSource,
): uPlot.Options {
  // Bars that contain others are drawn first.
  const { series } = now().data;
  const drawn = kind === 'bars' ? series.toReversed() : series;
  return {
    ...size,
    legend: { show: false },
    padding: [8, 8, 0, 0],
    scales: {
      x: { time: false, range: () => [now().span.startMs, now().span.endMs] },
      y: {
        range: (_, min, max) => [...(now().valueRange ?? valueRange(min, max, now().thresholds))],
      },
    },
    cursor: {
      y: false,
      points: { show: kind === 'line', size: 7 },
      drag: { x: now().isBrushed, y: false, setScale: false, dist: minBrush },
      bind: { dblclick: () => () => (now().onDoubleClick(), null) },
      ...(syncKey !== undefined && { sync: synchronized(syncKey) }),
    },
    axes: [timeAxis(now), valueAxis(now)],
    series: [{}, ...drawn.map((one) => seriesOptions(kind, one))],
    hooks: {
      setCursor: [(chart) => now().onCursor(chart)],
      setSelect: [(chart) => chart.select.width >= minBrush && now().onSelect(chart)],
      drawClear: [(chart) => drawBands(chart, now().marked)],
      draw: [(chart) => drawThresholds(chart, now().thresholds), (chart) => now().onDraw(chart)],
    },
  };
}

/** Charts with the same key show the time under the pointer of any of them; nothing else. */
function synchronized(key: string): uPlot.Cursor.Sync {
  const isMove = (type: string): boolean => type === 'mousemove' || type === 'mouseleave';
  return { key, setSeries: false, filters: { pub: isMove, sub: isMove } };
}

function valueRange(
  min: number | null,
  max: number | null,
  thresholds: readonly number[],
): [number, number] {
  const low = Math.min(0, min ?? 0, ...thresholds);
  const high = Math.max(0, max ?? 0, ...thresholds);
  return [low * 1.1, high === 0 && low === 0 ? 1 : high * 1.1];
}

function timeAxis(now: () => DrawSource): uPlot.Axis {
  // The plot has no width of its own before the first paint.
  const ticksOf = (chart: uPlot) =>
    timeTicks(now().span, Math.max(1, chart.width - valueAxisWidth), now().zone);
  return {
    font,
    size: axisHeight,
    gap: 2,
    stroke: () => cssColor('var(--text-2)'),
    grid: { show: false },
    ticks: { show: false },
    splits: (chart) => ticksOf(chart).map(({ ms }) => ms),
    values: (chart) => ticksOf(chart).map(({ text }) => text),
  };
}

function valueAxis(now: () => DrawSource): uPlot.Axis {
  return {
    font,
    gap: 6,
    space: 32,
    size: (_, values) => 12 + 6.4 * Math.max(1, ...(values ?? []).map((text) => text.length)),
    stroke: () => cssColor('var(--text-2)'),
    grid: { stroke: () => cssColor('var(--line)'), width: 1 },
    ticks: { show: false },
    values: (_, splits) => splits.map((value) => now().format(value)),
  };
}

function seriesOptions(kind: ChartKind, { color, isDashed }: TimeSeries): uPlot.Series {
  const paint = (): string => cssColor(color);
  if (kind === 'bars') {
    return {
      stroke: paint,
      fill: paint,
      width: 0,
      ...(bars && { paths: bars }),
      points: { show: false },
    };
  }
  return {
    stroke: paint,
    width: 1.5,
    ...(isDashed && { dash: [5, 3] }),
    // A value without neighbours has no line: it is a point.
    points: { show: true, size: 5, fill: paint, filter: lonelyValues },
  };
}

const bars = uPlot.paths.bars?.({ size: [0.9, 60], align: 1, gap: 1 });

const lonelyValues: uPlot.Series.Points.Filter = (chart, seriesIndex) => {
  const values = chart.data[seriesIndex] ?? [];
  const lonely: number[] = [];
  for (let index = 0; index < values.length; index++) {
    const isNeighboured = values[index - 1] != null || values[index + 1] != null;
    if (values[index] != null && !isNeighboured) {
      lonely.push(index);
    }
  }
  return lonely;
};

/** Below the lines, as far as the plot goes. */
function drawBands(chart: uPlot, bands: readonly ValueBand[]): void {
  const { ctx, bbox } = chart;
  const limited = (y: number): number =>
    Math.min(Math.max(Number.isNaN(y) ? bbox.top : y, bbox.top), bbox.top + bbox.height);
  for (const { low, high } of bands) {
    const top = high === Infinity ? bbox.top : limited(chart.valToPos(high, 'y', true));
    const bottom =
      low === -Infinity ? bbox.top + bbox.height : limited(chart.valToPos(low, 'y', true));
    ctx.save();
    ctx.fillStyle = cssColor('var(--error-soft)');
    ctx.fillRect(bbox.left, top, bbox.width, bottom - top);
    ctx.restore();
  }
}

function drawThresholds(chart: uPlot, thresholds: readonly number[]): void {
  const { ctx, bbox } = chart;
  for (const threshold of thresholds) {
    const y = Math.round(chart.valToPos(threshold, 'y', true)) + 0.5;
    ctx.save();
    ctx.strokeStyle = cssColor('var(--error)');
    ctx.lineWidth = devicePixelRatio;
    ctx.setLineDash([4 * devicePixelRatio, 3 * devicePixelRatio]);
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
    ctx.restore();
  }
}
