import {
  shardCount,
  type AlertLine,
  type AlertProgress,
  type CalmWindow,
  type OutboxEntry,
} from '../../ports/alert-store.ts';
import type { Advanced } from './advance.ts';
import type { Asked } from './asked.ts';
import { encodeGroups } from './group-states.ts';
import type { Answers } from './readings.ts';
import type { RunningAlert } from './running-alert.ts';
import type { Due, Window } from './schedule.ts';

/** Windows of one alert that are still to be evaluated, oldest first. */
export interface Task {
  alert: RunningAlert;
  asked: Asked;
  windows: readonly Window[];
  skipped: Due['skipped'] | undefined;
}

/** What the scan of an alert cost. */
export type Cost = Pick<Answers, 'rowsRead' | 'durationMs'>;

export interface Decided {
  task: Task;
  cost: Cost;
  advanced: Advanced;
}

export interface CalmTask {
  task: Task;
  value: number | null;
}

/** What was written is what is remembered from here on. */
export function adopt({ task: { alert, asked, windows }, advanced }: Decided, nowMs: number): void {
  alert.lastEndMs = windows[0]!.endMs;
  alert.lineEndMs = windows[0]!.endMs;
  alert.recordedIntervalMs = alert.definition.intervalMs;
  alert.state = advanced.state;
  alert.lastValue = advanced.value;
  alert.lastEvaluatedAtMs = nowMs;
  alert.groupBy = asked.groupBy;
  alert.groups = advanced.groups;
  alert.errors = [];
  alert.failures = 0;
}

export function adoptCalm({ task: { alert, windows }, value }: CalmTask, nowMs: number): void {
  alert.lastEndMs = windows[0]!.endMs;
  alert.lastValue = value;
  alert.lastEvaluatedAtMs = nowMs;
  alert.failures = 0;
}

export function progressRow(
  { task: { alert, asked, windows }, advanced }: Decided,
  nowMs: number,
): AlertProgress {
  return {
    workspaceId: alert.definition.workspaceId,
    alertId: alert.id,
    shard: alert.shard,
    intervalMs: alert.definition.intervalMs,
    lastEndMs: windows[0]!.endMs,
    lineEndMs: windows[0]!.endMs,
    state: advanced.state,
    lastValue: advanced.value,
    lastEvaluatedAtMs: nowMs,
    groupBy: asked.groupBy,
    groups: encodeGroups(advanced.groups),
    executionErrors: [],
    deliveryErrors: [],
  };
}

export function evaluationRows(
  { task: { alert, windows, skipped, asked }, cost, advanced }: Decided,
  nowMs: number,
): AlertLine[] {
  const window = windows[0]!;
  const calmBefore = calmSinceLine(alert);
  const { workspaceId } = alert.definition;
  const grouped = asked.groupBy !== '' || advanced.lines.some(({ group }) => group.length > 0);
  const row: AlertLine = {
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
    calmBefore: skipped ? 0 : calmBefore,
  };
  if (!skipped) {
    return [row];
  }
  const gap: AlertLine = {
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

/** Of a webhook that is gone, and that the alert does not name any more, nobody has to hear. */
export function outboxRows(
  { task: { alert, windows }, advanced }: Decided,
  nowMs: number,
  isThere: (workspaceId: string, webhookId: string) => boolean,
): OutboxEntry[] {
  const { workspaceId, webhookIds } = alert.definition;
  return advanced.events.flatMap(({ event, webhookIds: to }) => {
    const text = JSON.stringify(event);
    return to
      .filter((id) => webhookIds.includes(id) || isThere(workspaceId, id))
      .map((webhookId) => ({
        workspaceId,
        alertId: alert.id,
        shard: alert.shard,
        eventId: event.id,
        webhookId,
        windowEndMs: windows[0]!.endMs,
        event: text,
        createdAtMs: nowMs,
      }));
  });
}

/** Calm windows since the last line of its own; they lie without a gap. */
function calmSinceLine({ lastEndMs, lineEndMs, recordedIntervalMs }: RunningAlert): number {
  return lastEndMs === null || lineEndMs === null || lineEndMs > lastEndMs
    ? 0
    : Math.round((lastEndMs - lineEndMs) / recordedIntervalMs);
}

/** What one scan told of alerts that stayed calm: a window for each shard and interval. */
export function calmWindows(
  calm: readonly CalmTask[],
  { rowsRead, durationMs }: Cost,
  nowMs: number,
): CalmWindow[] {
  const found = new Map<number, CalmWindow & { alerts: [string, number | null][] }>();
  for (const {
    task: { alert, windows },
    value,
  } of calm) {
    const key = alert.recordedIntervalMs * shardCount + alert.shard;
    let window = found.get(key);
    if (!window) {
      found.set(
        key,
        (window = {
          shard: alert.shard,
          intervalMs: alert.recordedIntervalMs,
          windowEndMs: windows[0]!.endMs,
          evaluatedAtMs: nowMs,
          durationMs: hundredths(durationMs),
          rowsRead,
          alerts: [],
        }),
      );
    }
    window.alerts.push([alert.id, value]);
  }
  return [...found.values()];
}

const hundredths = (ms: number): number => Math.round(ms * 100) / 100;
