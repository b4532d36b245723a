import type { DocumentKind, StoredDocument } from './store.ts';

export type AlertStateName = 'inactive' | 'pending' | 'firing';

export type ExecutionErrorType =
  | 'QUERY_ERROR'
  | 'QUERY_TIMEOUT'
  | 'WEBHOOK_ERROR'
  | 'INVALID_ALERT'
  | 'TOO_MANY_GROUPS';

/** Why an alert could not do its work. */
export interface ExecutionError {
  type: ExecutionErrorType;
  /** Safe to show. */
  message: string;
  /** Since when, milliseconds. */
  sinceMs: number;
}

/** What the record of an alert shows of its evaluation. */
export interface AlertStatus {
  state: AlertStateName;
  executionErrors: ExecutionError[];
  lastEvaluatedAtMs: number | null;
  /** The reading that decided the shown state, in the last evaluated window; null: no data. */
  lastValue: number | null;
}

/** Where evaluation of one alert stands; one row an alert. */
export interface AlertProgress extends AlertStatus {
  /** Of evaluation only; what delivery found is kept beside it and only `setDeliveryErrors` changes it. */
  executionErrors: ExecutionError[];
  deliveryErrors: ExecutionError[];
  workspaceId: string;
  alertId: string;
  shard: number;
  intervalMs: number;
  /** End of the last recorded window; null: none yet. */
  lastEndMs: number | null;
  /** End of the last window that has a line of its own in the history; those from there up to `lastEndMs` were calm. */
  lineEndMs: number | null;
  /** What the groups below are groups of. */
  groupBy: string;
  /** States of the groups, as evaluation encodes them. */
  groups: string;
}

/** One evaluated window, or a run of windows that was skipped. One row for each (alert, windowEndMs); written again, the later one stands. */
export interface AlertEvaluation {
  workspaceId: string;
  alertId: string;
  windowStartMs: number;
  windowEndMs: number;
  evaluatedAtMs: number;
  state: AlertStateName;
  value: number | null;
  durationMs: number;
  /** Rows the engine read, shared out over the alerts of the scan. */
  rowsRead: number;
  /** Why the state changed; null where it did not. */
  reason: string | null;
  /** JSON: the groups of this window; null for an alert without groups. */
  groups: string | null;
  /** Windows between windowStartMs and windowEndMs that were not evaluated; 0 for an evaluation. */
  skipped: number;
}

/** A line of history, and how many calm windows lie between it and the line before. */
export interface AlertLine extends AlertEvaluation {
  calmBefore: number;
}

/**
 * One window of many alerts of one shard without groups that were inactive and stayed so: nearly all that there is to record, so that it is kept
 * together. It is their evaluation, and their progress up to `windowEndMs`.
 */
export interface CalmWindow {
  shard: number;
  intervalMs: number;
  windowEndMs: number;
  evaluatedAtMs: number;
  durationMs: number;
  /** Of each. */
  rowsRead: number;
  /** What each read; null: no data. */
  alerts: readonly [alertId: string, value: number | null][];
}

/** Alerts are dealt out to so many shards. */
export const shardCount = 16;

/** Of so many windows in a row an alert has at least one line of its own. */
export const calmRunMax = 32;

/** One event for one webhook. The key is (eventId, webhookId): what was written once is not written again. */
export interface OutboxEntry {
  workspaceId: string;
  alertId: string;
  shard: number;
  eventId: string;
  webhookId: string;
  windowEndMs: number;
  /** JSON of the event. */
  event: string;
  createdAtMs: number;
}

export interface PendingDelivery extends OutboxEntry {
  attempts: number;
  nextAttemptMs: number;
}

/** What became of an attempt. */
export interface DeliveryMark {
  eventId: string;
  webhookId: string;
  attempts: number;
  outcome: 'delivered' | 'failed' | 'pending';
  /** When to try again; of `pending` only. */
  nextAttemptMs: number;
  /** Safe to show; null after success. */
  error: string | null;
}

export interface DocumentStamp {
  kind: DocumentKind;
  id: string;
  version: number;
}

/**
 * The alerting part of the store. What names no workspace serves every one of them and is for the supervisor only. Writes that depend on a
 * lease go into a transaction that fences it first.
 */
export interface AlertStore {
  /** An alert that was never evaluated has no entry. Without a promise where it is remembered. */
  status(
    workspaceId: string,
    alertIds: readonly string[],
  ): Map<string, AlertStatus> | Promise<Map<string, AlertStatus>>;
  /** Newest first: windows that ended before `beforeMs`. */
  history(
    workspaceId: string,
    alertId: string,
    page: { limit: number; beforeMs: number },
  ): Promise<AlertEvaluation[]>;
  /** How many evaluations are kept. */
  historyCount(workspaceId: string, alertId: string): Promise<number>;

  /** Grows or changes with nearly every change of what alerts are made from; `documentStamps` tells the rest. */
  documentRevision(): Promise<{ count: number; latestMs: number; versions: number }>;
  documentsChangedSince(sinceMs: number): Promise<StoredDocument[]>;
  documentStamps(): Promise<DocumentStamp[]>;

  progress(shards: readonly number[]): Promise<AlertProgress[]>;
  /** Upserts; all of one call or nothing. Answers the entries that wait to be delivered: all but those that were settled before. */
  record(written: {
    progress: readonly AlertProgress[];
    evaluations: readonly AlertLine[];
    outbox: readonly OutboxEntry[];
  }): Promise<OutboxEntry[]>;
  /** For alerts that have progress already, and windows that follow it without a gap. */
  recordCalm(windows: readonly CalmWindow[]): Promise<void>;
  /** Changes what is shown of delivery, and nothing else. */
  setDeliveryErrors(alertId: string, errors: readonly ExecutionError[]): Promise<void>;

  /** Waiting deliveries, in the order of their windows. */
  pending(shards: readonly number[]): Promise<PendingDelivery[]>;
  /** What is settled stays settled. */
  settle(marks: readonly DeliveryMark[]): Promise<void>;
  /** The receiver said that it is gone for good: nothing is sent until the webhook has another version. */
  disableWebhook(webhookId: string, version: number): Promise<void>;
  /** Version in which each was disabled, by id. */
  disabledWebhooks(): Promise<Map<string, number>>;

  /** Says that `holder` is alive; answers everybody who said so within `aliveMs`. */
  heartbeat(holder: string, aliveMs: number): Promise<string[]>;
  leave(holder: string): Promise<void>;

  /** Drops everything of alerts that are gone. */
  forget(alertIds: readonly string[]): Promise<void>;
  /** Drops evaluations and settled deliveries that are too old. */
  sweepBefore(bounds: { evaluationsMs: number; deliveriesMs: number }): Promise<void>;
}
