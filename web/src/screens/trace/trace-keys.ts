import { useKeys } from '../../view/keys.ts';
import { nanosAt, panBy, windowAround, zoomBy } from './model/scale.ts';
import type { TraceModel } from './use-trace-model.ts';

const zoomStep = 0.5;
const panStep = 0.5;

/** Moves the focus to the rows of the waterfall. */
export const focusRows = (): void =>
  document.querySelector<HTMLElement>('[role="treegrid"]')?.focus({ preventScroll: true });

/** Shortcuts of the whole screen; the waterfall has those of a tree. */
export function useTraceKeys(model: TraceModel, onRefresh: () => void): void {
  const { window, whole, setWindow, tree, active } = model;
  const span = tree.nodes[active]?.span;
  const zoom = (factor: number): void => {
    const at = span ? span.startNanos + span.durationNanos / 2 : nanosAt(window, 0.5);
    setWindow(zoomBy(window, whole, factor, at));
  };
  useKeys({
    j: () => model.step(1),
    k: () => model.step(-1),
    Enter: (event) => {
      if (active >= 0 && event.target === document.body) {
        model.open(active);
      }
    },
    Escape: () => {
      if (model.opened) {
        model.close();
        focusRows();
      }
    },
    n: () => model.stepError(1),
    'shift+n': () => model.stepError(-1),
    p: () => model.setCritical(!model.view.isCritical),
    '+': () => zoom(zoomStep),
    '=': () => zoom(zoomStep),
    '-': () => zoom(1 / zoomStep),
    '0': () => setWindow(whole),
    z: () => span && setWindow(windowAround(span.startNanos, span.durationNanos, whole)),
    '[': () => setWindow(panBy(window, whole, -panStep)),
    ']': () => setWindow(panBy(window, whole, panStep)),
    l: () => model.opened && model.setTab('logs'),
    r: onRefresh,
  });
}
