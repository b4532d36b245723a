import {
  createMaintenanceWindow,
  deleteMaintenanceWindow,
  getMaintenanceWindow,
  listMaintenanceWindows,
  updateMaintenanceWindow,
  type MaintenanceChange,
  type MaintenanceInput,
  type MaintenanceWindow,
} from '../../../contract/alert/maintenance.ts';
import type { StoredDocument } from '../../../ports/store/document-store.ts';
import { crudVerbs, type CrudDependencies, type Resource } from '../../verb/crud.ts';
import { given, times } from '../../verb/document.ts';
import type { Draft } from '../../verb/draft.ts';
import { occurrenceAfter, scheduleProblem } from '../decide/occurrence.ts';

export function maintenanceVerbs(deps: CrudDependencies) {
  const verbs = crudVerbs(
    {
      list: listMaintenanceWindows,
      create: createMaintenanceWindow,
      get: getMaintenanceWindow,
      update: updateMaintenanceWindow,
      remove: deleteMaintenanceWindow,
    },
    maintenanceResource(deps),
    deps,
  );
  return {
    listMaintenanceWindows: verbs.list,
    createMaintenanceWindow: verbs.create,
    getMaintenanceWindow: verbs.get,
    updateMaintenanceWindow: verbs.update,
    deleteMaintenanceWindow: verbs.remove,
  };
}

function maintenanceResource({
  store,
}: CrudDependencies): Resource<
  'maintenanceWindow',
  MaintenanceInput,
  MaintenanceChange,
  MaintenanceWindow
> {
  return {
    kind: 'maintenanceWindow',
    noun: 'maintenance window',

    async present(stored, _principal, parts) {
      const nowMs = await parts.nowMs();
      return stored.map((document) => windowRecord(document, nowMs));
    },

    async inputIssues({ schedule }) {
      const problem = schedule && scheduleProblem(schedule, await store.nowMs());
      return problem ? [{ ...problem, path: `schedule.${problem.path}` }] : [];
    },

    compose: (input) => draft(input, input),
    amend: (change, stored) => draft({ ...stored.body, ...given(change) }, change),
  };
}

/** Alerts that a change does not send are not checked again: some may be deleted. */
function draft(
  { name, schedule, alerts }: MaintenanceInput,
  sent: MaintenanceChange,
): Draft<'maintenanceWindow'> {
  return {
    body: {
      name,
      schedule,
      alerts: { ...alerts, ids: [...new Set(alerts.ids)], tags: [...new Set(alerts.tags)] },
    },
    ...(sent.alerts && {
      references: sent.alerts.ids.map((id, index) => ({
        kind: 'alert' as const,
        id,
        path: `alerts.ids.${index}`,
      })),
    }),
  };
}

function windowRecord(
  stored: StoredDocument<'maintenanceWindow'>,
  nowMs: number,
): MaintenanceWindow {
  const occurrence = occurrenceAfter(stored.body.schedule, nowMs);
  return {
    id: stored.id,
    ...stored.body,
    active: occurrence !== undefined && occurrence.fromMs <= nowMs,
    ...(occurrence && {
      occurrence: {
        from: new Date(occurrence.fromMs).toISOString(),
        to: new Date(occurrence.toMs).toISOString(),
      },
    }),
    ...times(stored),
  };
}
