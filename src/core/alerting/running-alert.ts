import type { AlertProgress, ExecutionError } from '../../ports/alert-store.ts';
import type { StoredDocument } from '../../ports/store.ts';
import { alertDefinition, type AlertDefinition } from './alert-definition.ts';
import type { Asked } from './batches.ts';
import { decodeGroups } from './group-states.ts';
import { nextDueMs, schedule, type Due } from './schedule.ts';
import { shardOf, slotOf } from './shards.ts';
import type { AlertState, GroupState } from './step.ts';

/** One alert of the running set: its definition, where its evaluation stands, and its question, compiled once. */
export interface RunningAlert {
  id: string;
  shard: number;
  /** Of the lease under which this was read: what was computed from it may be written under that one only. */
  epoch: number;
  definition: AlertDefinition;
  /** End of the last recorded window, and the interval it had. */
  lastEndMs: number | null;
  recordedIntervalMs: number;
  /** End of the last window with a line of its own in the history; null: none that is known. */
  lineEndMs: number | null;
  /** Windows up to here may have been recorded before the clock was set back: they get lines of their own, which count more. */
  calmAfterMs: number;
  /** When lines of its own are due: not all alerts at once. */
  slot: number;
  state: AlertState;
  lastValue: number | null;
  lastEvaluatedAtMs: number | null;
  /** What the groups are groups of; null: nothing was recorded yet. */
  groupBy: string | null;
  groups: Map<string, GroupState>;
  errors: ExecutionError[];
  /** Not looked at before. */
  nextCheckMs: number;
  /** Being evaluated right now. */
  busy: boolean;
  /** Failures in a row. */
  failures: number;
  /** Which versions of which documents `asked` was made from, and when that was last compared. */
  askedStamp: string;
  askedChange: number;
  asked: Asked | undefined;
}

export function runningAlert(document: StoredDocument, progress: AlertProgress | undefined, epoch: number): RunningAlert {
  return {
    id: document.id,
    shard: shardOf(document.id),
    epoch,
    definition: alertDefinition(document),
    lastEndMs: progress?.lastEndMs ?? null,
    recordedIntervalMs: progress?.intervalMs ?? 0,
    lineEndMs: progress?.lineEndMs ?? null,
    calmAfterMs: 0,
    slot: slotOf(document.id),
    state: progress?.state ?? 'inactive',
    lastValue: progress?.lastValue ?? null,
    lastEvaluatedAtMs: progress?.lastEvaluatedAtMs ?? null,
    groupBy: progress?.lastEndMs == null ? null : progress.groupBy,
    groups: decodeGroups(progress?.groups ?? '[]'),
    errors: progress?.executionErrors ?? [],
    nextCheckMs: 0,
    busy: false,
    failures: 0,
    askedStamp: '',
    askedChange: -1,
    asked: undefined,
  };
}

/** What is due now; where nothing is, when to look again. */
export function dueOf(alert: RunningAlert, nowMs: number, ingestDelayMs: number): Due {
  const { intervalMs } = alert.definition;
  // While it could not be evaluated, or had another interval, there were no windows to miss.
  const latestOnly = alert.errors.some(({ type }) => type === 'INVALID_ALERT') || (alert.lastEndMs !== null && alert.recordedIntervalMs !== intervalMs);
  const due = schedule({ nowMs, intervalMs, ingestDelayMs, lastEndMs: alert.lastEndMs ?? undefined, latestOnly });
  if (due.rewoundToMs !== undefined) {
    alert.calmAfterMs = Math.max(alert.calmAfterMs, alert.lastEndMs ?? 0);
    alert.lastEndMs = due.rewoundToMs;
  }
  if (due.windows.length === 0) alert.nextCheckMs = nextDueMs(nowMs, intervalMs, ingestDelayMs);
  return due;
}

/** The row of an alert as it stands. */
export function progressOf(alert: RunningAlert): AlertProgress {
  return {
    workspaceId: alert.definition.workspaceId,
    alertId: alert.id,
    shard: alert.shard,
    intervalMs: alert.recordedIntervalMs,
    lastEndMs: alert.lastEndMs,
    lineEndMs: alert.lineEndMs,
    state: alert.state,
    lastValue: alert.lastValue,
    lastEvaluatedAtMs: alert.lastEvaluatedAtMs,
    groupBy: alert.groupBy ?? '',
    groups: '[]',
    executionErrors: alert.errors,
    deliveryErrors: [],
  };
}
