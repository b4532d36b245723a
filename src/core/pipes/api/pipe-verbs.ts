import {
  changePipeSettings,
  deletePipe,
  getPipeMetrics,
  getPipeSettings,
  listPipeErrors,
  pipeOperations,
  type Pipe,
} from '../../../contract/pipe/pipe.ts';
import { mergePipeSettings } from '../../../contract/pipe/settings.ts';
import type { Principal } from '../../../ports/principal.ts';
import type { StoredDocument } from '../../../ports/store/document-store.ts';
import type { ChangeOperation } from '../../../contract/operation.ts';
import { changeVerb, readVerb, type ChangeCall, type Outcome } from '../../verb/verb.ts';
import { pipeRecord, type StoredPipe } from '../definition.ts';
import type { PipeVerbDependencies } from '../dependencies.ts';
import { sentFields } from '../kinds/sent-fields.ts';
import { changeState } from './change-state.ts';
import { createPipeDocument } from './create-pipe.ts';
import { pipeErrors, pipeMetrics } from './pipe-reports.ts';
import { checkVersion, pipeDocument, updatedDocument } from './stored-versions.ts';
import { updatePipeDocument } from './update-pipe.ts';

/**
 * What callers may do with pipes, by operation name. `changed` is called after each change, so that
 * the readers of this process need not wait for their next tick.
 */
export function pipeVerbs(deps: PipeVerbDependencies, changed: () => void = () => undefined) {
  const notifying = async <T>(change: Promise<T>): Promise<T> => {
    const result = await change;
    changed();
    return result;
  };
  const operations = pipeOperations(contractsOf(deps));
  return {
    ...sourceVerbs(deps, operations, notifying),
    ...stateVerbs(deps, operations, notifying),
    ...settingsVerbs(deps, operations, notifying),
    ...reportVerbs(deps),
  };
}

type Operations = ReturnType<typeof pipeOperations>;
type Notifying = <T>(change: Promise<T>) => Promise<T>;

const contractsOf = ({ kinds }: PipeVerbDependencies) =>
  Object.fromEntries(Object.entries(kinds).map(([name, { contract }]) => [name, contract]));

async function pipeOutcome(
  { store }: PipeVerbDependencies,
  { workspace }: Principal,
  document: StoredDocument<'pipe'>,
): Promise<Outcome<Pipe>> {
  const status = await store.pipes.status(workspace.id, document.id);
  return {
    value: pipeRecord(document, status, workspace.serviceId),
    version: document.version,
  };
}

function sourceVerbs(
  deps: PipeVerbDependencies,
  { listPipes, getPipe, createPipe, updatePipe }: Operations,
  notifying: Notifying,
) {
  const { store } = deps;
  return {
    listPipes: readVerb(listPipes, async ({ principal, query }) => {
      const { workspace } = principal;
      const [{ items, total }, statuses] = await Promise.all([
        store.documents.list(workspace.id, 'pipe', query),
        store.pipes.statuses(workspace.id),
      ]);
      const byId = new Map(statuses.map((status) => [status.pipeId, status]));
      return {
        value: items.map((item) => pipeRecord(item, byId.get(item.id), workspace.serviceId)),
        page: { total, ...query },
      };
    }),
    getPipe: readVerb(getPipe, async ({ principal, params }) =>
      pipeOutcome(deps, principal, await pipeDocument(store, principal, params.pipeId)),
    ),
    createPipe: changeVerb(createPipe, async ({ principal, body, commit }) => {
      const creation = createPipeDocument(deps, principal, body, commit);
      const { result, receipt } = await notifying(creation);
      return { ...(await pipeOutcome(deps, principal, result)), receipt };
    }),
    updatePipe: changeVerb(updatePipe, async (call) => {
      const { result, receipt } = await notifying(updatePipeDocument(deps, call));
      return { ...(await pipeOutcome(deps, call.principal, result)), receipt };
    }),
  };
}

function stateVerbs(
  deps: PipeVerbDependencies,
  { changePipeState }: Operations,
  notifying: Notifying,
) {
  const { kinds } = deps;
  return {
    deletePipe: changeVerb(deletePipe, async ({ principal, params, ifMatch, commit }) => {
      const { receipt } = await notifying(
        commit(params.pipeId, async (parts) => {
          const document = await pipeDocument(parts, principal, params.pipeId);
          checkVersion(document, ifMatch);
          const { workspaceId, id, version, body, sealed } = document;
          await parts.pipes.part(workspaceId, id, { body, sealed });
          await parts.documents.remove(workspaceId, 'pipe', id, version);
        }),
      );
      return { value: undefined, receipt };
    }),
    changePipeState: changeVerb(changePipeState, async (call) => {
      const { principal, params, body, ifMatch, commit } = call;
      const { result, receipt } = await notifying(
        commit(params.pipeId, async (parts) => {
          const stored = await pipeDocument(parts, principal, params.pipeId);
          checkVersion(stored, ifMatch);
          await changeState(kinds, parts, stored, body.command);
          return stored;
        }),
      );
      return { ...(await pipeOutcome(deps, principal, result)), receipt };
    }),
  };
}

function settingsVerbs(
  deps: PipeVerbDependencies,
  { changePipeScaling }: Operations,
  notifying: Notifying,
) {
  const { store } = deps;

  /** Changes the stored definition, and makes the readers start over with it. */
  const changeDefinition = (
    { principal, ifMatch, commit }: ChangeCall<ChangeOperation>,
    id: string,
    change: (stored: StoredPipe) => StoredPipe,
  ) =>
    notifying(
      commit(id, async (parts) => {
        const before = await pipeDocument(parts, principal, id);
        checkVersion(before, ifMatch);
        const body = change(before.body);
        const after = updatedDocument(
          await parts.documents.update(before.workspaceId, 'pipe', id, before.version, { body }),
        );
        await parts.pipes.ask(before.workspaceId, id, {});
        return after;
      }),
    );

  return {
    changePipeScaling: changeVerb(changePipeScaling, async (call) => {
      const { result, receipt } = await changeDefinition(call, call.params.pipeId, (stored) => ({
        ...stored,
        scaling: { ...stored.scaling, ...sentFields(call.body) },
      }));
      return { ...(await pipeOutcome(deps, call.principal, result)), receipt };
    }),
    getPipeSettings: readVerb(getPipeSettings, async ({ principal, params }) => {
      const document = await pipeDocument(store, principal, params.pipeId);
      return { value: document.body.settings, version: document.version };
    }),
    changePipeSettings: changeVerb(changePipeSettings, async (call) => {
      const { result, receipt } = await changeDefinition(call, call.params.pipeId, (stored) => ({
        ...stored,
        settings: mergePipeSettings(call.body, stored.settings),
      }));
      return { value: result.body.settings, version: result.version, receipt };
    }),
  };
}

function reportVerbs(deps: PipeVerbDependencies) {
  const { store } = deps;
  return {
    getPipeMetrics: readVerb(getPipeMetrics, async ({ principal, params }) => ({
      value: await pipeMetrics(deps, await pipeDocument(store, principal, params.pipeId)),
    })),
    listPipeErrors: readVerb(listPipeErrors, async ({ principal, params, query, signal }) =>
      pipeErrors(deps, await pipeDocument(store, principal, params.pipeId), query, signal),
    ),
  };
}
