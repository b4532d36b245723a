import type { Trace } from '../../../api/queries/trace.ts';
import { criticalPath, type CriticalPath } from './critical-path.ts';
import { traceMap, type TraceMap } from './minimap-paths.ts';
import { wholeWindow, type TimeWindow } from './scale.ts';
import { servicesOf, type Service } from './services.ts';
import { buildTree, type TraceTree } from './tree.ts';

/** A trace, and all that is computed from it once. */
export interface TraceParts {
  trace: Trace;
  tree: TraceTree;
  path: CriticalPath;
  services: ReadonlyMap<string, Service>;
  whole: TimeWindow;
  map: TraceMap;
}

export function partsOf(trace: Trace): TraceParts {
  const tree = buildTree(trace.spans);
  const whole = wholeWindow(trace.durationNanos);
  return {
    trace,
    tree,
    path: criticalPath(tree),
    services: servicesOf(tree),
    whole,
    map: traceMap(tree, whole),
  };
}
