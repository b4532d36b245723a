import {
  pipeDraftOperations,
  type PipeCheck,
  type PipeDiscovery,
} from '../../../contract/pipe/pipe-draft.ts';
import type { SourceContracts } from '../../../contract/pipe/source-contract.ts';
import { changeVerb, type Call } from '../../verb/verb.ts';
import type { PipeVerbDependencies } from '../dependencies.ts';
import { withEngine } from '../engine-away.ts';
import { discoverItem } from './discover.ts';
import { DraftLimiter } from './draft-limiter.ts';
import { draftSource } from './draft-source.ts';
import { explore, lookDeadline, type ExploredSource, type Exploration } from './explore.ts';

const togetherMax = 3;

type Operations = ReturnType<typeof pipeDraftOperations>;
type DraftCall = Call<Operations['checkPipe']>;

/** What callers may do with a source before a pipe has it. */
export function draftVerbs(deps: PipeVerbDependencies, contracts: SourceContracts) {
  const { checkPipe, discoverPipe } = pipeDraftOperations(contracts);
  const limiter = new DraftLimiter(togetherMax);
  const limited = <T>(call: DraftCall, work: (explored: ExploredSource) => Promise<T>) =>
    limiter.run(call.principal.workspace.id, async () => {
      const { body, principal } = call;
      const deadline = lookDeadline(call.signal);
      const source = await draftSource(deps, principal, body, deadline);
      const pipeId = body.pipeId ?? deps.ids.uuid();
      return work({ source, pipeId, deadline });
    });
  return {
    checkPipe: changeVerb(checkPipe, async (call) => {
      const value = await limited(call, (explored) => check(deps, explored));
      // The check changes nothing in the store, but the audit trail records it.
      return call.commit(call.body.pipeId ?? null, async () => ({ value }));
    }),
    discoverPipe: changeVerb(discoverPipe, async (call) => {
      const { database } = call.principal.workspace;
      const value = await limited(call, (explored) =>
        withEngine(() => discover(deps, explored, call.body.item, database)),
      );
      return call.commit(call.body.pipeId ?? null, async () => ({ value }));
    }),
  };
}

async function check(deps: PipeVerbDependencies, explored: ExploredSource): Promise<PipeCheck> {
  const { steps, issues } = await explore(deps, explored, (explorer, begin, signal) =>
    explorer.check(begin, signal),
  );
  return { ok: issues.length === 0, steps, issues };
}

async function discover(
  deps: PipeVerbDependencies,
  explored: ExploredSource,
  item: string | undefined,
  tenant: string,
): Promise<PipeDiscovery> {
  if (item === undefined) {
    return discovered(await explore(deps, explored, (explorer, ...rest) => explorer.list(...rest)));
  }
  const { source } = explored;
  const found = await explore(deps, explored, async (...look) => ({
    item: await discoverItem(deps, { source, tenant, item }, look),
  }));
  if (found.value && !found.value.item) {
    const message = 'is not an item of the source. Send an id that the list without item returns.';
    return discovered({ issues: [{ path: 'item', reason: 'not_found', message }] });
  }
  return discovered({ issues: found.issues, value: found.value?.item });
}

function discovered({
  value,
  issues,
}: Pick<
  Exploration<Omit<PipeDiscovery, 'ok' | 'issues'> | undefined>,
  'value' | 'issues'
>): PipeDiscovery {
  return { items: [], hasMore: false, ...value, ok: issues.length === 0, issues };
}
