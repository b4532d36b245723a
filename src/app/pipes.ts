import type { PipesDependencies } from '../core/pipes/dependencies.ts';
import { createPipes, type Pipes } from '../core/pipes/run/create-pipes.ts';
import type { Foundation } from './foundation.ts';
import { measurePipes } from './pipe-metrics.ts';
import type { StopList } from './stop-list.ts';

/** What the pipes of this process and the verbs over them share. */
export function pipeDependencies(base: Foundation): PipesDependencies {
  const { config, log, clock, ids, vault, store, telemetry, egress, kinds, connectors, random } =
    base;
  return {
    store,
    telemetry,
    kinds,
    connectors,
    vault,
    egress,
    clock,
    ids,
    log,
    allowHttp: config.allowHttpSources,
    random,
  };
}

export function createPipesOf(base: Foundation): Pipes {
  return createPipes({
    ...pipeDependencies(base),
    holder: base.holder,
    ...base.tuning.pipes,
  });
}

export function startPipes(pipes: Pipes, { metrics, tuning }: Foundation, stops: StopList): void {
  if (!tuning.ticksByHand) {
    pipes.start();
  }
  measurePipes(metrics, () => pipes.figures());
  stops.add('pipes', () => pipes.stop());
}
