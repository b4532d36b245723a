import type { Alert, ExecutionError, RecentEvaluation } from '../../contract/alert/alert.ts';
import { incompleteAlert, isSilenced } from '../../contract/alert/alert-rules.ts';
import type { Principal } from '../../ports/principal.ts';
import type { StoredEvaluation } from '../../ports/store/alert-store.ts';
import type { AlertStatus, AlertStatusReader } from '../../ports/store/alert-status.ts';
import type { StoredDocument } from '../../ports/store/document-store.ts';
import type { StoreReader } from '../../ports/store/store-access.ts';
import { whenKnown, type ListQuery } from '../verb/crud.ts';
import { compact, times } from '../verb/document.ts';
import { sharedRecords } from './shared-record.ts';

type StoredAlert = StoredDocument<'alert'>;
type Parts = Pick<StoreReader, 'alerts' | 'nowMs'>;

/** Shows alerts with what evaluation knows of them. */
export function alertPresenter(statusReader: AlertStatusReader | undefined) {
  const single = sharedRecords((stored: StoredAlert, status: AlertStatus | undefined) =>
    alertRecord(stored, status, 0),
  );
  const records = (
    stored: readonly StoredAlert[],
    workspaceId: string,
    parts: Parts,
  ): Alert[] | Promise<Alert[]> =>
    whenKnown(
      statusReader?.alertStatus(
        parts.alerts,
        workspaceId,
        stored.map(({ id }) => id),
      ),
      (status) => {
        // A read of one alert reuses its record, unless the record changes with the time.
        const [first, ...others] = stored;
        if (first && others.length === 0 && first.body.silencedUntil === undefined) {
          return [single(first, status?.get(first.id))];
        }
        const made = (nowMs: number): Alert[] =>
          stored.map((alert) => alertRecord(alert, status?.get(alert.id), nowMs));
        return stored.some(({ body }) => body.silencedUntil !== undefined)
          ? parts.nowMs().then(made)
          : made(0);
      },
    );

  return (
    stored: readonly StoredAlert[],
    { workspace }: Principal,
    parts: Parts,
    query?: ListQuery,
  ): Alert[] | Promise<Alert[]> => {
    const isAcknowledged = stored.some(({ body }) => body.acknowledgements !== undefined);
    const alerts = isAcknowledged
      ? withOpenIncidents(stored, workspace.id, parts, statusReader).then((current) =>
          records(current, workspace.id, parts),
        )
      : records(stored, workspace.id, parts);
    if (query?.recent === undefined) {
      return alerts;
    }
    const ids = stored.map(({ id }) => id);
    return withRecent(alerts, parts.alerts.recent(workspace.id, ids, query.recent));
  };
}

/** The alerts without the acknowledgements of incidents that have ended. */
async function withOpenIncidents(
  stored: readonly StoredAlert[],
  workspaceId: string,
  parts: Parts,
  statusReader: AlertStatusReader | undefined,
): Promise<StoredAlert[]> {
  const ids = stored.flatMap(({ id, body }) => (body.acknowledgements === undefined ? [] : [id]));
  const open = await statusReader?.incidents(parts.alerts, workspaceId, ids);
  return stored.map((alert) => {
    const { acknowledgements, ...body } = alert.body;
    const current = acknowledgements?.filter(
      ({ incidentId }) => open?.get(alert.id)?.has(incidentId) === true,
    );
    return current === undefined || current.length === acknowledgements?.length
      ? alert
      : { ...alert, body: current.length === 0 ? body : { ...body, acknowledgements: current } };
  });
}

/** The alerts with their last evaluations. */
async function withRecent(
  records: Alert[] | Promise<Alert[]>,
  evaluations: Promise<ReadonlyMap<string, readonly StoredEvaluation[]>>,
): Promise<Alert[]> {
  const [alerts, recent] = await Promise.all([records, evaluations]);
  return alerts.map((alert) => ({
    ...alert,
    recent: (recent.get(alert.id) ?? []).map(recentEvaluation),
  }));
}

function recentEvaluation(stored: StoredEvaluation): RecentEvaluation {
  const { windowStartMs, windowEndMs, state, value, reason, skipped } = stored;
  return {
    windowStart: new Date(windowStartMs).toISOString(),
    windowEnd: new Date(windowEndMs).toISOString(),
    state,
    value,
    reason,
    ...(skipped > 0 && { skipped }),
  };
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
    tags,
    acknowledgements,
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
    acknowledgements,
    tags: tags !== undefined && tags.length > 0 ? tags : undefined,
    ...times(stored),
  }) as Alert;
}

/** An alert may be stored without its query. It cannot be evaluated until the query is named. */
function missingPieces({ body, updatedAtMs }: StoredDocument<'alert'>): ExecutionError[] {
  const message = incompleteAlert(body);
  return message === undefined
    ? []
    : [{ type: 'INVALID_ALERT', message, timestamp: new Date(updatedAtMs).toISOString() }];
}
