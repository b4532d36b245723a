import { useCallback, useMemo, useState, type KeyboardEvent, type PointerEvent } from 'react';
import type { Span } from '../view/time-range.ts';
import { TimeChart, type ScaledPlot, type TimeChartProps } from './time-chart.tsx';
import { rounded, stepOf } from './threshold-step.ts';
import styles from './threshold-chart.module.css';

/** A threshold that the person moves. */
export interface Bound {
  /** Name of the handle, such as "Threshold". */
  label: string;
  /** Beside the line, such as `≥ 10`. */
  text: string;
  value: number;
  onChange(value: number): void;
}

/** A bucket that stands out. */
export interface Mark {
  startMs: number;
  state: 'pending' | 'firing';
  /** Whether it begins here. */
  isStart: boolean;
}

interface ThresholdChartProps extends Pick<
  TimeChartProps,
  'label' | 'kind' | 'data' | 'span' | 'zone' | 'format' | 'marked'
> {
  bounds: readonly Bound[];
  marks: readonly Mark[];
}

/** A chart over time whose thresholds are dragged, or moved by arrow keys. */
export function ThresholdChart({ bounds, marks, ...chart }: ThresholdChartProps) {
  const { data, span } = chart;
  const [plot, setPlot] = useState<ScaledPlot>();
  // The axis stands still while a threshold is dragged.
  const [held, setHeld] = useState<readonly [number, number]>();
  const key = JSON.stringify(bounds.map(({ value }) => value));
  const thresholds = useMemo(() => JSON.parse(key) as number[], [key]);
  const onPlot = useCallback(
    (next: ScaledPlot) =>
      setPlot((before) => (JSON.stringify(before) === JSON.stringify(next) ? before : next)),
    [],
  );
  const step = useMemo(() => stepOf(data, thresholds), [data, thresholds]);
  return (
    <div className={styles.frame}>
      <TimeChart {...chart} thresholds={thresholds} valueRange={held} onPlot={onPlot} />
      {plot && (
        <>
          <Marks
            plot={plot}
            marks={marks}
            span={span}
            bucketMs={data.bucketMs}
            hasStrip={chart.kind === 'line'}
          />
          {bounds.map((bound) => (
            <Handle
              key={bound.label}
              bound={bound}
              plot={plot}
              step={step}
              onHold={(isHeld) => setHeld(isHeld ? [plot.low, plot.high] : undefined)}
            />
          ))}
        </>
      )}
    </div>
  );
}

interface MarksProps {
  plot: ScaledPlot;
  marks: readonly Mark[];
  span: Span;
  bucketMs: number;
  /** Bars say their state by their colour. */
  hasStrip: boolean;
}

const stripHeight = 6;

/** The marked buckets at the foot of the plot, with a line where each firing begins. */
function Marks({ plot, marks, span, bucketMs, hasStrip }: MarksProps) {
  const { left, top, width, height } = plot;
  const perMs = width / (span.endMs - span.startMs);
  return (
    <svg
      className={styles.marks}
      style={{ left, top, width, height }}
      viewBox={`0 0 ${width} ${height}`}
      aria-hidden
    >
      {marks.map(({ startMs, state, isStart }) => {
        const x = (startMs - span.startMs) * perMs;
        const barWidth = Math.max(1, bucketMs * perMs - 1);
        return (
          <g key={startMs} data-state={state} className={styles.mark}>
            {hasStrip && (
              <rect x={x} y={height - stripHeight} width={barWidth} height={stripHeight} />
            )}
            {isStart && <line x1={x} x2={x} y1={8} y2={height} />}
            {isStart && <circle cx={x} cy={6} r={4} />}
          </g>
        );
      })}
    </svg>
  );
}

/** Pixels from the top of the plot; a value outside lies at the edge. */
function yOf({ low, high, height }: ScaledPlot, value: number): number {
  const y = height * (1 - (value - low) / (high - low));
  return Math.min(Math.max(y, 0), height);
}

/** Steps of the keys that move a threshold. */
const keySteps: Record<string, number> = {
  ArrowUp: 1,
  ArrowRight: 1,
  ArrowDown: -1,
  ArrowLeft: -1,
  PageUp: 10,
  PageDown: -10,
};

interface HandleProps {
  bound: Bound;
  plot: ScaledPlot;
  step: number;
  onHold(isHeld: boolean): void;
}

/** The line of a threshold, to take hold of. */
function Handle({ bound: { label, text, value, onChange }, plot, step, onHold }: HandleProps) {
  const { left, top, width, height, low, high } = plot;
  const drag = (event: PointerEvent<HTMLDivElement>): void => {
    const line = event.currentTarget;
    line.setPointerCapture(event.pointerId);
    line.focus();
    onHold(true);
    const startY = event.clientY;
    const move = (to: globalThis.PointerEvent): void =>
      onChange(rounded(value - ((to.clientY - startY) / height) * (high - low), step));
    const stop = (): void => {
      line.removeEventListener('pointermove', move);
      onHold(false);
    };
    line.addEventListener('pointermove', move);
    line.addEventListener('lostpointercapture', stop, { once: true });
    event.preventDefault();
  };
  const press = (event: KeyboardEvent): void => {
    const steps = keySteps[event.key];
    if (steps !== undefined) {
      event.preventDefault();
      event.stopPropagation();
      onChange(rounded(value + steps * step, step));
    }
  };
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-orientation="vertical"
      aria-valuemin={Math.min(low, value)}
      aria-valuemax={Math.max(high, value)}
      aria-valuenow={value}
      aria-valuetext={text}
      className={styles.handle}
      style={{ left, width, top: top + yOf(plot, value) }}
      onPointerDown={drag}
      onKeyDown={press}
    >
      <span className={styles.chip}>{text}</span>
    </div>
  );
}
