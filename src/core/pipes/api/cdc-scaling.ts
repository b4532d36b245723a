import { isDeepStrictEqual } from 'node:util';
import { notFound } from '../../../contract/errors.ts';
import { changeCdcScaling, getCdcScaling } from '../../../contract/pipe/pipe.ts';
import type { PipeScaling, PipeScalingInput } from '../../../contract/pipe/settings.ts';
import type { Principal } from '../../../ports/principal.ts';
import type { StoredDocument } from '../../../ports/store/document-store.ts';
import type { StoreReader, StoreWriter } from '../../../ports/store/store-access.ts';
import { untilSettled } from '../../verb/crud.ts';
import { changeVerb, readVerb } from '../../verb/verb.ts';
import type { PipeVerbDependencies } from '../dependencies.ts';
import { sourceIn } from '../kinds/configured-source.ts';
import { sentFields } from '../kinds/sent-fields.ts';

/** The scaling of all pipes of a service that replicate a database, in one call. */
export function cdcScalingVerbs(deps: PipeVerbDependencies, changed: () => void) {
  return {
    getCdcScaling: readVerb(getCdcScaling, async ({ principal }) => {
      const pipes = await databasePipes(deps, deps.store, principal);
      return { value: largest(pipes.map(({ body }) => body.scaling)) };
    }),
    changeCdcScaling: changeVerb(changeCdcScaling, async ({ principal, body, commit }) => {
      const outcome = await commit(null, async (parts) => {
        const scalings: PipeScaling[] = [];
        for (const { id } of await databasePipes(deps, parts, principal)) {
          scalings.push(await changeScaling(parts, principal.workspace.id, id, body));
        }
        return { value: largest(scalings) };
      });
      changed();
      return outcome;
    }),
  };
}

/** Pages through all pipes. @throws Fault not_found if the service has none that fits */
async function databasePipes(
  { kinds }: PipeVerbDependencies,
  { documents }: Pick<StoreReader, 'documents'>,
  { workspace }: Principal,
): Promise<StoredDocument<'pipe'>[]> {
  const found: StoredDocument<'pipe'>[] = [];
  const limit = 1000;
  for (let offset = 0; ; offset += limit) {
    const { items, total } = await documents.list(workspace.id, 'pipe', { limit, offset });
    found.push(...items.filter(({ body }) => sourceIn(kinds, body.source).rules.canResync));
    if (offset + limit >= total) {
      break;
    }
  }
  if (found.length === 0) {
    throw notFound('pipe that replicates a database');
  }
  return found;
}

function changeScaling(
  { documents, pipes }: Pick<StoreWriter, 'documents' | 'pipes'>,
  workspaceId: string,
  id: string,
  change: PipeScalingInput,
): Promise<PipeScaling> {
  return untilSettled('pipe', async () => {
    const before = await documents.get(workspaceId, 'pipe', id);
    if (!before) {
      throw notFound('pipe');
    }
    const scaling = { ...before.body.scaling, ...sentFields(change) };
    if (isDeepStrictEqual(scaling, before.body.scaling)) {
      return scaling;
    }
    const body = { ...before.body, scaling };
    const after = await documents.update(workspaceId, 'pipe', id, before.version, { body });
    if (!after) {
      return undefined;
    }
    await pipes.ask(workspaceId, id, {});
    return scaling;
  });
}

function largest(scalings: readonly PipeScaling[]) {
  return {
    replicaCpuMillicores: Math.max(...scalings.map((each) => each.replicaCpuMillicores)),
    replicaMemoryGb: Math.max(...scalings.map((each) => each.replicaMemoryGb)),
  };
}
