import type { AlertState } from '../../contract/alert/alert.ts';
import type { AlertProgress, StoredExecutionError } from '../../ports/store/alert-store.ts';
import type { StoredDocument } from '../../ports/store/document-store.ts';
import { alertDefinition, type AlertDefinition } from './alert-definition.ts';
import type { QuestionHolder } from './ask/compile-alerts.ts';
import type { CalmCandidate } from './decide/calm.ts';
import { decodeGroups } from './decide/group-states.ts';
import { nextDueAfterMs, nextDueMs, schedule, type Due } from './decide/schedule.ts';
import type { GroupState } from './decide/step.ts';
import { placeOf } from './shards.ts';

/** One alert of the running set: its definition, its progress and its compiled question. */
export interface RunningAlert extends QuestionHolder, CalmCandidate {
  id: string;
  shard: number;
  /**
   * Epoch of the lease under which the alert was loaded. Results may be written only under the same
   * lease.
   */
  epoch: number;
  definition: AlertDefinition;
  /** End of the last recorded window, and the interval of that window. */
  lastEndMs: number | null;
  recordedIntervalMs: number;
  /** End of the last window with a history line of its own; null: none is known. */
  lineEndMs: number | null;
  /**
   * Windows up to here may have been recorded before the clock was set back. They get history lines
   * of their own, which take precedence.
   */
  calmAfterMs: number;
  /** Spreads the history lines of calm alerts over time. */
  slot: number;
  state: AlertState;
  lastValue: number | null;
  lastEvaluatedAtMs: number | null;
  /** The group-by text of `groups`; null: nothing was recorded yet. */
  groupBy: string | null;
  groups: Map<string, GroupState>;
  errors: StoredExecutionError[];
  /** Earliest time of the next check. */
  nextCheckMs: number;
  /** The evaluation that includes the alert at the moment. */
  busy: object | undefined;
  /** Number of consecutive failures. */
  failures: number;
}

/** An alert with windows to evaluate. */
export interface DueAlert {
  alert: RunningAlert;
  due: Due;
}

export function runningAlert(
  document: StoredDocument<'alert'>,
  progress: AlertProgress | undefined,
  epoch: number,
  { shard, slot } = placeOf(document.id),
): RunningAlert {
  return {
    id: document.id,
    shard,
    epoch,
    definition: alertDefinition(document),
    lastEndMs: progress?.lastEndMs ?? null,
    recordedIntervalMs: progress?.intervalMs ?? 0,
    lineEndMs: progress?.lineEndMs ?? null,
    calmAfterMs: 0,
    slot,
    state: progress?.state ?? 'inactive',
    lastValue: progress?.lastValue ?? null,
    lastEvaluatedAtMs: progress?.lastEvaluatedAtMs ?? null,
    groupBy: progress?.lastEndMs == null ? null : progress.groupBy,
    groups: decodeGroups(progress?.groups ?? '[]'),
    errors: progress?.executionErrors ?? [],
    nextCheckMs: 0,
    busy: undefined,
    failures: 0,
    compiled: undefined,
    compiledFrom: [],
    compiledAtChange: -1,
  };
}

/**
 * Computes the due windows at one moment. Nearly all alerts of an interval have the same windows,
 * which are computed once for all of them.
 */
export class DueNow {
  readonly #nowMs: number;
  readonly #ingestDelayMs: number;
  readonly #dueByInterval = new Map<number, { lastEndMs: number | null; due: Due }>();

  constructor(nowMs: number, ingestDelayMs: number) {
    this.#nowMs = nowMs;
    this.#ingestDelayMs = ingestDelayMs;
  }

  /** The due windows of an alert. If there are none, sets the time of the alert's next check. */
  windowsOf(alert: RunningAlert): Due {
    const { intervalMs } = alert.definition;
    // An alert that was invalid, or had another interval, has no windows to catch up on.
    const latestOnly =
      (alert.errors.length > 0 && alert.errors.some(({ type }) => type === 'INVALID_ALERT')) ||
      (alert.lastEndMs !== null && alert.recordedIntervalMs !== intervalMs);
    const due = latestOnly
      ? this.#schedule(intervalMs, alert.lastEndMs, true)
      : this.#shared(intervalMs, alert.lastEndMs);
    if (due.rewoundToMs !== undefined) {
      alert.calmAfterMs = Math.max(alert.calmAfterMs, alert.lastEndMs ?? 0);
      alert.lastEndMs = due.rewoundToMs;
    }
    if (due.windows.length === 0) {
      alert.nextCheckMs = nextDueMs(this.#nowMs, intervalMs, this.#ingestDelayMs);
    }
    return due;
  }

  #shared(intervalMs: number, lastEndMs: number | null): Due {
    const known = this.#dueByInterval.get(intervalMs);
    if (known?.lastEndMs === lastEndMs) {
      return known.due;
    }
    const due = this.#schedule(intervalMs, lastEndMs, false);
    this.#dueByInterval.set(intervalMs, { lastEndMs, due });
    return due;
  }

  #schedule(intervalMs: number, lastEndMs: number | null, latestOnly: boolean): Due {
    return schedule({
      nowMs: this.#nowMs,
      intervalMs,
      ingestDelayMs: this.#ingestDelayMs,
      lastEndMs: lastEndMs ?? undefined,
      latestOnly,
    });
  }
}

/** Sets the alert's next check to the time when its next window is due. */
export function restUntilDue(alert: RunningAlert, ingestDelayMs: number): void {
  if (alert.lastEndMs !== null) {
    alert.nextCheckMs = nextDueAfterMs(alert.lastEndMs, alert.definition.intervalMs, ingestDelayMs);
  }
}

/** The stored progress of an alert, without its groups. */
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
