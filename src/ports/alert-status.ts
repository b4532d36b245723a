import type { AlertState, ExecutionError } from '../contract/alert.ts';

/** What evaluation knows of an alert. */
export interface AlertStatus {
  state: AlertState;
  executionErrors: ExecutionError[];
  lastEvaluatedAtMs?: number;
  /** The reading that decided last; null where there was no data. */
  lastValue?: number | null;
}

export interface AlertStatusReader {
  /** By alert id; an alert that was never evaluated has no entry. */
  alertStatus(
    workspaceId: string,
    ids: readonly string[],
  ): ReadonlyMap<string, AlertStatus> | Promise<ReadonlyMap<string, AlertStatus>>;
}
