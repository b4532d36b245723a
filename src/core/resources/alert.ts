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
} from '../../contract/alert.ts';
import type { Issue } from '../../contract/errors.ts';
import type { AlertStatus, AlertStatusReader } from '../../ports/alert-status.ts';
import type { Clock } from '../../ports/ambient.ts';
import type { JsonObject, StoredDocument } from '../../ports/store.ts';
import {
  crudVerbs,
  whenKnown,
  type Draft,
  type DraftContext,
  type PlacedReference,
  type Resource,
} from '../crud.ts';
import { takesMax, thresholdIssues } from '../threshold-issues.ts';
import { alertTexts } from './alert-texts.ts';
import { compact, given, times } from './document.ts';
import { sharedRecords } from './shared-record.ts';
import { textIssues, type TextDependencies } from './text-check.ts';

export interface AlertDependencies extends TextDependencies {
  clock: Clock;
  /** What evaluation knows; absent: nothing is evaluated, every alert reads as inactive. */
  evaluation?: AlertStatusReader;
}

/** An alert as it is stored: the caller's fields without those that are unset, and whether it is silenced. */
export type AlertBody = { [K in keyof AlertInput]: Exclude<AlertInput[K], null | undefined> } & {
  silenced?: boolean;
};

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

function alertResource(deps: AlertDependencies): Resource<AlertInput, AlertChange, Alert> {
  const { clock, evaluation, store } = deps;
  const single = sharedRecords((stored, status: AlertStatus | undefined) =>
    alertRecord(stored, status, 0),
  );
  return {
    kind: 'alert',
    noun: 'alert',

    present(stored, { workspace }) {
      return whenKnown(
        evaluation?.alertStatus(
          workspace.id,
          stored.map(({ id }) => id),
        ),
        (status) => {
          // The one alert of a read, unless what its record says changes by itself.
          if (stored.length === 1 && stored[0]!.body['silencedUntil'] === undefined) {
            return [single(stored[0]!, status?.get(stored[0]!.id))];
          }
          return stored.map((alert) => alertRecord(alert, status?.get(alert.id), clock.now()));
        },
      );
    },

    async admit(input, principal, id) {
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

function merged(change: AlertChange, stored: StoredDocument): AlertBody {
  const before = stored.body as unknown as AlertBody;
  const thresholdTypeMoved =
    change.thresholdType !== undefined &&
    change.thresholdMax === undefined &&
    !takesMax(change.thresholdType);
  const { thresholdMax: _dropped, ...kept } = before;
  return compact({ ...(thresholdTypeMoved ? kept : before), ...given(change) }) as AlertBody;
}

async function draft(body: AlertBody, context: DraftContext): Promise<Draft> {
  return {
    body: body as unknown as JsonObject,
    references: references(body),
    issues: [...thresholdIssues(body), ...(await tileIssues(body, context))],
  };
}

/** A tile is named within its dashboard. A dashboard that does not exist is reported with the other references. */
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
  const tiles = dashboard?.body['tiles'] as { id: string }[] | undefined;
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

/** The record: keys as the specification has them, nothing that is unset. */
export function alertRecord(
  stored: StoredDocument,
  status: AlertStatus | undefined,
  nowMs: number,
): Alert {
  const body = stored.body as unknown as AlertBody;
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
    silenced: isSilenced(body, nowMs),
    silencedUntil,
    numConsecutiveWindows,
    renotifyInterval,
    noData,
    executionErrors: executionErrors.length > 0 ? executionErrors : undefined,
    lastEvaluatedAt:
      status?.lastEvaluatedAtMs === undefined
        ? undefined
        : new Date(status.lastEvaluatedAtMs).toISOString(),
    lastValue: status?.lastValue,
    ...times(stored),
  }) as Alert;
}

/** Silenced for good, or until a time that has not come. */
export function isSilenced(
  { silenced, silencedUntil }: Pick<AlertBody, 'silenced' | 'silencedUntil'>,
  nowMs: number,
): boolean {
  return silencedUntil === undefined ? silenced === true : Date.parse(silencedUntil) > nowMs;
}

/** An alert may be stored before what it watches is named; it cannot be evaluated until then. */
function missingPieces(stored: StoredDocument): ExecutionError[] {
  const { source, dashboardId, tileId, savedSearchId } = stored.body as unknown as AlertBody;
  const missing =
    source === 'search'
      ? savedSearchId === undefined
        ? 'savedSearchId'
        : undefined
      : dashboardId === undefined
        ? 'dashboardId and tileId'
        : tileId === undefined
          ? 'tileId'
          : undefined;
  return missing === undefined
    ? []
    : [
        {
          type: 'INVALID_ALERT',
          message: `is not evaluated until ${missing} says what it watches`,
          timestamp: new Date(stored.updatedAtMs).toISOString(),
        },
      ];
}
