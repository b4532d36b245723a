import { getDemo, startDemo, stopDemo, type Demo } from '../../contract/demo.ts';
import { Fault } from '../../contract/errors.ts';
import type { Clock } from '../../ports/ambient.ts';
import type { DemoShops } from '../../ports/demo-shops.ts';
import { changeVerb, readVerb } from '../verb/verb.ts';

export interface DemoDependencies {
  shops: DemoShops;
  clock: Clock;
}

/** The demo shop of a team: telemetry for a first look, and objects that show it. */
export function demoVerbs({ shops, clock }: DemoDependencies) {
  return {
    getDemo: readVerb(getDemo, async ({ principal: { workspace } }) => ({
      value: await stateOf(shops, workspace.id),
    })),

    startDemo: changeVerb(startDemo, async ({ principal, requestId, commit }) => {
      const { id } = principal.workspace;
      if (!shops.isAvailable) {
        throw new Fault(
          'conflict',
          'This process cannot run the demo shop: it does not receive telemetry, or it shares ' +
            'its store with other processes. Run `sightline demo` on another machine.',
        );
      }
      const startedAtMs = shops.startedAtMs(id) ?? clock.now();
      await shops.furnish({ principal, requestId });
      const value = { ...(await stateOf(shops, id)), ...running(startedAtMs) };
      // The audit line first: a shop without one must not run.
      const outcome = await commit(null, async () => ({ value }));
      shops.start(id, startedAtMs);
      return outcome;
    }),

    stopDemo: changeVerb(stopDemo, async ({ principal, requestId, query, commit }) => {
      const outcome = await commit(null, async () => ({ value: undefined }));
      shops.stop(principal.workspace.id);
      if (query.objects === 'delete') {
        await shops.clear({ principal, requestId });
      }
      return outcome;
    }),
  };
}

async function stateOf(shops: DemoShops, workspaceId: string): Promise<Demo> {
  const startedAtMs = shops.startedAtMs(workspaceId);
  const received = shops.received(workspaceId);
  const stopped = { state: shops.isAvailable ? ('stopped' as const) : ('unavailable' as const) };
  return {
    ...(startedAtMs === undefined ? stopped : running(startedAtMs)),
    objects: await shops.objects(workspaceId),
    notifications: {
      count: received?.count ?? 0,
      ...(received && { lastAt: new Date(received.lastAtMs).toISOString() }),
    },
  };
}

const running = (startedAtMs: number) => ({
  state: 'running' as const,
  startedAt: new Date(startedAtMs).toISOString(),
});
