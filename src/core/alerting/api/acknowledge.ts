import {
  acknowledgeAlert,
  unacknowledgeAlert,
  type Acknowledgements,
} from '../../../contract/alert/acknowledge.ts';
import type { Acknowledgement } from '../../../contract/alert/alert.ts';
import { Fault } from '../../../contract/errors.ts';
import type { Principal } from '../../../ports/principal.ts';
import type { StoreReader, StoreWriter } from '../../../ports/store/store-access.ts';
import { stale, untilSettled } from '../../verb/crud.ts';
import { changeVerb, type ChangeCall } from '../../verb/verb.ts';
import { openIncidents, type OpenIncident } from '../decide/incidents.ts';
import { requireDocument } from './require-document.ts';

/** Adds an acknowledgement for each chosen incident that has not ended. */
export function acknowledgeVerb({ store }: { store: StoreReader }) {
  return changeVerb(
    acknowledgeAlert,
    async ({ principal, params: { id }, body, ifMatch, commit }) => {
      const at = new Date(await store.nowMs()).toISOString();
      const { note, group } = body;
      return commit(id, async (parts) => ({
        value: await change(parts, principal.workspace.id, id, ifMatch, (open, before) => {
          const chosen = open.filter((incident) => group == null || isOf(incident, group));
          if (chosen.length === 0) {
            throw new Fault(
              'conflict',
              group == null
                ? 'no incident to acknowledge: the alert does not fire'
                : `no incident to acknowledge: the group ${JSON.stringify(group)} does not fire`,
            );
          }
          const ids = new Set(chosen.map(({ incidentId }) => incidentId));
          const by = actorOf(principal);
          return [
            ...before.filter(({ incidentId }) => !ids.has(incidentId)),
            ...chosen.map((incident) => ({ ...incident, by, at, ...(note && { note }) })),
          ];
        }),
      }));
    },
  );
}

export const unacknowledgeVerb = () =>
  changeVerb(
    unacknowledgeAlert,
    ({ principal, params: { id }, query: { group }, ifMatch, commit }) =>
      commit(id, async (parts) => ({
        value: await change(parts, principal.workspace.id, id, ifMatch, (_, before) =>
          before.filter((one) => group !== undefined && !isOf(one, group)),
        ),
      })),
  );

const isOf = (one: { group: readonly string[] }, group: readonly string[]): boolean =>
  JSON.stringify(one.group) === JSON.stringify(group);

/** Changes the acknowledgements in the alert's record, and nothing else of it. */
async function change(
  { documents, alerts }: Pick<StoreWriter, 'documents' | 'alerts'>,
  workspaceId: string,
  id: string,
  ifMatch: ChangeCall<typeof unacknowledgeAlert>['ifMatch'],
  amend: (
    open: readonly OpenIncident[],
    before: readonly Acknowledgement[],
  ) => readonly Acknowledgement[],
): Promise<Acknowledgements> {
  return untilSettled('alert', async () => {
    const { body, version } = await requireDocument({ documents }, workspaceId, 'alert', id);
    if (ifMatch && !ifMatch.includes(version)) {
      throw stale('alert');
    }
    const groups = (await alerts.groups(workspaceId, [id])).get(id) ?? '[]';
    const open = openIncidents(id, groups);
    const openIds = new Set(open.map(({ incidentId }) => incidentId));
    const { acknowledgements: before = [], ...rest } = body;
    const current = before.filter(({ incidentId }) => openIds.has(incidentId));
    const acknowledgements = [...amend(open, current)];
    const changed = { ...rest, ...(acknowledgements.length > 0 && { acknowledgements }) };
    const updated = await documents.update(workspaceId, 'alert', id, version, { body: changed });
    return updated && { acknowledgements };
  });
}

function actorOf({ subject }: Principal): Acknowledgement['by'] {
  switch (subject.kind) {
    case 'user':
      return { kind: 'user', id: subject.id, name: subject.email };
    case 'key':
      return { kind: 'key', id: subject.id, name: subject.name };
    default:
      return { kind: 'system', id: subject.id };
  }
}
