import type { AlertProgress, ExecutionError } from '../../ports/alert-store.ts';
import type { StoredDocument } from '../../ports/store.ts';
import { alertDefinition, type AlertDefinition } from './alert-definition.ts';
import type { Asked } from './asked.ts';
import { decodeGroups } from './group-states.ts';
import { nextDueAfterMs, nextDueMs, schedule, type Due } from './schedule.ts';
import { placeOf } from './shards.ts';
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
  /** The evaluation that it is part of right now. */
  busy: object | undefined;
  /** Failures in a row. */
  failures: number;
  asked: Asked | undefined;
  /** What `asked` was made from, and when that was last compared with what there is. */
  askedFrom: readonly (StoredDocument | AlertDefinition)[];
  askedChange: number;
}

export function runningAlert(
  document: StoredDocument,
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
    asked: undefined,
    askedFrom: [],
    askedChange: -1,
  };
}

/** What is due at one moment. Nearly all alerts of an interval are at the same window: that is worked out once for all of them. */
export class DueNow {
  readonly #nowMs: number;
  readonly #ingestDelayMs: number;
  readonly #known = new Map<number, { lastEndMs: number | null; due: Due }>();

  constructor(nowMs: number, ingestDelayMs: number) {
    this.#nowMs = nowMs;
    this.#ingestDelayMs = ingestDelayMs;
  }

  /** What is due of an alert; where nothing is, it is noted when to look again. */
  of(alert: RunningAlert): Due {
    const { intervalMs } = alert.definition;
    // While it could not be evaluated, or had another interval, there were no windows to miss.
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
    const known = this.#known.get(intervalMs);
    if (known?.lastEndMs === lastEndMs) {
      return known.due;
    }
    const due = this.#schedule(intervalMs, lastEndMs, false);
    this.#known.set(intervalMs, { lastEndMs, due });
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

/** Not before its next window is due does an alert have to be looked at again. */
export function rest(alert: RunningAlert, ingestDelayMs: number): void {
  if (alert.lastEndMs !== null) {
    alert.nextCheckMs = nextDueAfterMs(alert.lastEndMs, alert.definition.intervalMs, ingestDelayMs);
  }
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
