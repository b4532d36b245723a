import {
  createAlert,
  deleteAlert,
  getAlert,
  listAlerts,
  updateAlert,
  type Alert,
  type AlertChange,
  type AlertChannel,
  type AlertInput,
  type ExecutionError,
} from '../../contract/alert/alert.ts';
import type { Issue } from '../../contract/errors.ts';
import type { AlertStatus, AlertStatusReader } from '../../ports/store/alert-status.ts';
import type { DocumentBodies, StoredDocument } from '../../ports/store/document-store.ts';
import { crudVerbs, whenKnown, type Resource } from '../verb/crud.ts';
import type { Draft, DraftContext, PlacedReference } from '../verb/draft.ts';
import { isSilenced, takesMax, thresholdIssues } from '../../contract/alert/alert-rules.ts';
import { alertTexts } from './alert-texts.ts';
import { compact, given, times } from '../verb/document.ts';
import { sharedRecords } from './shared-record.ts';
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
  const { statusReader, store } = deps;
  const single = sharedRecords((stored: StoredDocument<'alert'>, status: AlertStatus | undefined) =>
    alertRecord(stored, status, 0),
  );
  return {
    kind: 'alert',
    noun: 'alert',

    present(stored, { workspace }, parts) {
      return whenKnown(
        statusReader?.alertStatus(
          parts.alerts,
          workspace.id,
          stored.map(({ id }) => id),
        ),
        (status) => {
          // A read of one alert reuses its record, unless the record changes with the time.
          const [first, ...others] = stored;
          if (first && others.length === 0 && first.body.silencedUntil === undefined) {
            return [single(first, status?.get(first.id))];
          }
          const records = (nowMs: number): Alert[] =>
            stored.map((alert) => alertRecord(alert, status?.get(alert.id), nowMs));
          return stored.some(({ body }) => body.silencedUntil !== undefined)
            ? parts.nowMs().then(records)
            : records(0);
        },
      );
    },

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

/** The alert as the API returns it: with the specified keys, without unset fields. */
export function alertRecord(
  stored: StoredDocument<'alert'>,
  status: AlertStatus | undefined,
  nowMs: number,
): Alert {
  const body = stored.body;
  const {
    name,
    message,
    threshold,
    thresholdMax,
    interval,
    thresholdType,
    source,
    channel,
    channels,
    tileId,
    dashboardId,
    savedSearchId,
    groupBy,
    numConsecutiveWindows,
    renotifyInterval,
    noData,
    severity,
    silencedUntil,
  } = body;
  const executionErrors = [...missingPieces(stored), ...(status?.executionErrors ?? [])];
  return compact({
    id: stored.id,
    name,
    message,
    threshold,
    thresholdMax,
    interval,
    thresholdType,
    source,
    state: status?.state ?? 'inactive',
    channel,
    channels,
    team: stored.workspaceId,
    tileId,
    dashboard: dashboardId,
    savedSearch: savedSearchId,
    groupBy,
    silenced: isSilenced(
      {
        silenced: body.silenced ?? false,
        silencedUntilMs: silencedUntil === undefined ? null : Date.parse(silencedUntil),
      },
      nowMs,
    ),
    silencedUntil,
    numConsecutiveWindows,
    renotifyInterval,
    noData,
    severity,
    executionErrors: executionErrors.length > 0 ? executionErrors : undefined,
    lastEvaluatedAt:
      status?.lastEvaluatedAtMs === undefined
        ? undefined
        : new Date(status.lastEvaluatedAtMs).toISOString(),
    lastValue: status?.lastValue,
    ...times(stored),
  }) as Alert;
}

/** The fields that an alert lacks to be evaluated; undefined if it has them all. */
function missingFields({
  source,
  dashboardId,
  tileId,
  savedSearchId,
}: AlertBody): string | undefined {
  if (source === 'search') {
    return savedSearchId === undefined ? 'savedSearchId' : undefined;
  }
  if (dashboardId === undefined) {
    return 'dashboardId and tileId';
  }
  return tileId === undefined ? 'tileId' : undefined;
}

/** An alert may be stored without its query. It cannot be evaluated until the query is named. */
function missingPieces(stored: StoredDocument<'alert'>): ExecutionError[] {
  const missing = missingFields(stored.body);
  return missing === undefined
    ? []
    : [
        {
          type: 'INVALID_ALERT',
          message: `cannot be evaluated because ${missing} is missing. Set ${missing}`,
          timestamp: new Date(stored.updatedAtMs).toISOString(),
        },
      ];
}
