import type { AlertStatus, AlertStatusReader } from '../../ports/alert-status.ts';
import type {
  AlertStatus as StoredStatus,
  AlertStore,
  ExecutionError,
} from '../../ports/alert-store.ts';
import type { ExecutionError as ShownError } from '../../contract/alert.ts';

/** What records of alerts show of their evaluation: read from the store, so that any process can. */
export function alertStatusReader(alerts: AlertStore): AlertStatusReader {
  /** The store may hand out the same status again: then the same is shown, and records made of it can be told to be the same. */
  const made = new WeakMap<StoredStatus, AlertStatus>();
  return {
    alertStatus(workspaceId, ids) {
      const found = alerts.status(workspaceId, ids);
      return found instanceof Promise ? found.then(show) : show(found);
    },
  };

  function show(found: Map<string, StoredStatus>): Map<string, AlertStatus> {
    const statuses = new Map<string, AlertStatus>();
    for (const [id, stored] of found) {
      const status = made.get(stored) ?? shownStatus(stored);
      if (Object.isFrozen(stored)) {
        made.set(stored, status);
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
}: StoredStatus): AlertStatus {
  return {
    state,
    lastValue,
    executionErrors: executionErrors.map(shown),
    ...(lastEvaluatedAtMs !== null && { lastEvaluatedAtMs }),
  };
}

function shown({ type, message, sinceMs }: ExecutionError): ShownError {
  return { type, message, timestamp: new Date(sinceMs).toISOString() };
}
