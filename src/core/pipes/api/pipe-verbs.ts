import {
  changePipeSettings,
  deletePipe,
  getPipeMetrics,
  getPipeSettings,
  listPipeErrors,
  pipeOperations,
} from '../../../contract/pipe/pipe.ts';
import { effectivePipeSettings, mergePipeSettings } from '../../../contract/pipe/settings.ts';
import type { StoredDocument } from '../../../ports/store/document-store.ts';
import type { ChangeOperation } from '../../../contract/operation.ts';
import type { Outcome } from '../../verb/outcome.ts';
import type { StoreWriter } from '../../../ports/store/store-access.ts';
import { untilSettled } from '../../verb/crud.ts';
import { changeVerb, readVerb, type ChangeCall } from '../../verb/verb.ts';
import { pipeRecord, type StoredPipe } from '../definition.ts';
import type { PipeVerbDependencies } from '../dependencies.ts';
import { draftVerbs } from '../draft/draft-verbs.ts';
import { withEngine } from '../engine-away.ts';
import { sentFields } from '../kinds/sent-fields.ts';
import { cdcScalingVerbs } from './cdc-scaling.ts';
import { changeState } from './change-state.ts';
import { createPipeDocument } from './create-pipe.ts';
import { deletePipeDocument } from './delete-pipe.ts';
import { metricsOf, pipeErrors, pipeMetrics } from './pipe-reports.ts';
import { checkVersion, pipeDocument } from './stored-versions.ts';
import { pipeOutcome } from './pipe-outcome.ts';
import { replayVerbs } from './pipe-replays.ts';
import { updatePipeDocument } from './update-pipe.ts';
import { pipeSeries, seriesRange } from '../series/pipe-series.ts';

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
  const contracts = contractsOf(deps);
  const operations = pipeOperations(contracts);
  return {
    ...sourceVerbs(deps, operations, notifying),
    ...stateVerbs(deps, operations, { notifying, changed }),
    ...settingsVerbs(deps, operations, notifying),
    ...reportVerbs(deps),
    ...replayVerbs(deps, changed),
    ...cdcScalingVerbs(deps, changed),
    ...draftVerbs(deps, contracts),
  };
}

type Operations = ReturnType<typeof pipeOperations>;
type Notifying = <T>(change: Promise<T>) => Promise<T>;

const contractsOf = ({ kinds }: PipeVerbDependencies) =>
  Object.fromEntries(Object.entries(kinds).map(([name, { contract }]) => [name, contract]));

function sourceVerbs(
  deps: PipeVerbDependencies,
  { listPipes, getPipe, createPipe, updatePipe }: Operations,
  notifying: Notifying,
) {
  const { store } = deps;
  return {
    listPipes: readVerb(listPipes, async ({ principal, query }) => {
      const { workspace } = principal;
      const { metrics, ...page } = query;
      const [{ items, total }, statuses, reports] = await Promise.all([
        store.documents.list(workspace.id, 'pipe', page),
        store.pipes.statuses(workspace.id),
        metrics ? store.pipes.reports(workspace.id) : [],
      ]);
      const statusOf = new Map(statuses.map((status) => [status.pipeId, status]));
      const reportOf = new Map(reports.map((report) => [report.pipeId, report]));
      const listed = (item: StoredDocument<'pipe'>) => {
        const record = pipeRecord(item, statusOf.get(item.id), workspace.serviceId);
        const report = reportOf.get(item.id);
        return metrics
          ? {
              ...record,
              metrics: metricsOf(deps.kinds, item, report?.totals, report?.partitions ?? []),
            }
          : record;
      };
      return { value: items.map(listed), page: { total, ...page } };
    }),
    getPipe: readVerb(getPipe, async ({ principal, params }) =>
      pipeOutcome(store, principal, await pipeDocument(store, principal, params.pipeId)),
    ),
    createPipe: changeVerb(createPipe, ({ principal, body, commit }) =>
      notifying(withEngine(() => createPipeDocument(deps, principal, body, commit))),
    ),
    updatePipe: changeVerb(updatePipe, (call) =>
      notifying(withEngine(() => updatePipeDocument(deps, updatePipe.body, call))),
    ),
  };
}

function stateVerbs(
  deps: PipeVerbDependencies,
  { changePipeState }: Operations,
  { notifying, changed }: { notifying: Notifying; changed: () => void },
) {
  const { kinds } = deps;
  return {
    deletePipe: changeVerb(deletePipe, (call) => deletePipeDocument(deps, call, changed)),
    changePipeState: changeVerb(changePipeState, (call) => {
      const { principal, params, body, ifMatch, commit } = call;
      return notifying(
        commit(params.pipeId, async (parts) => {
          const stored = await pipeDocument(parts, principal, params.pipeId);
          checkVersion(stored, ifMatch);
          await changeState(kinds, parts, stored, body.command);
          return pipeOutcome(parts, principal, stored);
        }),
      );
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
  const changeDefinition = <T>(
    { principal, ifMatch, commit }: ChangeCall<ChangeOperation>,
    id: string,
    change: (stored: StoredPipe) => StoredPipe,
    outcomeOf: (parts: StoreWriter, after: StoredDocument<'pipe'>) => Promise<Outcome<T>>,
  ) =>
    notifying(
      commit(id, (parts) =>
        untilSettled('pipe', async () => {
          const before = await pipeDocument(parts, principal, id);
          checkVersion(before, ifMatch);
          const { workspaceId, version } = before;
          const body = change(before.body);
          const after = await parts.documents.update(workspaceId, 'pipe', id, version, { body });
          if (!after) {
            return undefined;
          }
          await parts.pipes.ask(workspaceId, id, {});
          return outcomeOf(parts, after);
        }),
      ),
    );

  return {
    changePipeScaling: changeVerb(changePipeScaling, (call) =>
      changeDefinition(
        call,
        call.params.pipeId,
        (stored) => ({ ...stored, scaling: { ...stored.scaling, ...sentFields(call.body) } }),
        (parts, after) => pipeOutcome(parts, call.principal, after),
      ),
    ),
    getPipeSettings: readVerb(getPipeSettings, async ({ principal, params }) => {
      const document = await pipeDocument(store, principal, params.pipeId);
      return {
        value: effectivePipeSettings(document.body.settings),
        version: document.version,
      };
    }),
    changePipeSettings: changeVerb(changePipeSettings, (call) =>
      changeDefinition(
        call,
        call.params.pipeId,
        (stored) => ({ ...stored, settings: mergePipeSettings(call.body, stored.settings) }),
        async (_parts, { body, version }) => ({
          value: effectivePipeSettings(body.settings),
          version,
        }),
      ),
    ),
  };
}

function reportVerbs(deps: PipeVerbDependencies) {
  const { store } = deps;
  return {
    getPipeMetrics: readVerb(getPipeMetrics, async ({ principal, params, query, signal }) => {
      const range = seriesRange(query, deps.clock.now());
      const document = await pipeDocument(store, principal, params.pipeId);
      const { database } = principal.workspace;
      const value = await pipeMetrics(deps, document);
      const of = range && { database, pipeId: document.id, range, signal };
      return {
        value: of ? { ...value, series: await withEngine(() => pipeSeries(deps, of)) } : value,
      };
    }),
    listPipeErrors: readVerb(listPipeErrors, ({ principal, params, query, signal }) =>
      withEngine(async () =>
        pipeErrors(deps, await pipeDocument(store, principal, params.pipeId), query, signal),
      ),
    ),
  };
}
