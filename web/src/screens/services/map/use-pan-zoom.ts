import { useCallback, useEffect, useRef, useState, type PointerEvent, type RefObject } from 'react';

/** How a drawing is moved and enlarged: a point of it is at `x + k * point`. */
export interface View {
  x: number;
  y: number;
  k: number;
}

interface Size {
  width: number;
  height: number;
}

export interface PanZoom {
  view: View;
  /** Enlarges around the middle. */
  zoom(factor: number): void;
  /** Shows all of it, or as much as can be read. */
  fit(): void;
  /** Moves the drawing so that a part of it is in view. */
  reveal(box: { x: number; y: number; width: number; height: number }): void;
  handlers: {
    onPointerDown(event: PointerEvent): void;
    onPointerMove(event: PointerEvent): void;
    onPointerUp(event: PointerEvent): void;
    onPointerCancel(event: PointerEvent): void;
  };
}

const zoomMin = 0.2;
const zoomMax = 2.5;
/** Text is too small to read below. */
const fitMin = 0.7;
const margin = 24;

const limited = (k: number): number => Math.min(Math.max(k, zoomMin), zoomMax);

/** The least view that shows all; text stays large enough to read, from the left. */
export function fitted(drawing: Size, host: Size): View {
  const whole = Math.min(
    (host.width - 2 * margin) / Math.max(1, drawing.width),
    (host.height - 2 * margin) / Math.max(1, drawing.height),
    1,
  );
  const k = Math.max(whole, fitMin);
  const at = (room: number, length: number): number => Math.max(margin, (room - k * length) / 2);
  return { k, x: at(host.width, drawing.width), y: at(host.height, drawing.height) };
}

/** @param host the element with the drawing */
export function usePanZoom(
  host: RefObject<HTMLElement | null>,
  size: Size | undefined,
  drawing: Size,
): PanZoom {
  const [view, setView] = useState<View>({ x: margin, y: margin, k: 1 });
  const isMoved = useRef(false);
  const pointers = useRef(new Map<number, { x: number; y: number }>());
  const fit = useCallback(() => {
    isMoved.current = false;
    if (size) {
      setView(fitted(drawing, size));
    }
  }, [size, drawing]);
  useEffect(() => {
    if (!isMoved.current) {
      fit();
    }
  }, [fit]);

  const zoomAt = useCallback((factor: number, x: number, y: number): void => {
    isMoved.current = true;
    setView((before) => {
      const k = limited(before.k * factor);
      const ratio = k / before.k;
      return { k, x: x - (x - before.x) * ratio, y: y - (y - before.y) * ratio };
    });
  }, []);
  useWheel(host, zoomAt);

  const move = (dx: number, dy: number): void => {
    isMoved.current = true;
    setView((before) => ({ ...before, x: before.x + dx, y: before.y + dy }));
  };
  const release = ({ pointerId }: PointerEvent): void => void pointers.current.delete(pointerId);
  return {
    view,
    fit,
    zoom: (factor) => zoomAt(factor, (size?.width ?? 0) / 2, (size?.height ?? 0) / 2),
    reveal: (box) => {
      if (size) {
        setView((before) => revealed(before, box, size));
      }
    },
    handlers: {
      onPointerDown: (event) => {
        pointers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
      },
      onPointerMove: (event) => {
        const before = pointers.current.get(event.pointerId);
        if (!before) {
          return;
        }
        const now = { x: event.clientX, y: event.clientY };
        const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1];
        const [dx, dy] = [now.x - before.x, now.y - before.y];
        if (
          !other &&
          Math.hypot(dx, dy) < dragMin &&
          !event.currentTarget.hasPointerCapture(event.pointerId)
        ) {
          return;
        }
        // Only once it is a drag: a press on a node is a click.
        event.currentTarget.setPointerCapture(event.pointerId);
        pointers.current.set(event.pointerId, now);
        if (other) {
          const box = event.currentTarget.getBoundingClientRect();
          const factor = distance(now, other) / Math.max(1, distance(before, other));
          zoomAt(factor, (now.x + other.x) / 2 - box.left, (now.y + other.y) / 2 - box.top);
        } else {
          move(dx, dy);
        }
      },
      onPointerUp: release,
      onPointerCancel: release,
    },
  };
}

const dragMin = 4;

const distance = (one: { x: number; y: number }, other: { x: number; y: number }): number =>
  Math.hypot(one.x - other.x, one.y - other.y);

/** Ctrl or ⌘ with the wheel, and a pinch on a touchpad, enlarge. The wheel alone scrolls the page. */
function useWheel(
  host: RefObject<HTMLElement | null>,
  zoomAt: (factor: number, x: number, y: number) => void,
): void {
  useEffect(() => {
    const element = host.current;
    const onWheel = (event: WheelEvent): void => {
      if (event.ctrlKey || event.metaKey) {
        event.preventDefault();
        const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
        zoomAt(2 ** (-event.deltaY / 200), event.clientX - box.left, event.clientY - box.top);
      }
    };
    element?.addEventListener('wheel', onWheel, { passive: false });
    return () => element?.removeEventListener('wheel', onWheel);
  }, [host, zoomAt]);
}

function revealed(
  view: View,
  box: { x: number; y: number; width: number; height: number },
  size: Size,
): View {
  const shift = (start: number, length: number, room: number): number => {
    const [from, to] = [start, start + length];
    if (from < margin) {
      return margin - from;
    }
    return to > room - margin ? Math.max(room - margin - to, margin - from) : 0;
  };
  return {
    k: view.k,
    x: view.x + shift(view.x + view.k * box.x, view.k * box.width, size.width),
    y: view.y + shift(view.y + view.k * box.y, view.k * box.height, size.height),
  };
}
