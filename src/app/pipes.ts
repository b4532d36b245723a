import type { PipesDependencies } from '../core/pipes/dependencies.ts';
import { Supervisor } from '../core/pipes/run/supervisor.ts';
import type { Foundation } from './foundation.ts';
import { measurePipes } from './metrics/pipe-metrics.ts';
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

export function createPipes(base: Foundation): Supervisor {
  return new Supervisor({
    deps: pipeDependencies(base),
    holder: base.holder,
    ...base.tuning.pipes,
  });
}

export function startPipes(
  pipes: Supervisor,
  { metrics, tuning }: Foundation,
  stops: StopList,
): void {
  if (!tuning.ticksByHand) {
    pipes.start();
  }
  measurePipes(metrics, pipes);
  stops.add('pipes', 'traffic', () => pipes.stop());
}
