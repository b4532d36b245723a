import { Fault } from '../../../contract/errors.ts';
import type { OutboxEntry } from '../../../ports/store/alert-store.ts';
import type { Log } from '../../../ports/ambient.ts';
import type { Lease } from '../../../ports/store/lease-store.ts';
import type { Store, StoreParts } from '../../../ports/store/store.ts';
import { NothingToWatch } from '../ask/question.ts';
import type { Catalog } from '../catalog.ts';
import { advance, type Advanced } from '../decide/advance.ts';
import { encodeGroups } from '../decide/group-states.ts';
import { readingsOf, type Answer } from '../decide/readings.ts';
import { progressOf, restUntilDue, type RunningAlert } from '../running-alert.ts';
import type { Maintenance } from '../maintenance.ts';
import type { Shards } from '../shards.ts';
import { executionError, withFirstTime } from './execution-error.ts';
import {
  adopt,
  adoptCalm,
  calmWindows,
  historyLines,
  outboxRows,
  progressRow,
  type CalmTask,
  type Cost,
  type Decided,
  type Task,
} from './recording.ts';
import type { TransitionLog } from './transition-log.ts';
import { WriteThrottle } from './write-throttle.ts';

export interface RecorderOptions {
  store: Store;
  log: Log;
  catalog: Catalog;
  shards: Shards;
  maintenance: Maintenance;
  publicUrl: string;
  /** How long after its end a window waits for late telemetry, in milliseconds. */
  ingestDelayMs: number;
  /** Takes the outbox entries to deliver, once they are durable. */
  deliver(entries: readonly OutboxEntry[]): void;
  /** Whether deliveries are under way; writes must leave them time. */
  delivering(): boolean;
}

/** One evaluation of all due alerts. */
export interface Round {
  readonly nowMs: number;
  readonly transitions: TransitionLog;
}

/** A task with the answer to its window. */
export interface AnsweredTask {
  task: Task;
  answer: Answer;
}

export interface FailedAlert {
  alert: RunningAlert;
  error: unknown;
}

/** Maximum number of alerts in one transaction: bounds how long others wait for it. */
const alertsPerWrite = 250;
const retryMaxMs = 30_000;

/** Decides windows and records them. Each method returns the tasks with windows left to evaluate. */
export class Recorder {
  readonly #options: RecorderOptions;
  readonly #writes: WriteThrottle;

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#writes = new WriteThrottle(() => options.delivering());
  }

  /** Steps every group of each alert and records the outcome. */
  async record(answered: readonly AnsweredTask[], cost: Cost, round: Round): Promise<Task[]> {
    const parts: Promise<Task[]>[] = [];
    for (let start = 0; start < answered.length; start += alertsPerWrite) {
      const part = answered.slice(start, start + alertsPerWrite);
      parts.push(this.#writes.run(() => this.#recordPart(part, cost, round)));
    }
    return (await Promise.all(parts)).flat();
  }

  /** Records calm windows, all in one transaction: they are few rows, however many alerts. */
  async recordCalm(calm: readonly CalmTask[], cost: Cost, round: Round): Promise<Task[]> {
    if (calm.length === 0) {
      return [];
    }
    const { nowMs } = round;
    try {
      await this.#writes.run(() =>
        this.#fenced(calm, (parts) => parts.alerts.recordCalm(calmWindows(calm, cost, nowMs))),
      );
    } catch (error) {
      this.#refused(calm, error, nowMs);
      return [];
    }
    for (const one of calm) {
      adoptCalm(one, nowMs);
    }
    return this.#remaining(calm);
  }

  /** Records why alerts could not be evaluated. Their state stays, and the window stays due. */
  async fail(failed: readonly FailedAlert[], nowMs: number): Promise<void> {
    const changed: RunningAlert[] = [];
    for (const { alert, error } of failed) {
      delay(alert, nowMs);
      alert.compiled = undefined;
      if (error instanceof NothingToWatch) {
        continue;
      }
      const shown = withFirstTime(alert.errors, executionError(error, nowMs));
      if (shown === alert.errors[0]) {
        continue;
      }
      this.#options.log.warn(
        { alertId: alert.id, err: error },
        'alert evaluation failed; retrying',
      );
      alert.errors = [shown];
      changed.push(alert);
    }
    for (let start = 0; start < changed.length; start += alertsPerWrite) {
      await this.#recordErrors(changed.slice(start, start + alertsPerWrite));
    }
    for (const { alert } of failed) {
      free(alert);
    }
  }

  async #recordPart(answered: readonly AnsweredTask[], cost: Cost, round: Round): Promise<Task[]> {
    const { nowMs, transitions } = round;
    const decided = answered.map(({ task, answer }): Decided => ({
      task,
      cost,
      advanced: this.#advance(task, answer, nowMs),
    }));
    try {
      this.#options.deliver(await this.#write(decided, nowMs));
    } catch (error) {
      this.#refused(decided, error, nowMs);
      return [];
    }
    for (const one of decided) {
      noteTransition(one, transitions);
      adopt(one, nowMs);
    }
    return this.#remaining(decided);
  }

  /** The tasks with another window to evaluate; the alerts of the others rest. */
  #remaining(recorded: readonly { task: Task }[]): Task[] {
    const remaining: Task[] = [];
    for (const { task } of recorded) {
      const next = task.windows[1];
      if (next) {
        remaining.push({
          ...task,
          window: next,
          windows: task.windows.slice(1),
          skipped: undefined,
        });
      } else {
        restUntilDue(task.alert, this.#options.ingestDelayMs);
        free(task.alert);
      }
    }
    return remaining;
  }

  #advance({ alert, compiled, window }: Task, answer: Answer, nowMs: number): Advanced {
    return advance({
      definition: alert.definition,
      groupBy: compiled.groupBy,
      groupByBefore: alert.groupBy,
      groups: alert.groups,
      readings: readingsOf(answer),
      window,
      nowMs,
      publicUrl: this.#options.publicUrl,
      maintenanceId: this.#options.maintenance.covering(alert.definition, nowMs),
    });
  }

  /** Records state, history and outbox in one transaction. */
  async #write(decided: readonly Decided[], nowMs: number): Promise<OutboxEntry[]> {
    const webhookExists = (workspaceId: string, id: string): boolean =>
      this.#options.catalog.get(workspaceId, 'webhook', id) !== undefined;
    const progress = decided.map((one) => progressRow(one, nowMs));
    const evaluations = decided.flatMap((one) => historyLines(one, nowMs));
    const outbox = decided.flatMap((one) => outboxRows(one, nowMs, webhookExists));
    return this.#fenced(decided, (parts) => parts.alerts.record({ progress, evaluations, outbox }));
  }

  async #recordErrors(alerts: readonly RunningAlert[]): Promise<void> {
    const progress = alerts.map((alert) => ({
      ...progressOf(alert),
      groups: encodeGroups(alert.groups),
    }));
    const fencing = alerts.map((alert) => ({ task: { alert } }));
    try {
      await this.#writes.run(() =>
        this.#fenced(fencing, (parts) =>
          parts.alerts.record({ progress, evaluations: [], outbox: [] }),
        ),
      );
    } catch (error) {
      this.#options.log.warn(
        { err: error, alerts: alerts.length },
        'cannot save execution errors of alerts; retrying',
      );
      for (const alert of alerts) {
        alert.errors = [];
      }
    }
  }

  /** Runs `work` in a transaction that the leases of these alerts fence. */
  #fenced<T>(
    recorded: readonly { task: { alert: RunningAlert } }[],
    work: (parts: StoreParts) => Promise<T>,
  ): Promise<T> {
    const { shards, store } = this.#options;
    const leases = new Map<number, Lease | undefined>();
    let stale = false;
    for (const { task } of recorded) {
      const { shard, epoch } = task.alert;
      if (!leases.has(shard)) {
        leases.set(shard, shards.lease(shard));
      }
      stale ||= leases.get(shard)?.epoch !== epoch;
    }
    const inOrder = [...leases].sort(([a], [b]) => a - b).map(([, lease]) => lease);
    return store.transaction(async (parts) => {
      for (const lease of inOrder) {
        if (!lease || stale) {
          throw new Fault('conflict', 'the lease of an alert shard was lost or replaced');
        }
        await parts.leases.fence(lease);
      }
      return work(parts);
    });
  }

  /** Nothing was written, so nothing is remembered: the windows stay due. */
  #refused(recorded: readonly { task: Task }[], error: unknown, nowMs: number): void {
    const alerts = recorded.map(({ task }) => task.alert);
    if (error instanceof Fault && error.code === 'conflict') {
      for (const shard of new Set(alerts.map(({ shard }) => shard))) {
        this.#options.shards.drop(shard);
      }
    }
    this.#options.log.warn(
      { err: error, alerts: alerts.length },
      'cannot record alert evaluations; retrying',
    );
    for (const alert of alerts) {
      delay(alert, nowMs);
      free(alert);
    }
  }
}

function noteTransition(
  { task: { alert, window }, advanced }: Decided,
  transitions: TransitionLog,
): void {
  if (alert.state === advanced.state) {
    return;
  }
  transitions.add({
    workspaceId: alert.definition.workspaceId,
    alertId: alert.id,
    name: alert.definition.name,
    from: alert.state,
    to: advanced.state,
    reason: advanced.reason,
    windowEnd: new Date(window.endMs).toISOString(),
  });
}

/** Ends the alert's part in the round, so that its next window does not wait for other alerts. */
function free(alert: RunningAlert): void {
  alert.busy = undefined;
}

function delay(alert: RunningAlert, nowMs: number): void {
  alert.failures++;
  alert.nextCheckMs = nowMs + Math.min(retryMaxMs, 500 * 2 ** Math.min(alert.failures, 10));
}
