import type { AlertEvaluation, AlertProgress, OutboxEntry } from '../../ports/alert-store.ts';
import type { Log } from '../../ports/ambient.ts';
import { Fault } from '../../contract/errors.ts';
import type { Store } from '../../ports/store.ts';
import { advance, type Advanced } from './advance.ts';
import { asked, batches, type Asked, type Batch } from './batches.ts';
import type { Catalog } from './catalog.ts';
import { executionError, mayHelpToSplit, merged } from './execution-error.ts';
import { encodeGroups } from './group-states.ts';
import { Lanes } from './lanes.ts';
import { NothingToWatch, question, type QuestionDependencies } from './question.ts';
import { groupsMax, type Answer } from './readings.ts';
import { runBatch, type BatchRunner } from './run-batch.ts';
import { progressOf, type RunningAlert } from './running-alert.ts';
import type { Due, Window } from './schedule.ts';
import type { Shards } from './shards.ts';

export interface EvaluatorOptions extends BatchRunner {
  store: Store;
  log: Log;
  catalog: Catalog;
  shards: Shards;
  publicUrl: string;
  /** Told of what waits in the outbox once it is durable. */
  deliver(entries: readonly OutboxEntry[]): void;
}

/** Windows of one alert that are still to be evaluated, oldest first. */
interface Task {
  alert: RunningAlert;
  asked: Asked;
  windows: Window[];
  skipped: Due['skipped'] | undefined;
}

interface Decided {
  task: Task;
  answer: Answer;
  advanced: Advanced;
}

/** How many alerts are written in one transaction: bounds how long it keeps others waiting. */
const alertsPerWrite = 1000;
const retryMaxMs = 30_000;

/** Asks, steps and records. Alerts of different batches do not wait for each other. */
export class Evaluator {
  readonly #options: EvaluatorOptions;
  readonly #lanes = new Lanes({ total: 4, perKey: 2 });

  constructor(options: EvaluatorOptions) {
    this.#options = options;
  }

  /** Evaluates what is due, each alert's windows in order. Failures are kept with the alert; nothing is thrown. */
  async evaluate(due: readonly { alert: RunningAlert; due: Due }[], nowMs: number, signal: AbortSignal): Promise<void> {
    for (const { alert } of due) alert.busy = true;
    try {
      const tasks: Task[] = [];
      const failed: { alert: RunningAlert; error: unknown }[] = [];
      for (const { alert, due: { windows, skipped } } of due) {
        try {
          tasks.push({ alert, asked: await this.#ask(alert), windows, skipped });
        } catch (error) {
          failed.push({ alert, error });
        }
      }
      await Promise.all([this.#fail(failed, nowMs), this.#pursue(tasks, nowMs, signal)]);
    } finally {
      for (const { alert } of due) alert.busy = false;
    }
  }

  async #ask(alert: RunningAlert): Promise<Asked> {
    const { catalog, query, telemetry } = this.#options;
    const used: string[] = [];
    const find: QuestionDependencies['find'] = (workspaceId, kind, id) => {
      const found = catalog.get(workspaceId, kind, id);
      used.push(`${kind}/${id}`);
      return found;
    };
    const stamp = (): string => [`${alert.definition.version}`, ...used.map((name) => `${name}@${catalog.get(alert.definition.workspaceId, ...split(name))?.version}`)].join(' ');
    if (alert.asked !== undefined) {
      used.push(...alert.askedStamp.split(' ').slice(1).map((entry) => entry.split('@')[0]!));
      if (stamp() === alert.askedStamp) return alert.asked;
      used.length = 0;
    }
    alert.asked = undefined;
    const made = asked(alert.id, await question(alert.definition, { find, query, telemetry }));
    alert.asked = made;
    alert.askedStamp = stamp();
    return made;
  }

  async #pursue(tasks: readonly Task[], nowMs: number, signal: AbortSignal): Promise<void> {
    const byWindow = new Map<string, Task[]>();
    for (const task of tasks) {
      const window = task.windows[0];
      if (!window) continue;
      const key = `${window.startMs}-${window.endMs}`;
      const list = byWindow.get(key);
      if (list) list.push(task);
      else byWindow.set(key, [task]);
    }
    await Promise.all([...byWindow.values()].map(async (list) => {
      const byId = new Map(list.map((task) => [task.alert.id, task]));
      await Promise.all(batches(list[0]!.windows[0]!, list.map((task) => task.asked)).map((batch) => this.#run(batch, byId, nowMs, signal)));
    }));
  }

  async #run(batch: Batch, tasks: ReadonlyMap<string, Task>, nowMs: number, signal: AbortSignal): Promise<void> {
    let answers: Map<string, Answer>;
    try {
      answers = await this.#lanes.run(batch.sourceId, () => runBatch(batch, this.#options, signal));
    } catch (error) {
      if (signal.aborted) return;
      if (batch.members.length > 1 && mayHelpToSplit(error, batch.kind)) {
        await Promise.all(halves(batch).map((half) => this.#run(half, tasks, nowMs, signal)));
        return;
      }
      await this.#fail(batch.members.map(({ alertId }) => ({ alert: tasks.get(alertId)!.alert, error })), nowMs);
      return;
    }
    const going: Task[] = [];
    const members = batch.members.map(({ alertId }) => tasks.get(alertId)!);
    for (let at = 0; at < members.length; at += alertsPerWrite) going.push(...await this.#settle(members.slice(at, at + alertsPerWrite), answers, nowMs));
    if (!signal.aborted) await this.#pursue(going, nowMs, signal);
  }

  /** Decides and records one window; answers the tasks that go on. */
  async #settle(tasks: readonly Task[], answers: ReadonlyMap<string, Answer>, nowMs: number): Promise<Task[]> {
    const overfull = tasks.filter(({ alert }) => answers.get(alert.id)!.tooManyGroups);
    const decided = tasks.filter((task) => !overfull.includes(task)).map((task): Decided => {
      const answer = answers.get(task.alert.id)!;
      return { task, answer, advanced: this.#advance(task, answer, nowMs) };
    });
    if (overfull.length > 0) await this.#fail(overfull.map(({ alert }) => ({ alert, error: new TooManyGroups() })), nowMs);
    try {
      this.#options.deliver(await this.#record(decided, nowMs));
    } catch (error) {
      this.#refused(tasks, error, nowMs);
      return [];
    }
    for (const one of decided) adopt(one, nowMs);
    return decided.map(({ task }): Task => ({ ...task, windows: task.windows.slice(1), skipped: undefined }));
  }

  #advance({ alert, asked: { question }, windows }: Task, answer: Answer, nowMs: number): Advanced {
    return advance({ definition: alert.definition, groupBy: question.groupBy, groupByBefore: alert.groupBy, groups: alert.groups, answer, window: windows[0]!, nowMs, publicUrl: this.#options.publicUrl });
  }

  /** State, history and outbox in one transaction, which the leases fence. */
  async #record(decided: readonly Decided[], nowMs: number): Promise<OutboxEntry[]> {
    if (decided.length === 0) return [];
    const progress = decided.map((one) => progressRow(one, nowMs));
    const evaluations = decided.flatMap((one) => evaluationRows(one, nowMs));
    const outbox = decided.flatMap((one) => outboxRows(one, nowMs));
    return this.#write(decided.map(({ task }) => task.alert), progress, evaluations, outbox);
  }

  #write(alerts: readonly RunningAlert[], progress: readonly AlertProgress[], evaluations: readonly AlertEvaluation[], outbox: readonly OutboxEntry[]): Promise<OutboxEntry[]> {
    const epochs = new Map(alerts.map(({ shard, epoch }) => [shard, epoch]));
    const leases = [...epochs].sort(([a], [b]) => a - b).map(([shard]) => this.#options.shards.lease(shard));
    const stale = alerts.some(({ shard, epoch }) => this.#options.shards.lease(shard)?.epoch !== epoch);
    return this.#options.store.transaction(async (parts) => {
      for (const lease of leases) {
        if (!lease || stale) throw new Fault('conflict', 'the lease of a shard is gone, or another one by now');
        await parts.leases.fence(lease);
      }
      return parts.alerts.record({ progress, evaluations, outbox });
    });
  }

  /** Nothing was written and nothing is remembered: the windows stay due. */
  #refused(tasks: readonly Task[], error: unknown, nowMs: number): void {
    if (error instanceof Fault && error.code === 'conflict') for (const shard of new Set(tasks.map(({ alert }) => alert.shard))) this.#options.shards.drop(shard);
    this.#options.log.warn({ error, alerts: tasks.length }, 'evaluations could not be recorded; their windows stay due');
    for (const { alert } of tasks) delay(alert, nowMs);
  }

  /** The state is left alone; what is wrong is shown, and the window is tried again. */
  async #fail(failed: readonly { alert: RunningAlert; error: unknown }[], nowMs: number): Promise<void> {
    const changed: RunningAlert[] = [];
    for (const { alert, error } of failed) {
      delay(alert, nowMs);
      alert.asked = undefined;
      if (error instanceof NothingToWatch) continue;
      const errors = merged(alert.errors, error instanceof TooManyGroups ? { type: 'TOO_MANY_GROUPS', message: error.message, sinceMs: nowMs } : executionError(error, nowMs));
      if (errors[0] === alert.errors[0]) continue;
      this.#options.log.warn({ alertId: alert.id, error }, 'an alert could not be evaluated');
      alert.errors = errors;
      changed.push(alert);
    }
    for (let at = 0; at < changed.length; at += alertsPerWrite) {
      const part = changed.slice(at, at + alertsPerWrite);
      try {
        await this.#write(part, part.map((alert) => ({ ...progressOf(alert), groups: encodeGroups(alert.groups) })), [], []);
      } catch (error) {
        this.#options.log.warn({ error, alerts: part.length }, 'what alerts show of their evaluation could not be written');
        for (const alert of part) alert.errors = [];
      }
    }
  }
}

class TooManyGroups extends Error {
  constructor() {
    super(`groupBy makes more than ${groupsMax} groups in one window; narrow the condition or group by something with fewer values`);
    this.name = 'TooManyGroups';
  }
}

function split(name: string): ['alert' | 'dashboard' | 'savedSearch' | 'source', string] {
  const [kind, id] = name.split('/');
  return [kind as 'dashboard', id!];
}

function halves(batch: Batch): Batch[] {
  const middle = Math.ceil(batch.members.length / 2);
  return [batch.members.slice(0, middle), batch.members.slice(middle)].map((members) => (members.length === 1 ? { ...batch, kind: 'alone', members } : { ...batch, members }) as Batch);
}

function delay(alert: RunningAlert, nowMs: number): void {
  alert.failures++;
  alert.nextCheckMs = nowMs + Math.min(retryMaxMs, 500 * 2 ** Math.min(alert.failures, 10));
}

/** What was written is what is remembered from here on. */
function adopt({ task: { alert, asked, windows }, advanced }: Decided, nowMs: number): void {
  alert.lastEndMs = windows[0]!.endMs;
  alert.recordedIntervalMs = alert.definition.intervalMs;
  alert.state = advanced.state;
  alert.lastValue = advanced.value;
  alert.lastEvaluatedAtMs = nowMs;
  alert.groupBy = asked.question.groupBy;
  alert.groups = advanced.groups;
  alert.errors = [];
  alert.failures = 0;
}

function progressRow({ task: { alert, asked, windows }, advanced }: Decided, nowMs: number): AlertProgress {
  return {
    workspaceId: alert.definition.workspaceId,
    alertId: alert.id,
    shard: alert.shard,
    intervalMs: alert.definition.intervalMs,
    lastEndMs: windows[0]!.endMs,
    state: advanced.state,
    lastValue: advanced.value,
    lastEvaluatedAtMs: nowMs,
    groupBy: asked.question.groupBy,
    groups: encodeGroups(advanced.groups),
    executionErrors: [],
    deliveryErrors: [],
  };
}

function evaluationRows({ task: { alert, windows, skipped, asked }, answer, advanced }: Decided, nowMs: number): AlertEvaluation[] {
  const window = windows[0]!;
  const base = { workspaceId: alert.definition.workspaceId, alertId: alert.id, evaluatedAtMs: nowMs };
  const grouped = asked.question.groupBy !== '' || advanced.lines.some(({ group }) => group.length > 0);
  const row: AlertEvaluation = {
    ...base, windowStartMs: window.startMs, windowEndMs: window.endMs, state: advanced.state, value: advanced.value, durationMs: Math.round(answer.durationMs * 100) / 100, rowsRead: answer.rowsRead,
    reason: advanced.reason, groups: grouped ? JSON.stringify(advanced.lines) : null, skipped: 0,
  };
  if (!skipped) return [row];
  return [{ ...base, windowStartMs: skipped.fromMs, windowEndMs: skipped.toMs, state: alert.state, value: null, durationMs: 0, rowsRead: 0, reason: 'skipped', groups: null, skipped: skipped.count }, row];
}

function outboxRows({ task: { alert, windows }, advanced }: Decided, nowMs: number): OutboxEntry[] {
  const { workspaceId, webhookIds } = alert.definition;
  return advanced.events.flatMap((event) => {
    const text = JSON.stringify(event);
    return webhookIds.map((webhookId) => ({ workspaceId, alertId: alert.id, shard: alert.shard, eventId: event.id, webhookId, windowEndMs: windows[0]!.endMs, event: text, createdAtMs: nowMs }));
  });
}

