import type { AlertStatusReader } from '../../ports/alert-status.ts';
import type { AlertStore, ExecutionError } from '../../ports/alert-store.ts';
import type { ExecutionError as ShownError } from '../../contract/alert.ts';

/** What records of alerts show of their evaluation: read from the store, so that any process can. */
export function alertStatusReader(alerts: AlertStore): AlertStatusReader {
  return {
    async alertStatus(workspaceId, ids) {
      const found = await alerts.status(workspaceId, ids);
      return new Map([...found].map(([id, { state, executionErrors, lastEvaluatedAtMs, lastValue }]) => [
        id, { state, lastValue, executionErrors: executionErrors.map(shown), ...(lastEvaluatedAtMs !== null && { lastEvaluatedAtMs }) },
      ]));
    },
  };
}

function shown({ type, message, sinceMs }: ExecutionError): ShownError {
  return { type, message, timestamp: new Date(sinceMs).toISOString() };
}
