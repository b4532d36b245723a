import {
  useEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
} from 'react';
import type { Span } from '../view/time-range.ts';
import { formatShort } from '../view/number-format.ts';
import { formatClock, formatTime } from '../view/zone.ts';
import { timeTicks } from './time-ticks.ts';
import styles from './histogram.module.css';

export interface HistogramBucket {
  startMs: number;
  /** By the name of the part. */
  counts: Record<string, number>;
}

export interface HistogramPart {
  name: string;
  /** CSS colour. */
  color: string;
}

interface HistogramProps {
  label: string;
  buckets: readonly HistogramBucket[];
  bucketMs: number;
  span: Span;
  /** From the bottom up. */
  parts: readonly HistogramPart[];
  zone: string;
  /** The bucket under the pointer or the cursor. */
  onPoint(bucket: HistogramBucket | undefined): void;
  onZoom(span: Span): void;
  onZoomOut(): void;
}

const height = 72;
const axisHeight = 18;
const dragMin = 4;

/** Stacked counts over time. Drag or Shift + arrows select a range, a double click goes back. */
export function Histogram(props: HistogramProps) {
  const { buckets, bucketMs, span, parts, label, zone } = props;
  const host = useRef<HTMLDivElement>(null);
  const width = useWidth(host);
  const brush = useBrush(props, host);
  const top = Math.max(1, ...buckets.map(totalOf));
  const x = (ms: number): number => ((ms - span.startMs) / (span.endMs - span.startMs)) * width;
  const barWidth = Math.max(1, x(span.startMs + bucketMs) - 1);
  return (
    <div
      ref={host}
      role="group"
      tabIndex={0}
      aria-label={label}
      aria-roledescription="chart"
      className={styles.host}
      {...brush.handlers}
    >
      <svg width={width} height={height + axisHeight} aria-hidden focusable="false">
        <line x1={0} x2={width} y1={height - 0.5} y2={height - 0.5} className={styles.base} />
        {buckets.map((bucket) => (
          <Bar
            key={bucket.startMs}
            bucket={bucket}
            parts={parts}
            left={Math.round(x(bucket.startMs))}
            width={Math.round(barWidth)}
            top={top}
          />
        ))}
        {timeTicks(span, width, zone).map(({ ms, text }) => (
          <text key={ms} x={x(ms)} y={height + 13} className={styles.tick}>
            {text}
          </text>
        ))}
        {brush.point && (
          <rect
            x={Math.round(x(brush.point.startMs)) - 0.5}
            width={Math.round(barWidth) + 1}
            y={0}
            height={height}
            className={styles.point}
          />
        )}
        {brush.selection && (
          <rect
            x={x(brush.selection.startMs)}
            width={Math.max(0, x(brush.selection.endMs) - x(brush.selection.startMs))}
            y={0}
            height={height}
            className={styles.selection}
          />
        )}
      </svg>
      <span className={styles.top} aria-hidden>
        {formatShort(top)}
      </span>
    </div>
  );
}

interface BarProps {
  bucket: HistogramBucket;
  parts: readonly HistogramPart[];
  left: number;
  width: number;
  top: number;
}

function Bar({ bucket, parts, left, width, top }: BarProps) {
  let below = 0;
  return parts.map(({ name, color }) => {
    const count = bucket.counts[name] ?? 0;
    if (count === 0) {
      return null;
    }
    // One row in a million must be seen, too.
    const size = Math.max(1, (count / top) * (height - 8));
    below += size;
    return (
      <rect
        key={name}
        x={left}
        width={width}
        y={height - 1 - below}
        height={size}
        style={{ fill: color }}
      />
    );
  });
}

export function totalOf({ counts }: HistogramBucket): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** `Nov 22 12:51:00 – 12:51:30` */
export function bucketLabel(startMs: number, bucketMs: number, zone: string): string {
  const precision = bucketMs % 60_000 === 0 ? 'minute' : 'second';
  const start = formatTime(startMs, zone, precision);
  return `${start} – ${formatClock(startMs + bucketMs, zone, precision)}`;
}

function useWidth(host: RefObject<HTMLDivElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = host.current;
    if (!element) {
      return undefined;
    }
    const observer = new ResizeObserver(([entry]) => {
      setWidth(Math.floor(entry?.contentRect.width ?? 0));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [host]);
  return width;
}

/** Pointer and keys: the bucket that is pointed at, and the range that is being selected. */
function useBrush(props: HistogramProps, host: RefObject<HTMLDivElement | null>) {
  const { buckets, bucketMs, span, onPoint, onZoom, onZoomOut } = props;
  const [point, setPoint] = useState<HistogramBucket>();
  const [selection, setSelection] = useState<Span>();
  const drag = useRef<{ x: number; ms: number }>(undefined);

  const msAt = (clientX: number): number => {
    const box = host.current?.getBoundingClientRect();
    const share = box ? (clientX - box.left) / box.width : 0;
    return span.startMs + Math.min(Math.max(share, 0), 1) * (span.endMs - span.startMs);
  };
  const moveTo = (bucket: HistogramBucket | undefined): void => {
    setPoint(bucket);
    onPoint(bucket);
  };
  const at = (ms: number): HistogramBucket | undefined =>
    buckets.find(({ startMs }) => ms >= startMs && ms < startMs + bucketMs);
  const finish = (chosen: Span | undefined): void => {
    drag.current = undefined;
    setSelection(undefined);
    if (chosen && chosen.endMs - chosen.startMs >= 1) {
      onZoom(chosen);
    }
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    const index = point ? buckets.indexOf(point) : buckets.length;
    const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1 };
    const step = steps[event.key];
    if (step !== undefined) {
      event.preventDefault();
      const next = buckets[Math.min(Math.max(index + step, 0), buckets.length - 1)];
      const from = selection ?? (point && bucketSpan(point, bucketMs));
      setSelection(
        event.shiftKey && next && from ? joined(from, bucketSpan(next, bucketMs)) : undefined,
      );
      moveTo(next);
    } else if (event.key === 'Enter' && point) {
      finish(selection ?? bucketSpan(point, bucketMs));
    } else if (event.key === 'Escape') {
      finish(undefined);
    }
  };
  const handlers = {
    onKeyDown,
    onBlur: () => {
      setSelection(undefined);
      moveTo(undefined);
    },
    onDoubleClick: onZoomOut,
    onPointerDown: (event: PointerEvent) => {
      if (event.button === 0) {
        drag.current = { x: event.clientX, ms: msAt(event.clientX) };
        host.current?.setPointerCapture(event.pointerId);
      }
    },
    onPointerMove: (event: PointerEvent) => {
      const ms = msAt(event.clientX);
      moveTo(at(ms));
      if (drag.current && Math.abs(event.clientX - drag.current.x) >= dragMin) {
        setSelection({
          startMs: Math.min(drag.current.ms, ms),
          endMs: Math.max(drag.current.ms, ms),
        });
      }
    },
    onPointerUp: () => finish(selection),
    onPointerCancel: () => finish(undefined),
    onPointerLeave: () => moveTo(undefined),
  };
  return { point, selection, handlers };
}

const bucketSpan = ({ startMs }: HistogramBucket, bucketMs: number): Span => ({
  startMs,
  endMs: startMs + bucketMs,
});

const joined = (a: Span, b: Span): Span => ({
  startMs: Math.min(a.startMs, b.startMs),
  endMs: Math.max(a.endMs, b.endMs),
});
