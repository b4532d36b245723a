import type { Log } from '../../ports/ambient.ts';
import { batches, halves, splitMayHelp, type Batch } from './ask/batches.ts';
import { AlertCompiler } from './ask/compile-alerts.ts';
import { QueryLimiter } from './ask/query-limiter.ts';
import { runBatch, type BatchAnswers, type BatchRunner } from './ask/run-batch.ts';
import type { Catalog } from './catalog.ts';
import type { Window } from './decide/schedule.ts';
import type { FailedAlert, Recorder, Round } from './record/recorder.ts';
import type { Task } from './record/recording.ts';
import { TransitionLog } from './record/transition-log.ts';
import type { DueAlert } from './running-alert.ts';
import { sortAnswers } from './sort-answers.ts';
import { TimeSlice } from '../../ports/time-slice.ts';

export interface EvaluatorOptions extends BatchRunner {
  log: Log;
  catalog: Catalog;
  recorder: Recorder;
}

interface Evaluation extends Round {
  readonly signal: AbortSignal;
}

/** Queries, decides and records. Alerts of different batches do not wait for each other. */
export class Evaluator {
  readonly #options: EvaluatorOptions;
  readonly #compiler: AlertCompiler;
  readonly #queryLimiter = new QueryLimiter({ total: 4, perSource: 2 });

  constructor(options: EvaluatorOptions) {
    this.#options = options;
    this.#compiler = new AlertCompiler(options);
  }

  /** Evaluates the due windows of each alert in order. Failures stay with their alert. */
  async evaluate(due: readonly DueAlert[], nowMs: number, signal: AbortSignal): Promise<void> {
    const { log, recorder } = this.#options;
    const evaluation: Evaluation = { nowMs, signal, transitions: new TransitionLog(log) };
    for (const { alert } of due) {
      alert.busy = evaluation;
    }
    try {
      const tasks: Task[] = [];
      const failed: FailedAlert[] = [];
      await this.#compiler.compile(
        due,
        ({ alert, due: { windows, skipped } }, compiled) => {
          const window = windows[0];
          if (window) {
            tasks.push({ alert, compiled, window, windows, skipped });
          }
        },
        ({ alert }, error) => failed.push({ alert, error }),
      );
      await Promise.all([recorder.fail(failed, nowMs), this.#evaluateAll(tasks, evaluation)]);
    } finally {
      evaluation.transitions.flush();
      for (const { alert } of due) {
        if (alert.busy === evaluation) {
          alert.busy = undefined;
        }
      }
    }
  }

  /** Starts each query as soon as it is built, while the next one is built. */
  async #evaluateAll(tasks: readonly Task[], evaluation: Evaluation): Promise<void> {
    const running: Promise<void>[] = [];
    const slice = new TimeSlice();
    for (const [window, windowTasks] of byWindow(tasks)) {
      for (const batch of batches(window, windowTasks)) {
        // A batch for ten thousand alerts takes as long to build as its statement takes to write.
        if (slice.expired) {
          await slice.yieldToOthers();
        }
        running.push(this.#evaluateBatch(batch, evaluation));
      }
    }
    await Promise.all(running);
  }

  async #evaluateBatch(batch: Batch<Task>, evaluation: Evaluation): Promise<void> {
    const { nowMs, signal } = evaluation;
    const { recorder } = this.#options;
    let result: BatchAnswers;
    try {
      result = await this.#queryLimiter.run(batch.sourceId, () =>
        runBatch(batch, this.#options, signal),
      );
    } catch (error) {
      if (signal.aborted) {
        return;
      }
      if (batch.members.length > 1 && splitMayHelp(error, batch.kind)) {
        await Promise.all(halves(batch).map((half) => this.#evaluateBatch(half, evaluation)));
        return;
      }
      await recorder.fail(
        batch.members.map(({ alert }) => ({ alert, error })),
        nowMs,
      );
      return;
    }
    const { calm, answered, overfull } = await sortAnswers(batch.members, result.answers);
    // Written at the same time, they share a commit if the store groups commits.
    const [calmRemaining, remaining] = await Promise.all([
      recorder.recordCalm(calm, result, evaluation),
      recorder.record(answered, result, evaluation),
      recorder.fail(overfull, nowMs),
    ]);
    if (!signal.aborted) {
      await this.#evaluateAll([...calmRemaining, ...remaining], evaluation);
    }
  }
}

/** The tasks of each window. Equal windows of different intervals are one. */
function byWindow(tasks: readonly Task[]): Map<Window, Task[]> {
  const groups = new Map<Window, Task[]>();
  const windows = new Map<string, Window>();
  let last: { window: Window; tasks: Task[] } | undefined;
  for (const task of tasks) {
    const { window } = task;
    if (last?.window !== window) {
      const name = `${window.startMs}-${window.endMs}`;
      const same = windows.get(name) ?? window;
      windows.set(name, same);
      const group = groups.get(same) ?? [];
      groups.set(same, group);
      last = { window, tasks: group };
    }
    last.tasks.push(task);
  }
  return groups;
}
