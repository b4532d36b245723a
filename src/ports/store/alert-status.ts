import type { AlertStore } from './alert-store.ts';
import type { AlertState, ExecutionError } from '../../contract/alert/alert.ts';

/** The outcome of an alert's evaluation, as the alert's record shows it. */
export interface AlertStatus {
  state: AlertState;
  executionErrors: ExecutionError[];
  lastEvaluatedAtMs?: number;
  /** The reading that decided the state of the last window; null if there was no data. */
  lastValue?: number | null;
}

export interface AlertStatusReader {
  /** By alert id; an alert that was never evaluated has no entry. */
  alertStatus(
    alerts: Pick<AlertStore, 'status'>,
    workspaceId: string,
    ids: readonly string[],
  ): ReadonlyMap<string, AlertStatus> | Promise<ReadonlyMap<string, AlertStatus>>;
  /** Ids of the incidents that have not ended, by alert id. */
  incidents(
    alerts: Pick<AlertStore, 'groups'>,
    workspaceId: string,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, ReadonlySet<string>>>;
}
