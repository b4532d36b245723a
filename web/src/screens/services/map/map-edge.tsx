import type { ServiceEdge } from '../../../api/queries/services.ts';
import { pathOf } from './graph.ts';
import type { Point } from './layout.ts';
import styles from './map.module.css';

interface MapEdgeProps {
  edge: ServiceEdge;
  points: readonly Point[];
  isDimmed: boolean;
  seconds: number;
}

/** Calls of one node by another: the more calls, the wider. */
export function MapEdge({ edge, points, isDimmed, seconds }: MapEdgeProps) {
  const { calls, errors } = edge;
  const path = pathOf(points);
  const [before, last] = points.slice(-2);
  if (!before || !last) {
    return null;
  }
  const isBroken = errors / Math.max(1, calls) >= brokenShare;
  return (
    <g
      className={styles.edge}
      data-dimmed={isDimmed || undefined}
      data-broken={isBroken || undefined}
    >
      <path d={path} fill="none" strokeWidth={widthOf(calls / seconds)} />
      <path d={arrowOf(path, last.x < before.x)} className={styles.arrow} />
    </g>
  );
}

/** From this share of errors on, an edge or a node looks broken. */
export const brokenShare = 0.05;

/** From 1 to 5 pixels: one more for ten times the calls. */
const widthOf = (perSecond: number): number =>
  Math.min(5, Math.max(1, 2 + Math.log10(Math.max(perSecond, 0.001))));

const arrowLength = 7;
const arrowHalf = 4;

/** The head at the end of a path, which arrives from one side. */
function arrowOf(path: string, isBack: boolean): string {
  const end = /(-?[\d.]+) (-?[\d.]+)$/.exec(path);
  const [x, y] = [Number(end?.[1] ?? 0), Number(end?.[2] ?? 0)];
  const back = isBack ? arrowLength : -arrowLength;
  return `M${x} ${y}l${back} ${-arrowHalf}v${2 * arrowHalf}z`;
}
