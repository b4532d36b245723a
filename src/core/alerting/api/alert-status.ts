import type { AlertStatus, AlertStatusReader } from '../../../ports/store/alert-status.ts';
import type { StoredAlertStatus, StoredExecutionError } from '../../../ports/store/alert-store.ts';
import { openIncidents } from '../decide/incidents.ts';
import type { ExecutionError } from '../../../contract/alert/alert.ts';

/** Reads the evaluation status of alerts from the store, so that any process can show it. */
export function alertStatusReader(): AlertStatusReader {
  /**
   * The store may return the same frozen status again. The reader then returns the same object as
   * before, so that callers can recognize an unchanged record by identity.
   */
  const shownByStored = new WeakMap<StoredAlertStatus, AlertStatus>();
  return {
    alertStatus(alerts, workspaceId, ids) {
      const stored = alerts.status(workspaceId, ids);
      return stored instanceof Promise ? stored.then(show) : show(stored);
    },
    async incidents(alerts, workspaceId, ids) {
      const groups = await alerts.groups(workspaceId, ids);
      return new Map(
        Array.from(groups, ([id, text]) => [
          id,
          new Set(openIncidents(id, text).map(({ incidentId }) => incidentId)),
        ]),
      );
    },
  };

  function show(statusById: Map<string, StoredAlertStatus>): Map<string, AlertStatus> {
    const statuses = new Map<string, AlertStatus>();
    for (const [id, stored] of statusById) {
      const status = shownByStored.get(stored) ?? shownStatus(stored);
      if (Object.isFrozen(stored)) {
        shownByStored.set(stored, status);
      }
      statuses.set(id, status);
    }
    return statuses;
  }
}

function shownStatus({
  state,
  executionErrors,
  lastEvaluatedAtMs,
  lastValue,
}: StoredAlertStatus): AlertStatus {
  return {
    state,
    lastValue,
    executionErrors: executionErrors.map(shownError),
    ...(lastEvaluatedAtMs !== null && { lastEvaluatedAtMs }),
  };
}

function shownError({ type, message, sinceMs }: StoredExecutionError): ExecutionError {
  return { type, message, timestamp: new Date(sinceMs).toISOString() };
}
