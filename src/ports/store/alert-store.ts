import type { AlertState, ExecutionError } from '../../contract/alert/alert.ts';
import type { DocumentBodies, DocumentKind, StoredDocument } from './document-store.ts';

/** An execution error as it is stored: with the time at which it began, in milliseconds. */
export interface StoredExecutionError {
  type: ExecutionError['type'];
  /** Safe to show to callers. */
  message: string;
  /** When the error first occurred, in milliseconds since the epoch. */
  sinceMs: number;
}

/** The stored outcome of an alert's evaluation. */
export interface StoredAlertStatus {
  state: AlertState;
  executionErrors: StoredExecutionError[];
  lastEvaluatedAtMs: number | null;
  /** The reading that decided the shown state, in the last evaluated window; null: no data. */
  lastValue: number | null;
}

/** What tells whether an alert is evaluated, and in time. */
export interface LastEvaluation {
  id: string;
  /** Time of the last change of the alert. */
  updatedAtMs: number;
  /** Null: it was never evaluated. */
  evaluatedAtMs: number | null;
  /** Of the last evaluation. */
  intervalMs: number | null;
  /** The first error of evaluation or delivery. */
  error: StoredExecutionError | null;
  /** The alert itself, if it is new or was changed after its last line of history. */
  changed: DocumentBodies['alert'] | null;
}

/** The progress of one alert's evaluation; one row for each alert. */
export interface AlertProgress extends StoredAlertStatus {
  /** Errors of evaluation. Errors of delivery are separate; only `setDeliveryErrors` changes them. */
  executionErrors: StoredExecutionError[];
  deliveryErrors: StoredExecutionError[];
  workspaceId: string;
  alertId: string;
  shard: number;
  intervalMs: number;
  /** End of the last recorded window; null: none yet. */
  lastEndMs: number | null;
  /**
   * End of the last window that has a line of its own in the history; those from there up to
   * `lastEndMs` were calm.
   */
  lineEndMs: number | null;
  /** The expression that `groups` are grouped by. */
  groupBy: string;
  /** States of the groups, as evaluation encodes them. */
  groups: string;
}

/**
 * One evaluated window, or a run of windows that was skipped. One row for each (alert,
 * windowEndMs); written again, the later one stands.
 */
export interface StoredEvaluation {
  workspaceId: string;
  alertId: string;
  windowStartMs: number;
  windowEndMs: number;
  evaluatedAtMs: number;
  state: AlertState;
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
  /**
   * What decided about notifications, as evaluation encodes it; absent if nothing breached or was
   * due, and in lines of an earlier release.
   */
  decision?: string;
}

/** A line of history, with the number of calm windows between it and the line before. */
export interface HistoryLine extends StoredEvaluation {
  calmBefore: number;
}

/**
 * One window of many alerts of one shard without groups that were inactive and stayed so: nearly
 * all that there is to record, so that it is kept together. It is their evaluation, and their
 * progress up to `windowEndMs`.
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

/** Number of shards over which alerts are distributed. */
export const shardCount = 16;

/** Of this many consecutive windows, at least one has its own history line. */
export const calmRunMax = 32;

/**
 * One event for one webhook. The key is (eventId, webhookId): writing an entry again has no effect.
 */
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

/** One request to a receiver. */
export interface StoredAttempt {
  atMs: number;
  /** Null: the receiver did not respond. */
  status: number | null;
  elapsedMs: number;
  /** Beginning of the response without secrets; null: empty. */
  body: string | null;
  /** Safe to show; null after success. */
  error: string | null;
}

/** Where a delivery stands in the order of deliveries, newest first. */
export interface DeliveryPosition {
  createdAtMs: number;
  eventId: string;
  webhookId: string;
}

export interface StoredDelivery extends DeliveryPosition {
  alertId: string;
  windowEndMs: number;
  /** JSON of the event. */
  event: string;
  status: 'pending' | 'delivered' | 'failed';
  attemptCount: number;
  /** Oldest first. Those that an earlier release made are missing. */
  attempts: StoredAttempt[];
  nextAttemptMs: number;
  settledMs: number | null;
  error: string | null;
}

/** Deliveries to one webhook that wait. */
export interface WaitingDeliveries {
  webhookId: string;
  count: number;
  oldestMs: number;
}

/** The result of a delivery attempt. */
export interface DeliveryMark {
  eventId: string;
  webhookId: string;
  attempts: number;
  outcome: 'delivered' | 'failed' | 'pending';
  /** Time of the next attempt; used only if `pending`. */
  nextAttemptMs: number;
  /** Safe to show; null after success. */
  error: string | null;
  /** Absent if no request was made. */
  attempt?: StoredAttempt | undefined;
}

export interface DocumentStamp {
  kind: DocumentKind;
  id: string;
  version: number;
}

/**
 * The alerting part of the store. What names no workspace serves every one of them and is for the
 * supervisor only. Writes that depend on a lease go into a transaction that fences it first.
 */
export interface AlertStore {
  /** An alert that was never evaluated has no entry. Without a promise where it is remembered. */
  status(
    workspaceId: string,
    alertIds: readonly string[],
  ): Map<string, StoredAlertStatus> | Promise<Map<string, StoredAlertStatus>>;
  /** The last evaluation of every alert of the workspace. */
  evaluations(workspaceId: string): Promise<LastEvaluation[]>;
  /** States of the groups of alerts that have any, as evaluation encodes them, by alert id. */
  groups(workspaceId: string, alertIds: readonly string[]): Promise<Map<string, string>>;
  /** Newest first: windows that ended before `beforeMs`. */
  history(
    workspaceId: string,
    alertId: string,
    page: { limit: number; beforeMs: number },
  ): Promise<StoredEvaluation[]>;
  /** The first `limit` of the histories of many alerts at once, without groups, by alert id. */
  recent(
    workspaceId: string,
    alertIds: readonly string[],
    limit: number,
  ): Promise<Map<string, StoredEvaluation[]>>;
  /** Number of stored evaluations. */
  historyCount(workspaceId: string, alertId: string): Promise<number>;

  /**
   * Grows or changes with nearly every change of what alerts are made from; `documentStamps` tells
   * the rest.
   */
  documentRevision(): Promise<{ count: number; latestMs: number; versions: number }>;
  documentsChangedSince(sinceMs: number): Promise<StoredDocument[]>;
  documentStamps(): Promise<DocumentStamp[]>;

  progress(shards: readonly number[]): Promise<AlertProgress[]>;
  /**
   * Upserts; all of one call or nothing. Answers the entries that wait to be delivered: all but
   * those with a final outcome.
   */
  record(written: {
    progress: readonly AlertProgress[];
    evaluations: readonly HistoryLine[];
    outbox: readonly OutboxEntry[];
  }): Promise<OutboxEntry[]>;
  /** For alerts that have progress already, and windows that follow it without a gap. */
  recordCalm(windows: readonly CalmWindow[]): Promise<void>;
  /** Changes what is shown of delivery, and nothing else. */
  setDeliveryErrors(alertId: string, errors: readonly StoredExecutionError[]): Promise<void>;

  /** Waiting deliveries, in the order of their windows. */
  pending(shards: readonly number[]): Promise<PendingDelivery[]>;
  /** Deliveries of an alert or to a webhook, newest first, behind `after`. */
  deliveries(
    workspaceId: string,
    of: { alertId: string; windowEndMs?: number } | { webhookId: string },
    page: { limit: number; after: DeliveryPosition | undefined },
  ): Promise<StoredDelivery[]>;
  /** The waiting deliveries of a workspace, counted by webhook, the longest waiting first. */
  waiting(workspaceId: string): Promise<WaitingDeliveries[]>;
  /** Has no effect on deliveries with a final outcome. */
  recordMarks(marks: readonly DeliveryMark[]): Promise<void>;
  /**
   * The receiver answered that it is gone permanently: nothing is sent until the webhook has another
   * version.
   */
  disableWebhook(webhookId: string, version: number): Promise<void>;
  /** Version in which each was disabled, by id. */
  disabledWebhooks(): Promise<Map<string, number>>;

  /** Records that `holder` is alive. Returns all holders that were alive within `aliveMs`. */
  heartbeat(holder: string, aliveMs: number): Promise<string[]>;
  leave(holder: string): Promise<void>;

  /** Deletes all data of deleted alerts. */
  forget(alertIds: readonly string[]): Promise<void>;
  /**
   * Drops evaluations and settled deliveries that are too old, and settled deliveries beyond the
   * newest `deliveriesMax` of an alert.
   */
  sweepBefore(bounds: {
    evaluationsMs: number;
    deliveriesMs: number;
    deliveriesMax?: number;
  }): Promise<void>;
}
