import { memo, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react';
import { formatDuration } from '../../view/number-format.ts';
import { mapSize, type TraceMap } from './model/minimap-paths.ts';
import { isWhole, nanosAt, shareOf, tickLeft, ticksOf, type TimeWindow } from './model/scale.ts';
import type { Service } from './model/services.ts';
import styles from './minimap.module.css';

interface MinimapProps {
  map: TraceMap;
  services: ReadonlyMap<string, Service>;
  window: TimeWindow;
  whole: TimeWindow;
  onWindow(window: TimeWindow): void;
}

const percent = (share: number): string => `${Math.min(Math.max(share, 0), 1) * 100}%`;
/** Pixels before a press is a drag. */
const dragMin = 4;

/** All spans small. Drag to look at a part; a double click shows the whole trace again. */
export function Minimap({ map, services, window, whole, onWindow }: MinimapProps) {
  const host = useRef<HTMLDivElement>(null);
  const start = useRef<{ x: number; nanos: number }>(undefined);
  const [drawn, setDrawn] = useState<TimeWindow>();
  const nanosOf = (clientX: number): number => {
    const box = host.current?.getBoundingClientRect();
    return nanosAt(whole, box ? (clientX - box.left) / box.width : 0);
  };
  const finish = (): void => {
    start.current = undefined;
    setDrawn(undefined);
    if (drawn) {
      onWindow(drawn);
    }
  };
  const handlers = {
    onPointerDown: (event: PointerEvent): void => {
      if (event.button === 0) {
        start.current = { x: event.clientX, nanos: nanosOf(event.clientX) };
        host.current?.setPointerCapture(event.pointerId);
      }
    },
    onPointerMove: (event: PointerEvent): void => {
      if (start.current && Math.abs(event.clientX - start.current.x) >= dragMin) {
        const [a, b] = [start.current.nanos, nanosOf(event.clientX)];
        setDrawn({ fromNanos: Math.min(a, b), toNanos: Math.max(a, b) });
      }
    },
    onPointerUp: finish,
    onPointerCancel: () => {
      start.current = undefined;
      setDrawn(undefined);
    },
    onDoubleClick: () => onWindow(whole),
  };
  const shown = drawn ?? window;
  const [left, right] = [shareOf(whole, shown.fromNanos), shareOf(whole, shown.toNanos)];
  return (
    <div className={styles.minimap}>
      <div
        ref={host}
        role="group"
        aria-label="Overview of the trace. Drag to zoom."
        className={styles.host}
        {...handlers}
      >
        <Picture map={map} services={services} />
        {!isWhole(shown, whole) && (
          <>
            <div className={styles.shade} style={{ left: 0, width: percent(left) }} />
            <div className={styles.shade} style={{ right: 0, width: percent(1 - right) }} />
          </>
        )}
        <div className={styles.line} style={{ left: percent(left) }} />
        <div className={styles.line} style={{ left: percent(right) }} />
        <Edge
          label="Start of the view"
          left={`clamp(-12px, ${percent(left)} - 24px, 100% - 36px)`}
          nanos={shown.fromNanos}
          whole={whole}
          onMove={(fromNanos) =>
            onWindow({ fromNanos, toNanos: Math.max(window.toNanos, fromNanos) })
          }
        />
        <Edge
          label="End of the view"
          left={`clamp(12px, ${percent(right)}, 100% - 12px)`}
          nanos={shown.toNanos}
          whole={whole}
          onMove={(toNanos) =>
            onWindow({ fromNanos: Math.min(window.fromNanos, toNanos), toNanos })
          }
        />
      </div>
      <div className={styles.axis} aria-hidden>
        {ticksOf(whole, 8).map(({ nanos, share, text }) => (
          <span key={nanos} style={{ left: tickLeft(share, text) }}>
            {text}
          </span>
        ))}
      </div>
    </div>
  );
}

const Picture = memo(function Picture({ map, services }: Pick<MinimapProps, 'map' | 'services'>) {
  return (
    <svg
      viewBox={`0 0 ${mapSize.width} ${mapSize.height}`}
      preserveAspectRatio="none"
      className={styles.picture}
      aria-hidden
      focusable="false"
    >
      {map.paths.map(({ service, d }) => (
        <path
          key={service}
          d={d}
          strokeWidth={map.line}
          style={{ stroke: services.get(service)?.color }}
          strokeDasharray={services.get(service)?.isDashed ? '4 2' : undefined}
        />
      ))}
      {map.errors !== '' && (
        <path d={map.errors} strokeWidth={map.line} className={styles.errors} />
      )}
    </svg>
  );
});

interface EdgeProps {
  label: string;
  /** Where its handle begins. The two stand outside of the view, so that they never overlap. */
  left: string;
  nanos: number;
  whole: TimeWindow;
  onMove(nanos: number): void;
}

const step = 0.02;

/** An edge of the view: a slider for the pointer and for keys. */
function Edge({ label, left, nanos, whole, onMove }: EdgeProps) {
  const share = shareOf(whole, nanos);
  const onKeyDown = (event: KeyboardEvent): void => {
    const targets: Record<string, number> = {
      ArrowLeft: share - step,
      ArrowDown: share - step,
      ArrowRight: share + step,
      ArrowUp: share + step,
      PageDown: share - 5 * step,
      PageUp: share + 5 * step,
      Home: 0,
      End: 1,
    };
    const target = targets[event.key];
    if (target !== undefined) {
      event.preventDefault();
      onMove(nanosAt(whole, target));
    }
  };
  const drag = (event: PointerEvent<HTMLElement>): void => {
    const edge = event.currentTarget;
    const box = edge.parentElement?.getBoundingClientRect();
    edge.setPointerCapture(event.pointerId);
    const move = (to: globalThis.PointerEvent): void =>
      onMove(nanosAt(whole, box ? share + (to.clientX - event.clientX) / box.width : 0));
    edge.addEventListener('pointermove', move);
    edge.addEventListener(
      'lostpointercapture',
      () => edge.removeEventListener('pointermove', move),
      { once: true },
    );
    event.stopPropagation();
  };
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(share * 100)}
      aria-valuetext={formatDuration(nanos)}
      className={styles.edge}
      style={{ left }}
      onKeyDown={onKeyDown}
      onPointerDown={drag}
    />
  );
}
