import type { AlertLine, AlertProgress, OutboxEntry } from '../../ports/alert-store.ts';
import type { Log } from '../../ports/ambient.ts';
import { Fault } from '../../contract/errors.ts';
import type { Store, StoreParts } from '../../ports/store.ts';
import { advance, type Advanced } from './advance.ts';
import { asked, batches, type Asked, type Batch } from './batches.ts';
import { calmOf } from './calm.ts';
import type { Catalog } from './catalog.ts';
import { executionError, mayHelpToSplit, merged } from './execution-error.ts';
import { encodeGroups } from './group-states.ts';
import { Lanes } from './lanes.ts';
import { NothingToWatch, question, type QuestionDependencies } from './question.ts';
import { groupsMax, type Answer } from './readings.ts';
import { runBatch, type BatchRunner } from './run-batch.ts';
import { calmWindows, adopt, evaluationRows, outboxRows, progressRow, type CalmTask, type Decided, type Task } from './recording.ts';
import { progressOf, type RunningAlert } from './running-alert.ts';
import type { Due } from './schedule.ts';
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
          tasks.push({ alert, asked: this.#asked(alert) ?? await this.#ask(alert), windows, skipped });
        } catch (error) {
          failed.push({ alert, error });
        }
      }
      await Promise.all([this.#fail(failed, nowMs), this.#pursue(tasks, nowMs, signal)]);
    } finally {
      for (const { alert } of due) alert.busy = false;
    }
  }

  /** At once, where nothing that alerts are made from changed since. */
  #asked(alert: RunningAlert): Asked | undefined {
    return alert.askedChange === this.#options.catalog.change ? alert.asked : undefined;
  }

  async #ask(alert: RunningAlert): Promise<Asked> {
    const { catalog, query, telemetry } = this.#options;
    const change = catalog.change;
    const used: string[] = [];
    const find: QuestionDependencies['find'] = (workspaceId, kind, id) => {
      const found = catalog.get(workspaceId, kind, id);
      used.push(`${kind}/${id}`);
      return found;
    };
    const stamp = (): string => [`${alert.definition.version}`, ...used.map((name) => `${name}@${catalog.get(alert.definition.workspaceId, ...split(name))?.version}`)].join(' ');
    if (alert.asked !== undefined) {
      used.push(...alert.askedStamp.split(' ').slice(1).map((entry) => entry.split('@')[0]!));
      if (stamp() === alert.askedStamp) {
        alert.askedChange = change;
        return alert.asked;
      }
      used.length = 0;
    }
    alert.asked = undefined;
    const made = asked(alert.id, await question(alert.definition, { find, query, telemetry }));
    alert.asked = made;
    alert.askedStamp = stamp();
    alert.askedChange = change;
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
    const { calm, others } = sorted(batch.members.map(({ alertId }) => tasks.get(alertId)!), answers);
    if (calm.length > 0) going.push(...await this.#settleCalm(calm, answers, nowMs));
    for (let at = 0; at < others.length; at += alertsPerWrite) going.push(...await this.#settle(others.slice(at, at + alertsPerWrite), answers, nowMs));
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
    return left(decided.map(({ task }) => task));
  }

  /** All of a scan in one transaction: they are few rows, however many alerts. */
  async #settleCalm(calm: readonly CalmTask[], answers: ReadonlyMap<string, Answer>, nowMs: number): Promise<Task[]> {
    const tasks = calm.map(({ task }) => task);
    try {
      await this.#fenced(tasks.map(({ alert }) => alert), (parts) => parts.alerts.recordCalm(calmWindows(calm, answers, nowMs)));
    } catch (error) {
      this.#refused(tasks, error, nowMs);
      return [];
    }
    for (const { task: { alert, windows }, value } of calm) {
      alert.lastEndMs = windows[0]!.endMs;
      alert.lastValue = value;
      alert.lastEvaluatedAtMs = nowMs;
      alert.failures = 0;
    }
    return left(tasks);
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

  #write(alerts: readonly RunningAlert[], progress: readonly AlertProgress[], evaluations: readonly AlertLine[], outbox: readonly OutboxEntry[]): Promise<OutboxEntry[]> {
    return this.#fenced(alerts, (parts) => parts.alerts.record({ progress, evaluations, outbox }));
  }

  /** In a transaction that the leases of these alerts fence. */
  #fenced<T>(alerts: readonly RunningAlert[], work: (parts: StoreParts) => Promise<T>): Promise<T> {
    const epochs = new Map(alerts.map(({ shard, epoch }) => [shard, epoch]));
    const leases = [...epochs].sort(([a], [b]) => a - b).map(([shard]) => this.#options.shards.lease(shard));
    const stale = alerts.some(({ shard, epoch }) => this.#options.shards.lease(shard)?.epoch !== epoch);
    return this.#options.store.transaction(async (parts) => {
      for (const lease of leases) {
        if (!lease || stale) throw new Fault('conflict', 'the lease of a shard is gone, or another one by now');
        await parts.leases.fence(lease);
      }
      return work(parts);
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

/** Those of which only a value is to be recorded, and the others. */
function sorted(tasks: readonly Task[], answers: ReadonlyMap<string, Answer>): { calm: CalmTask[]; others: Task[] } {
  const calm: CalmTask[] = [];
  const others: Task[] = [];
  for (const task of tasks) {
    const answer = answers.get(task.alert.id)!;
    const found = task.skipped || answer.tooManyGroups ? undefined : calmOf(task.alert, task.asked.question.groupBy, answer, task.windows[0]!);
    if (found) calm.push({ task, value: found.value });
    else others.push(task);
  }
  return { calm, others };
}

/** What is still to be evaluated of tasks whose oldest window was recorded. */
function left(tasks: readonly Task[]): Task[] {
  return tasks.filter(({ windows }) => windows.length > 1).map((task) => ({ ...task, windows: task.windows.slice(1), skipped: undefined }));
}

function halves(batch: Batch): Batch[] {
  const middle = Math.ceil(batch.members.length / 2);
  return [batch.members.slice(0, middle), batch.members.slice(middle)].map((members) => (members.length === 1 ? { ...batch, kind: 'alone', members } : { ...batch, members }) as Batch);
}

function delay(alert: RunningAlert, nowMs: number): void {
  alert.failures++;
  alert.nextCheckMs = nowMs + Math.min(retryMaxMs, 500 * 2 ** Math.min(alert.failures, 10));
}
