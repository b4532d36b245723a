import { getDemo, startDemo, stopDemo, type Demo } from '../../contract/demo.ts';
import { Fault } from '../../contract/errors.ts';
import type { Clock } from '../../ports/ambient.ts';
import type { DemoShops } from '../../ports/demo-shops.ts';
import { changeVerb, readVerb } from '../verb/verb.ts';

export interface DemoDependencies {
  shops: DemoShops;
  clock: Clock;
}

/** The demo shop of a team: telemetry for a first look. */
export function demoVerbs({ shops, clock }: DemoDependencies) {
  return {
    getDemo: readVerb(getDemo, async ({ principal: { workspace } }) => ({
      value: stateOf(shops, workspace.id),
    })),

    startDemo: changeVerb(startDemo, async ({ principal: { workspace }, commit }) => {
      if (!shops.isAvailable) {
        throw new Fault(
          'conflict',
          'This process cannot run the demo shop: it does not receive telemetry, or it shares ' +
            'its store with other processes. Run `sightline demo` on another machine.',
        );
      }
      const startedAtMs = shops.startedAtMs(workspace.id) ?? clock.now();
      // The audit line first: a shop without one must not run.
      const outcome = await commit(null, async () => ({ value: running(startedAtMs) }));
      shops.start(workspace.id, startedAtMs);
      return outcome;
    }),

    stopDemo: changeVerb(stopDemo, async ({ principal: { workspace }, commit }) => {
      const outcome = await commit(null, async () => ({ value: undefined }));
      shops.stop(workspace.id);
      return outcome;
    }),
  };
}

function stateOf(shops: DemoShops, workspaceId: string): Demo {
  const startedAtMs = shops.startedAtMs(workspaceId);
  if (startedAtMs !== undefined) {
    return running(startedAtMs);
  }
  return { state: shops.isAvailable ? 'stopped' : 'unavailable' };
}

const running = (startedAtMs: number): Demo => ({
  state: 'running',
  startedAt: new Date(startedAtMs).toISOString(),
});
