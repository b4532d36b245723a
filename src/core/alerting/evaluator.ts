import type { OutboxEntry } from '../../ports/alert-store.ts';
import type { Log } from '../../ports/ambient.ts';
import { Fault } from '../../contract/errors.ts';
import type { Lease, Store, StoreParts } from '../../ports/store.ts';
import { advance, type Advanced } from './advance.ts';
import { batches, halves, type Batch } from './batches.ts';
import { calmOf } from './calm.ts';
import type { Catalog } from './catalog.ts';
import { AlertCompiler } from './compile-alerts.ts';
import { executionError, mayHelpToSplit, merged } from './execution-error.ts';
import { encodeGroups } from './group-states.ts';
import { Lanes } from './lanes.ts';
import { Pace } from './pace.ts';
import { NothingToWatch } from './question.ts';
import { groupsMax, readingsOf, type Answer, type Answers } from './readings.ts';
import { runBatch, type BatchRunner } from './run-batch.ts';
import {
  adopt,
  adoptCalm,
  calmWindows,
  evaluationRows,
  outboxRows,
  progressRow,
  type CalmTask,
  type Cost,
  type Decided,
  type Task,
} from './recording.ts';
import { progressOf, rest, type RunningAlert } from './running-alert.ts';
import type { Due, Window } from './schedule.ts';
import type { Shards } from './shards.ts';
import { WriteLane } from './write-lane.ts';

export interface EvaluatorOptions extends BatchRunner {
  store: Store;
  log: Log;
  catalog: Catalog;
  shards: Shards;
  publicUrl: string;
  /** How long after its end a window waits for late telemetry. */
  ingestDelayMs: number;
  /** Told of what waits in the outbox once it is durable. */
  deliver(entries: readonly OutboxEntry[]): void;
  /** Whether deliveries are under way, which writes must not keep from going on. */
  delivering(): boolean;
}

/** How many alerts are written in one transaction: bounds how long it keeps others waiting. */
const alertsPerWrite = 250;
const retryMaxMs = 30_000;

/** Asks, steps and records. Alerts of different batches do not wait for each other. */
export class Evaluator {
  readonly #options: EvaluatorOptions;
  readonly #compiler: AlertCompiler;
  readonly #lanes = new Lanes({ total: 4, perKey: 2 });
  readonly #writes: WriteLane;

  constructor(options: EvaluatorOptions) {
    this.#options = options;
    this.#compiler = new AlertCompiler(options);
    this.#writes = new WriteLane(() => options.delivering());
  }

  /** Evaluates what is due, each alert's windows in order. Failures are kept with the alert; nothing is thrown. */
  async evaluate(
    due: readonly { alert: RunningAlert; due: Due }[],
    nowMs: number,
    signal: AbortSignal,
  ): Promise<void> {
    const round = {};
    for (const { alert } of due) {
      alert.busy = round;
    }
    try {
      const tasks: Task[] = [];
      const failed: Failed[] = [];
      await this.#compiler.compile(
        due,
        ({ alert, due: { windows, skipped } }, asked) =>
          tasks.push({ alert, asked, windows, skipped }),
        ({ alert }, error) => failed.push({ alert, error }),
      );
      await Promise.all([this.#fail(failed, nowMs), this.#pursue(tasks, nowMs, signal)]);
    } finally {
      for (const { alert } of due) {
        if (alert.busy === round) {
          alert.busy = undefined;
        }
      }
    }
  }

  /** A scan begins as soon as it is put together, while the next is made. */
  async #pursue(tasks: readonly Task[], nowMs: number, signal: AbortSignal): Promise<void> {
    const running: Promise<void>[] = [];
    const pace = new Pace();
    for (const [window, list] of byWindow(tasks)) {
      for (const batch of batches(window, list)) {
        running.push(this.#run(batch, nowMs, signal));
        if (pace.due) {
          await pace.pause();
        }
      }
    }
    await Promise.all(running);
  }

  async #run(batch: Batch<Task>, nowMs: number, signal: AbortSignal): Promise<void> {
    let answers: Answers;
    try {
      answers = await this.#lanes.run(batch.sourceId, () => runBatch(batch, this.#options, signal));
    } catch (error) {
      if (signal.aborted) {
        return;
      }
      if (batch.members.length > 1 && mayHelpToSplit(error, batch.kind)) {
        await Promise.all(halves(batch).map((half) => this.#run(half, nowMs, signal)));
        return;
      }
      await this.#fail(
        batch.members.map(({ alert }) => ({ alert, error })),
        nowMs,
      );
      return;
    }
    const { calm, others, overfull } = sorted(batch.members, answers);
    // Asked for at the same time, they share a commit where the store can.
    const [still, stepped] = await Promise.all([
      this.#settleCalm(calm, answers, nowMs),
      this.#settle(others, answers, nowMs),
      this.#fail(overfull, nowMs),
    ]);
    if (!signal.aborted) {
      await this.#pursue([...still, ...stepped], nowMs, signal);
    }
  }

  /** Decides and records one window; answers the tasks that go on. */
  async #settle(others: readonly OtherTask[], cost: Cost, nowMs: number): Promise<Task[]> {
    const going: Task[] = [];
    for (let at = 0; at < others.length; at += alertsPerWrite) {
      going.push(
        ...(await this.#writes.run(() =>
          this.#settlePart(others.slice(at, at + alertsPerWrite), cost, nowMs),
        )),
      );
    }
    return going;
  }

  async #settlePart(others: readonly OtherTask[], cost: Cost, nowMs: number): Promise<Task[]> {
    const decided = others.map(({ task, answer }): Decided => ({
      task,
      cost,
      advanced: this.#advance(task, answer, nowMs),
    }));
    try {
      this.#options.deliver(await this.#record(decided, nowMs));
    } catch (error) {
      this.#refused(decided, error, nowMs);
      return [];
    }
    for (const one of decided) {
      adopt(one, nowMs);
    }
    return this.#left(decided);
  }

  /** All of a scan in one transaction: they are few rows, however many alerts. */
  async #settleCalm(calm: readonly CalmTask[], cost: Cost, nowMs: number): Promise<Task[]> {
    if (calm.length === 0) {
      return [];
    }
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
    return this.#left(calm);
  }

  /** What is still to be evaluated of tasks whose oldest window was recorded; the others rest. */
  #left(recorded: readonly { task: Task }[]): Task[] {
    const going: Task[] = [];
    for (const { task } of recorded) {
      if (task.windows.length > 1) {
        going.push({ ...task, windows: task.windows.slice(1), skipped: undefined });
      } else {
        rest(task.alert, this.#options.ingestDelayMs);
        free(task.alert);
      }
    }
    return going;
  }

  #advance({ alert, asked: { groupBy }, windows }: Task, answer: Answer, nowMs: number): Advanced {
    return advance({
      definition: alert.definition,
      groupBy,
      groupByBefore: alert.groupBy,
      groups: alert.groups,
      readings: readingsOf(answer),
      window: windows[0]!,
      nowMs,
      publicUrl: this.#options.publicUrl,
    });
  }

  /** State, history and outbox in one transaction, which the leases fence. */
  async #record(decided: readonly Decided[], nowMs: number): Promise<OutboxEntry[]> {
    const progress = decided.map((one) => progressRow(one, nowMs));
    const evaluations = decided.flatMap((one) => evaluationRows(one, nowMs));
    const outbox = decided.flatMap((one) =>
      outboxRows(
        one,
        nowMs,
        (workspaceId, id) => this.#options.catalog.get(workspaceId, 'webhook', id) !== undefined,
      ),
    );
    return this.#fenced(decided, (parts) => parts.alerts.record({ progress, evaluations, outbox }));
  }

  /** In a transaction that the leases of these alerts fence. */
  #fenced<T>(
    recorded: readonly { task: { alert: RunningAlert } }[],
    work: (parts: StoreParts) => Promise<T>,
  ): Promise<T> {
    const { shards, store } = this.#options;
    const leases = new Map<number, Lease | undefined>();
    let stale = false;
    for (const {
      task: {
        alert: { shard, epoch },
      },
    } of recorded) {
      if (!leases.has(shard)) {
        leases.set(shard, shards.lease(shard));
      }
      stale ||= leases.get(shard)?.epoch !== epoch;
    }
    const inOrder = [...leases].sort(([a], [b]) => a - b).map(([, lease]) => lease);
    return store.transaction(async (parts) => {
      for (const lease of inOrder) {
        if (!lease || stale) {
          throw new Fault('conflict', 'the lease of a shard is gone, or another one by now');
        }
        await parts.leases.fence(lease);
      }
      return work(parts);
    });
  }

  /** Nothing was written and nothing is remembered: the windows stay due. */
  #refused(recorded: readonly { task: Task }[], error: unknown, nowMs: number): void {
    const alerts = recorded.map(({ task }) => task.alert);
    if (error instanceof Fault && error.code === 'conflict') {
      for (const shard of new Set(alerts.map(({ shard }) => shard))) {
        this.#options.shards.drop(shard);
      }
    }
    this.#options.log.warn(
      { error, alerts: alerts.length },
      'evaluations could not be recorded; their windows stay due',
    );
    for (const alert of alerts) {
      delay(alert, nowMs);
      free(alert);
    }
  }

  /** The state is left alone; what is wrong is shown, and the window is tried again. */
  async #fail(failed: readonly Failed[], nowMs: number): Promise<void> {
    const changed: RunningAlert[] = [];
    for (const { alert, error } of failed) {
      delay(alert, nowMs);
      alert.asked = undefined;
      if (error instanceof NothingToWatch) {
        continue;
      }
      const errors = merged(
        alert.errors,
        error instanceof TooManyGroups
          ? { type: 'TOO_MANY_GROUPS', message: error.message, sinceMs: nowMs }
          : executionError(error, nowMs),
      );
      if (errors[0] === alert.errors[0]) {
        continue;
      }
      this.#options.log.warn({ alertId: alert.id, error }, 'an alert could not be evaluated');
      alert.errors = errors;
      changed.push(alert);
    }
    for (let at = 0; at < changed.length; at += alertsPerWrite) {
      const part = changed.slice(at, at + alertsPerWrite);
      try {
        const progress = part.map((alert) => ({
          ...progressOf(alert),
          groups: encodeGroups(alert.groups),
        }));
        await this.#writes.run(() =>
          this.#fenced(
            part.map((alert) => ({ task: { alert } })),
            (parts) => parts.alerts.record({ progress, evaluations: [], outbox: [] }),
          ),
        );
      } catch (error) {
        this.#options.log.warn(
          { error, alerts: part.length },
          'what alerts show of their evaluation could not be written',
        );
        for (const alert of part) {
          alert.errors = [];
        }
      }
    }
    for (const { alert } of failed) {
      free(alert);
    }
  }
}

interface Failed {
  alert: RunningAlert;
  error: unknown;
}

interface OtherTask {
  task: Task;
  answer: Answer;
}

class TooManyGroups extends Error {
  constructor() {
    super(
      `groupBy makes more than ${groupsMax} groups in one window; narrow the condition or group by something with fewer values`,
    );
    this.name = 'TooManyGroups';
  }
}

function byWindow(tasks: readonly Task[]): Map<Window, Task[]> {
  const found = new Map<Window, Task[]>();
  const known = new Map<string, Window>();
  let last: { window: Window; list: Task[] } | undefined;
  for (const task of tasks) {
    const window = task.windows[0];
    if (!window) {
      continue;
    }
    if (last?.window !== window) {
      const name = `${window.startMs}-${window.endMs}`;
      const same = known.get(name) ?? window;
      known.set(name, same);
      const list = found.get(same) ?? [];
      found.set(same, list);
      last = { window, list };
    }
    last.list.push(task);
  }
  return found;
}

/** Those of which only a value is to be recorded, those that cannot be followed, and the others. */
function sorted(
  tasks: readonly Task[],
  answers: Answers,
): { calm: CalmTask[]; others: OtherTask[]; overfull: Failed[] } {
  const calm: CalmTask[] = [];
  const others: OtherTask[] = [];
  const overfull: Failed[] = [];
  tasks.forEach((task, place) => {
    const answer = answers.of[place]!;
    const value = task.skipped
      ? undefined
      : calmOf(task.alert, task.asked.groupBy, answer, task.windows[0]!);
    if (value !== undefined) {
      calm.push({ task, value });
    } else if (answer.kind === 'too_many_groups') {
      overfull.push({ alert: task.alert, error: new TooManyGroups() });
    } else {
      others.push({ task, answer });
    }
  });
  return { calm, others, overfull };
}

/** Its part of the evaluation is over, whatever the others wait for: its next window need not wait with them. */
function free(alert: RunningAlert): void {
  alert.busy = undefined;
}

function delay(alert: RunningAlert, nowMs: number): void {
  alert.failures++;
  alert.nextCheckMs = nowMs + Math.min(retryMaxMs, 500 * 2 ** Math.min(alert.failures, 10));
}
