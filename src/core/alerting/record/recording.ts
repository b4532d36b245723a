import {
  shardCount,
  type HistoryLine,
  type AlertProgress,
  type CalmWindow,
  type OutboxEntry,
} from '../../../ports/store/alert-store.ts';
import type { Advanced } from '../decide/advance.ts';
import type { CompiledQuestion } from '../ask/compiled-question.ts';
import type { BatchAnswers } from '../ask/run-batch.ts';
import { encodeGroups } from '../decide/group-states.ts';
import type { RunningAlert } from '../running-alert.ts';
import type { Due, Window } from '../decide/schedule.ts';

/** The windows of one alert that are still to evaluate. */
export interface Task {
  alert: RunningAlert;
  compiled: CompiledQuestion;
  /** The window to evaluate now: the first of `windows`. */
  window: Window;
  /** Oldest first. */
  windows: readonly Window[];
  skipped: Due['skipped'] | undefined;
}

/** The cost of the query that answered an alert. */
export type Cost = Pick<BatchAnswers, 'rowsRead' | 'durationMs'>;

export interface Decided {
  task: Task;
  cost: Cost;
  advanced: Advanced;
}

export interface CalmTask {
  task: Task;
  value: number | null;
}

/** Updates the running alert after its window was written. */
export function adopt(
  { task: { alert, compiled, window }, advanced }: Decided,
  nowMs: number,
): void {
  alert.lastEndMs = window.endMs;
  alert.lineEndMs = window.endMs;
  alert.recordedIntervalMs = alert.definition.intervalMs;
  alert.state = advanced.state;
  alert.lastValue = advanced.value;
  alert.lastEvaluatedAtMs = nowMs;
  alert.groupBy = compiled.groupBy;
  alert.groups = advanced.groups;
  alert.errors = [];
  alert.failures = 0;
}

export function adoptCalm({ task: { alert, window }, value }: CalmTask, nowMs: number): void {
  alert.lastEndMs = window.endMs;
  alert.lastValue = value;
  alert.lastEvaluatedAtMs = nowMs;
  alert.failures = 0;
}

export function progressRow(
  { task: { alert, compiled, window }, advanced }: Decided,
  nowMs: number,
): AlertProgress {
  return {
    workspaceId: alert.definition.workspaceId,
    alertId: alert.id,
    shard: alert.shard,
    intervalMs: alert.definition.intervalMs,
    lastEndMs: window.endMs,
    lineEndMs: window.endMs,
    state: advanced.state,
    lastValue: advanced.value,
    lastEvaluatedAtMs: nowMs,
    groupBy: compiled.groupBy,
    groups: encodeGroups(advanced.groups),
    executionErrors: [],
    deliveryErrors: [],
  };
}

export function historyLines(
  { task: { alert, window, skipped, compiled }, cost, advanced }: Decided,
  nowMs: number,
): HistoryLine[] {
  const calmBefore = calmSinceLine(alert);
  const { workspaceId } = alert.definition;
  const grouped = compiled.groupBy !== '' || advanced.lines.some(({ group }) => group.length > 0);
  const row: HistoryLine = {
    workspaceId,
    alertId: alert.id,
    evaluatedAtMs: nowMs,
    windowStartMs: window.startMs,
    windowEndMs: window.endMs,
    state: advanced.state,
    value: advanced.value,
    durationMs: hundredths(cost.durationMs),
    rowsRead: cost.rowsRead,
    reason: advanced.reason,
    groups: grouped ? JSON.stringify(advanced.lines) : null,
    skipped: 0,
    ...(advanced.decision !== undefined && { decision: advanced.decision }),
    calmBefore: skipped ? 0 : calmBefore,
  };
  if (!skipped) {
    return [row];
  }
  const gap: HistoryLine = {
    workspaceId,
    alertId: alert.id,
    evaluatedAtMs: nowMs,
    windowStartMs: skipped.fromMs,
    windowEndMs: skipped.toMs,
    state: alert.state,
    value: null,
    durationMs: 0,
    rowsRead: 0,
    reason: 'skipped',
    groups: null,
    skipped: skipped.count,
    calmBefore,
  };
  return [gap, row];
}

/** The events to deliver. A deleted webhook that the alert no longer names gets none. */
export function outboxRows(
  { task: { alert, window }, advanced }: Decided,
  nowMs: number,
  webhookExists: (workspaceId: string, webhookId: string) => boolean,
): OutboxEntry[] {
  const { workspaceId, webhookIds } = alert.definition;
  return advanced.events.flatMap(({ event, webhookIds: recipientIds }) => {
    const text = JSON.stringify(event);
    return recipientIds
      .filter((id) => webhookIds.includes(id) || webhookExists(workspaceId, id))
      .map((webhookId) => ({
        workspaceId,
        alertId: alert.id,
        shard: alert.shard,
        eventId: event.id,
        webhookId,
        windowEndMs: window.endMs,
        event: text,
        createdAtMs: nowMs,
      }));
  });
}

/** Number of calm windows since the last history line; there is no gap between them. */
function calmSinceLine({ lastEndMs, lineEndMs, recordedIntervalMs }: RunningAlert): number {
  return lastEndMs === null || lineEndMs === null || lineEndMs > lastEndMs
    ? 0
    : Math.round((lastEndMs - lineEndMs) / recordedIntervalMs);
}

/** The calm alerts of one query: a window for each shard and interval. */
export function calmWindows(
  calm: readonly CalmTask[],
  { rowsRead, durationMs }: Cost,
  nowMs: number,
): CalmWindow[] {
  const byShard = new Map<number, CalmWindow & { alerts: [string, number | null][] }>();
  for (const {
    task: { alert, window },
    value,
  } of calm) {
    const key = alert.recordedIntervalMs * shardCount + alert.shard;
    let calmWindow = byShard.get(key);
    if (!calmWindow) {
      calmWindow = {
        shard: alert.shard,
        intervalMs: alert.recordedIntervalMs,
        windowEndMs: window.endMs,
        evaluatedAtMs: nowMs,
        durationMs: hundredths(durationMs),
        rowsRead,
        alerts: [],
      };
      byShard.set(key, calmWindow);
    }
    calmWindow.alerts.push([alert.id, value]);
  }
  return [...byShard.values()];
}

const hundredths = (ms: number): number => Math.round(ms * 100) / 100;
