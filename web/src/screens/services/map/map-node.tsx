import type { ServiceEdge, ServiceNode } from '../../../api/queries/services.ts';
import { formatDuration, plural } from '../../../view/number-format.ts';
import { formatRate, formatShare } from '../model/format.ts';
import { callerKey, calleeKey, keyOf, sizes, type Graph } from './graph.ts';
import type { Point } from './layout.ts';
import { brokenShare } from './map-edge.tsx';
import { kindIcons, kindNames } from './node-name.tsx';
import styles from './map.module.css';

interface MapNodeProps {
  id: string;
  node: ServiceNode;
  graph: Graph;
  place: Point;
  seconds: number;
  /** The node that Tab leads to. */
  isEntry: boolean;
  isDimmed: boolean;
  onHover(isOn: boolean): void;
  onFocus(): void;
  onOpen(): void;
}

const nameMax = 19;
const iconSize = 16;
const padding = 10;

/** A service, or a system that is known from calls only. */
export function MapNode({ id, node, graph, place, seconds, ...props }: MapNodeProps) {
  const { kind, name, calls, errors } = node;
  const { nodeWidth, nodeHeight } = sizes;
  const Icon = kindIcons[kind];
  const isBroken = calls > 0 && errors / calls >= brokenShare;
  return (
    <g
      role={kind === 'service' ? 'link' : 'img'}
      aria-label={labelOf(node, graph, seconds)}
      tabIndex={props.isEntry ? 0 : -1}
      data-key={id}
      data-kind={kind}
      data-broken={isBroken || undefined}
      data-dimmed={props.isDimmed || undefined}
      className={styles.node}
      transform={`translate(${place.x - nodeWidth / 2} ${place.y - nodeHeight / 2})`}
      onPointerEnter={() => props.onHover(true)}
      onPointerLeave={() => props.onHover(false)}
      onFocus={props.onFocus}
      onClick={props.onOpen}
      onKeyDown={(event) => {
        if (event.key === 'Enter') {
          event.preventDefault();
          props.onOpen();
        }
      }}
    >
      <rect width={nodeWidth} height={nodeHeight} rx={6} />
      {isBroken && <rect className={styles.mark} width={4} height={nodeHeight} rx={2} />}
      <Icon x={padding} y={8} size={iconSize} aria-hidden />
      <text className={styles.nodeName} x={padding + iconSize + 6} y={20}>
        {shortened(name === '' ? '(empty)' : name)}
      </text>{' '}
      <text className={styles.nodeFigures} x={padding + iconSize + 6} y={35}>
        {figuresOf(node, seconds)}
      </text>
    </g>
  );
}

const shortened = (name: string): string =>
  name.length > nameMax ? `${name.slice(0, nameMax - 1)}…` : name;

/** `12/s · 1.2 % errors` */
function figuresOf({ calls, errors }: ServiceNode, seconds: number): string {
  if (calls === 0) {
    return 'no requests';
  }
  const rate = formatRate(calls / seconds);
  return errors === 0 ? rate : `${rate} · ${formatShare(errors / calls)} errors`;
}

const endsAt = (
  { edges }: Graph,
  key: string,
): [callers: ServiceEdge[], callees: ServiceEdge[]] => [
  edges.filter((edge) => calleeKey(edge) === key),
  edges.filter((edge) => callerKey(edge) === key),
];

/** What a screen reader says of a node. */
function labelOf(node: ServiceNode, graph: Graph, seconds: number): string {
  const [callers, callees] = endsAt(graph, keyOf(node.kind, node.name));
  const name = node.name === '' ? '(empty)' : node.name;
  const shown = shortened(name);
  return [
    // What is to be seen comes first, as it is.
    `${shown} ${figuresOf(node, seconds)}`,
    ...(shown === name ? [] : [name]),
    kindNames[node.kind].toLowerCase(),
    `called by ${plural(callers.length, 'node')}`,
    `calls ${plural(callees.length, 'node')}`,
  ].join(', ');
}

interface MapNoteProps {
  node: ServiceNode | undefined;
  graph: Graph;
  seconds: number;
}

/** The numbers of the node under the pointer or with the focus. */
export function MapNote({ node, graph, seconds }: MapNoteProps) {
  if (!node) {
    return (
      <p className={styles.note}>
        A wider line has more calls; red ones fail in 5 % of the calls or more.
      </p>
    );
  }
  const [callers, callees] = endsAt(graph, keyOf(node.kind, node.name));
  const durations = node.p95Nanos === undefined ? '' : `, p95 ${formatDuration(node.p95Nanos)}`;
  return (
    <p className={styles.note}>
      <b>{node.name === '' ? '(empty)' : node.name}</b>: {figuresOf(node, seconds)}
      {durations}, called by {callers.length}, calls {callees.length}
    </p>
  );
}
