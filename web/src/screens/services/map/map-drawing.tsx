import { useNavigate } from '@tanstack/react-router';
import { Maximize, ZoomIn, ZoomOut } from 'lucide-react';
import { useMemo, useRef, useState, type KeyboardEvent } from 'react';
import type { ServiceNode } from '../../../api/queries/services.ts';
import { useSize } from '../../../charts/use-size.ts';
import { IconButton } from '../../../kit/button.tsx';
import { compact } from '../../../view/url-state.ts';
import type { SharedParams } from '../params.ts';
import {
  callerKey,
  calleeKey,
  keyOf,
  neighbourOf,
  sizes,
  type Direction,
  type Graph,
} from './graph.ts';
import { MapEdge } from './map-edge.tsx';
import { MapNode, MapNote } from './map-node.tsx';
import { usePanZoom } from './use-pan-zoom.ts';
import styles from './map.module.css';

interface MapDrawingProps {
  graph: Graph;
  seconds: number;
}

const zoomStep = 1.25;
const heightMin = 320;
const heightMax = 820;

/**
 * The map. A drag moves it; Ctrl with the wheel enlarges it. Tab leads to a node, arrows to the next
 * one, and Enter opens it.
 */
export function MapDrawing({ graph, seconds }: MapDrawingProps) {
  const { nodes, edges, layout } = graph;
  const host = useRef<HTMLDivElement>(null);
  const size = useSize(host);
  const drawing = useMemo(() => ({ width: layout.width, height: layout.height }), [layout]);
  const { view, zoom, fit, reveal, handlers } = usePanZoom(host, size, drawing);
  const [hovered, setHovered] = useState<string>();
  const [focused, setFocused] = useState<string>();
  const firstKey = nodes[0] && keyOf(nodes[0].kind, nodes[0].name);
  const entry = focused !== undefined && layout.nodes.has(focused) ? focused : firstKey;
  const [hasFocus, setHasFocus] = useState(false);
  const active = hovered ?? (hasFocus ? entry : undefined);
  const open = useOpen();

  const focus = (key: string): void => {
    const place = layout.nodes.get(key);
    if (place) {
      const { nodeWidth: width, nodeHeight: height } = sizes;
      reveal({ x: place.x - width / 2, y: place.y - height / 2, width, height });
    }
    setFocused(key);
    host.current?.querySelector<SVGElement>(`[data-key="${CSS.escape(key)}"]`)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const zooms: Record<string, () => void> = {
      '+': () => zoom(zoomStep),
      '-': () => zoom(1 / zoomStep),
      '0': fit,
    };
    const zoomed = zooms[event.key];
    const next = event.key.startsWith('Arrow') && entry !== undefined;
    if (zoomed) {
      event.preventDefault();
      zoomed();
    } else if (next) {
      event.preventDefault();
      const key = neighbourOf(graph, entry, event.key as Direction);
      if (key !== undefined) {
        focus(key);
      }
    }
  };
  const isLinked = (key: string): boolean =>
    active === undefined ||
    key === active ||
    edges.some((edge) => {
      const ends = [callerKey(edge), calleeKey(edge)];
      return ends.includes(active) && ends.includes(key);
    });
  const height = Math.min(Math.max(heightMin, drawing.height + 64), heightMax);
  const shown = nodes.find(({ kind, name }) => keyOf(kind, name) === active);
  return (
    <section className={styles.map} aria-label="Map">
      <div className={styles.buttons}>
        <IconButton label="Enlarge" shortcut="+" onClick={() => zoom(zoomStep)}>
          <ZoomIn size={16} aria-hidden />
        </IconButton>
        <IconButton label="Reduce" shortcut="-" onClick={() => zoom(1 / zoomStep)}>
          <ZoomOut size={16} aria-hidden />
        </IconButton>
        <IconButton label="Show all" shortcut="0" onClick={fit}>
          <Maximize size={16} aria-hidden />
        </IconButton>
      </div>
      <div ref={host} className={styles.host} style={{ height }} {...handlers}>
        <svg
          role="group"
          aria-label={`Map of ${nodes.length} nodes and ${edges.length} calls. The table below has the numbers.`}
          width={size?.width ?? 0}
          height={size?.height ?? 0}
          onKeyDown={onKeyDown}
          onFocus={() => setHasFocus(true)}
          onBlur={() => setHasFocus(false)}
        >
          <g transform={`translate(${view.x} ${view.y}) scale(${view.k})`}>
            {edges.map((edge, index) => (
              <MapEdge
                key={`${callerKey(edge)} ${calleeKey(edge)}`}
                edge={edge}
                points={layout.edges[index] ?? []}
                isDimmed={
                  active !== undefined && ![callerKey(edge), calleeKey(edge)].includes(active)
                }
                seconds={seconds}
              />
            ))}
            {nodes.map((node) => {
              const key = keyOf(node.kind, node.name);
              return (
                <MapNode
                  key={key}
                  id={key}
                  node={node}
                  graph={graph}
                  place={layout.nodes.get(key) ?? { x: 0, y: 0 }}
                  seconds={seconds}
                  isEntry={key === entry}
                  isDimmed={!isLinked(key)}
                  onHover={(isOn) => setHovered(isOn ? key : undefined)}
                  onFocus={() => setFocused(key)}
                  onOpen={() => open(node)}
                />
              );
            })}
          </g>
        </svg>
      </div>
      <MapNote node={shown} graph={graph} seconds={seconds} />
    </section>
  );
}

/** Opens the page of a service. Other systems have none. */
function useOpen(): (node: ServiceNode) => void {
  const navigate = useNavigate();
  return ({ kind, name }) => {
    if (kind === 'service' && name !== '') {
      void navigate({
        to: '/services',
        search: ({ source, from, to }: SharedParams) =>
          compact({ source, from, to, service: name }),
      });
    }
  };
}
