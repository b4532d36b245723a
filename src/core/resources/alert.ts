import {
  createAlert,
  deleteAlert,
  getAlert,
  updateAlert,
  type Alert,
  type AlertChange,
  type AlertChannel,
  type AlertInput,
} from '../../contract/alert/alert.ts';
import { listAlerts } from '../../contract/alert/alert-list.ts';
import type { Issue } from '../../contract/errors.ts';
import type { AlertStatusReader } from '../../ports/store/alert-status.ts';
import type { DocumentBodies, StoredDocument } from '../../ports/store/document-store.ts';
import { crudVerbs, type Resource } from '../verb/crud.ts';
import type { Draft, DraftContext, PlacedReference } from '../verb/draft.ts';
import { takesMax, thresholdIssues } from '../../contract/alert/alert-rules.ts';
import { alertPresenter } from './alert-record.ts';
import { alertTexts } from './alert-texts.ts';
import { compact, given } from '../verb/document.ts';
import { textIssues, type TextDependencies } from './text-check.ts';

export interface AlertDependencies extends TextDependencies {
  /** If absent, all alerts are shown as inactive. */
  statusReader?: AlertStatusReader;
}

type AlertBody = DocumentBodies['alert'];

export function alertVerbs(deps: AlertDependencies) {
  const verbs = crudVerbs(
    {
      list: listAlerts,
      create: createAlert,
      get: getAlert,
      update: updateAlert,
      remove: deleteAlert,
    },
    alertResource(deps),
    deps,
  );
  return {
    listAlerts: verbs.list,
    createAlert: verbs.create,
    getAlert: verbs.get,
    updateAlert: verbs.update,
    deleteAlert: verbs.remove,
  };
}

function alertResource(deps: AlertDependencies): Resource<'alert', AlertInput, AlertChange, Alert> {
  const { store } = deps;
  return {
    kind: 'alert',
    noun: 'alert',

    present: alertPresenter(deps.statusReader),

    async inputIssues(input, principal, id) {
      const stored =
        id === undefined
          ? undefined
          : await store.documents.get(principal.workspace.id, 'alert', id);
      if (id !== undefined && !stored) {
        return [];
      }
      return textIssues(
        deps,
        principal,
        await alertTexts(
          store,
          principal,
          stored ? merged(input, stored) : (compact(input) as AlertBody),
          input,
        ),
      );
    },

    compose: (input, context) => draft(compact(input) as AlertBody, context),
    amend: (change, stored, context) => draft(merged(change, stored), context),
  };
}

function merged(change: AlertChange, stored: StoredDocument<'alert'>): AlertBody {
  const before = stored.body;
  const thresholdTypeMoved =
    change.thresholdType !== undefined &&
    change.thresholdMax === undefined &&
    !takesMax(change.thresholdType);
  const { thresholdMax: _dropped, ...kept } = before;
  return compact({ ...(thresholdTypeMoved ? kept : before), ...given(change) }) as AlertBody;
}

async function draft(body: AlertBody, context: DraftContext): Promise<Draft<'alert'>> {
  return {
    body,
    references: references(body),
    issues: [...thresholdIssues(body), ...(await tileIssues(body, context))],
  };
}

/**
 * Checks that the dashboard has the tile. `draftIssues` reports a dashboard that does not exist.
 */
async function tileIssues(
  { dashboardId, tileId }: AlertBody,
  { parts, principal }: DraftContext,
): Promise<Issue[]> {
  if (tileId === undefined) {
    return [];
  }
  if (dashboardId === undefined) {
    return [{ path: 'dashboardId', message: 'is required with tileId' }];
  }
  const dashboard = await parts.documents.get(principal.workspace.id, 'dashboard', dashboardId);
  const tiles = dashboard?.body.tiles;
  return !tiles || tiles.some(({ id }) => id === tileId)
    ? []
    : [{ path: 'tileId', message: `there is no tile ${tileId} in dashboard ${dashboardId}` }];
}

function references({
  dashboardId,
  tileId,
  savedSearchId,
  channel,
  channels = [],
}: AlertBody): PlacedReference[] {
  return [
    ...(dashboardId === undefined
      ? []
      : [
          {
            kind: 'dashboard' as const,
            id: dashboardId,
            ...(tileId !== undefined && { part: tileId }),
            path: 'dashboardId',
          },
        ]),
    ...(savedSearchId === undefined
      ? []
      : [{ kind: 'savedSearch' as const, id: savedSearchId, path: 'savedSearchId' }]),
    ...[channel, ...channels].map(({ webhookId }: AlertChannel, index) => ({
      kind: 'webhook' as const,
      id: webhookId,
      path: index === 0 ? 'channel.webhookId' : `channels.${index - 1}.webhookId`,
    })),
  ];
}
