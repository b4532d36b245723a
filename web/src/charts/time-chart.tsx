import {
  useEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
} from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useMedia } from '../view/use-media.ts';
import { usePref } from '../view/use-pref.ts';
import type { Span } from '../view/time-range.ts';
import { ChartTip, type TipPoint } from './chart-tip.tsx';
import { bucketAt, numbersOf, stacked, type TimeData } from './time-data.ts';
import { chartOptions, type ChartKind, type DrawSource, type ValueBand } from './uplot-options.ts';
import { useSize } from './use-size.ts';
import styles from './time-chart.module.css';

export interface TimeChartProps {
  /** What the chart shows: its name for screen readers, before the numbers. */
  label: string;
  kind: ChartKind;
  data: TimeData;
  span: Span;
  zone: string;
  /** The chart is drawn again if this is another function. */
  format(value: number): string;
  /** Charts with the same key share the crosshair. */
  syncKey?: string;
  /** Horizontal lines, such as the threshold of an alert. */
  thresholds?: readonly number[];
  /** Values that stand out, such as those that make an alert fire. */
  marked?: readonly ValueBand[];
  /** The time that something beside the chart points at; it follows, as within a `syncKey`. */
  cursorMs?: number | undefined;
  onCursor?: (ms: number | undefined) => void;
  /** Where the plot is, after each drawing, for what stands over it or below it. */
  onPlot?: (plot: ScaledPlot) => void;
  /** Least and greatest value of the axis; absent: those of the data. */
  valueRange?: readonly [number, number] | undefined;
  /** Absent: no range can be selected. */
  onZoom?: (span: Span) => void;
  onZoomOut?: () => void;
  /** Enter on a bucket, or a click. */
  onPick?: ((bucketIndex: number) => void) | undefined;
}

/** The part of a chart between its axes, in pixels from the left. */
export interface Plot {
  left: number;
  width: number;
}

/** The whole place of the plot, and the values at its edges. */
export interface ScaledPlot extends Plot {
  top: number;
  height: number;
  low: number;
  high: number;
}

const noThresholds: readonly number[] = [];
const noBands: readonly ValueBand[] = [];

/**
 * Lines or stacked bars over time. A drag or Shift + arrows select a range, a double click goes
 * back; arrows move the crosshair.
 */
export function TimeChart(props: TimeChartProps) {
  const { label, data, format, zone } = props;
  const host = useRef<HTMLDivElement>(null);
  const [tip, setTip] = useState<TipPoint>();
  const chart = useChart(props, host, setTip);
  const keys = useChartKeys(props, chart, setTip);
  const clicks = useClicks(props, chart);
  return (
    <div
      ref={host}
      role="group"
      tabIndex={0}
      aria-roledescription="chart"
      aria-label={`${label}. ${summaryOf(data, format)}`}
      className={styles.host}
      onPointerLeave={() => setTip(undefined)}
      onBlur={() => setTip(undefined)}
      onKeyDown={keys}
      {...clicks}
    >
      {tip && <ChartTip point={tip} data={data} zone={zone} format={format} />}
    </div>
  );
}

/** `cart: last 5, highest 12; checkout: …` */
function summaryOf({ series }: TimeData, format: (value: number) => string): string {
  const said = series.slice(0, 8).flatMap(({ name, values }) => {
    const numbers = numbersOf(values);
    return numbers ? [`${name}: last ${format(numbers.last)}, highest ${format(numbers.max)}`] : [];
  });
  const more = series.length > 8 ? ` and ${series.length - 8} more` : '';
  return said.length === 0 ? 'No values.' : `${said.join('; ')}${more}.`;
}

type SetTip = (point: TipPoint | undefined) => void;

function useChart(
  props: TimeChartProps,
  host: React.RefObject<HTMLDivElement | null>,
  setTip: SetTip,
): React.RefObject<uPlot | undefined> {
  const { kind, data, span, zone, format, syncKey, valueRange } = props;
  const { thresholds = noThresholds, marked = noBands } = props;
  const chart = useRef<uPlot>(undefined);
  const latest = useRef(props);
  latest.current = props;
  const size = useSize(host);
  const isReady = size !== undefined && size.width > 0 && size.height > 0;
  const columns = useMemo(() => columnsOf(kind, data), [kind, data]);
  // Lines that come or go need another chart; new values of the same lines do not.
  const shape = data.series.map(({ color, isDashed }) => `${color}${isDashed}`).join();

  useEffect(() => {
    const element = host.current;
    if (!element || !isReady) {
      return undefined;
    }
    const now = (): DrawSource => drawSource(latest.current, host, setTip);
    const made = new uPlot(
      chartOptions(kind, { width: size.width, height: size.height }, syncKey, now),
      columnsOf(kind, latest.current.data),
      element,
    );
    chart.current = made;
    return () => {
      chart.current = undefined;
      made.destroy();
    };
    // Its size and its data change in place, below.
  }, [kind, shape, syncKey, isReady, zone]);

  useEffect(() => {
    if (size) {
      chart.current?.setSize(size);
    }
  }, [size]);
  useEffect(() => chart.current?.setData(columns), [columns, span, thresholds, marked, valueRange]);
  useEffect(() => followCursor(chart.current, props.cursorMs), [props.cursorMs]);
  const [theme] = usePref('theme');
  const isDark = useMedia('(prefers-color-scheme: dark)');
  useEffect(() => chart.current?.redraw(), [theme, isDark]);
  // Longer labels need a wider axis.
  useEffect(() => chart.current?.redraw(true, true), [format]);
  return chart;
}

const outside = -10;

/** Moves the crosshair to a time that was pointed at elsewhere. */
function followCursor(chart: uPlot | undefined, ms: number | undefined): void {
  const left = ms === undefined ? outside : (chart?.valToPos(ms, 'x') ?? outside);
  if (chart && Math.abs(left - (chart.cursor.left ?? outside)) > 0.5) {
    chart.setCursor({ left, top: left < 0 ? outside : chart.over.clientHeight / 2 });
  }
}

function columnsOf(kind: ChartKind, { timesMs, series }: TimeData): uPlot.AlignedData {
  const values = kind === 'bars' ? stacked(series).toReversed() : series.map((one) => one.values);
  return [timesMs, ...values] as uPlot.AlignedData;
}

function drawSource(
  props: TimeChartProps,
  host: React.RefObject<HTMLDivElement | null>,
  setTip: SetTip,
): DrawSource {
  const { data, span, zone, format, onZoom } = props;
  const { thresholds = noThresholds, marked = noBands } = props;
  return {
    data,
    span,
    zone,
    format,
    thresholds,
    marked,
    valueRange: props.valueRange,
    isBrushed: onZoom !== undefined,
    onDoubleClick: () => props.onZoomOut?.(),
    onCursor(chart) {
      // Charts that only follow show the line and no numbers.
      const isOwn = host.current?.matches(':hover') || host.current === document.activeElement;
      setTip(isOwn ? pointOf(chart, data) : undefined);
      const { left = outside } = chart.cursor;
      props.onCursor?.(left < 0 ? undefined : chart.posToVal(left, 'x'));
    },
    onDraw: (chart) => props.onPlot?.(plotOf(chart)),
    onSelect(chart) {
      const { left, width } = chart.select;
      chart.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
      onZoom?.({
        startMs: Math.round(chart.posToVal(left, 'x')),
        endMs: Math.round(chart.posToVal(left + width, 'x')),
      });
    },
  };
}

function plotOf({ bbox, scales }: uPlot): ScaledPlot {
  return {
    left: bbox.left / devicePixelRatio,
    top: bbox.top / devicePixelRatio,
    width: bbox.width / devicePixelRatio,
    height: bbox.height / devicePixelRatio,
    low: scales['y']?.min ?? 0,
    high: scales['y']?.max ?? 1,
  };
}

function pointOf(chart: uPlot, data: TimeData): TipPoint | undefined {
  const { left = -1, top = 0 } = chart.cursor;
  const index = left < 0 ? undefined : bucketAt(data, chart.posToVal(left, 'x'));
  const box = chart.over.getBoundingClientRect();
  return index === undefined ? undefined : { index, x: box.left + left, y: box.top + top };
}

const clickSlack = 4;

/** A click picks its bucket; the end of a drag does not. */
function useClicks({ data, onPick }: TimeChartProps, chart: React.RefObject<uPlot | undefined>) {
  const pressedAt = useRef(0);
  return {
    onPointerDown: (event: PointerEvent) => {
      pressedAt.current = event.clientX;
    },
    onClick: (event: MouseEvent) => {
      const made = chart.current;
      if (!made || !onPick || Math.abs(event.clientX - pressedAt.current) >= clickSlack) {
        return;
      }
      const left = event.clientX - made.over.getBoundingClientRect().left;
      const index = bucketAt(data, made.posToVal(left, 'x'));
      if (index !== undefined) {
        onPick(index);
      }
    },
  };
}

function useChartKeys(
  { data, onZoom, onPick }: TimeChartProps,
  chart: React.RefObject<uPlot | undefined>,
  setTip: SetTip,
): (event: KeyboardEvent) => void {
  const at = useRef<number>(undefined);
  const from = useRef<number>(undefined);
  const moveTo = (index: number): void => {
    const { timesMs, bucketMs } = data;
    const made = chart.current;
    if (!made || timesMs[index] === undefined) {
      return;
    }
    at.current = index;
    const left = made.valToPos(timesMs[index] + bucketMs / 2, 'x');
    made.setCursor({ left, top: made.over.clientHeight / 2 }, true);
    setTip(pointOf(made, data));
  };
  const show = (): void => {
    const made = chart.current;
    const chosen = spanOf(data, from.current, at.current);
    if (made && chosen) {
      const left = made.valToPos(chosen.startMs, 'x');
      const width = made.valToPos(chosen.endMs, 'x') - left;
      made.setSelect({ left, width, top: 0, height: made.over.clientHeight }, false);
    }
  };
  return (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const last = data.timesMs.length - 1;
    if (step !== undefined) {
      event.preventDefault();
      from.current = event.shiftKey && onZoom ? (from.current ?? at.current) : undefined;
      moveTo(Math.min(Math.max((at.current ?? last + 1) + step, 0), last));
      show();
    } else if (event.key === 'Enter' && at.current !== undefined) {
      const chosen = spanOf(data, from.current, at.current);
      if (chosen) {
        onZoom?.(chosen);
      } else {
        onPick?.(at.current);
      }
    } else if (event.key === 'Escape') {
      setTip(undefined);
    }
    if (event.key === 'Enter' || event.key === 'Escape') {
      from.current = undefined;
      chart.current?.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    }
  };
}

function spanOf(
  { timesMs, bucketMs }: TimeData,
  from: number | undefined,
  to: number | undefined,
): Span | undefined {
  if (from === undefined || to === undefined) {
    return undefined;
  }
  const [start, end] = [timesMs[Math.min(from, to)], timesMs[Math.max(from, to)]];
  return start === undefined || end === undefined
    ? undefined
    : { startMs: start, endMs: end + bucketMs };
}
