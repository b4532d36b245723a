import { setTimeout as wait } from 'node:timers/promises';
import type { Log } from '../ports/ambient.ts';

/**
 * When a part stops. `traffic`: what takes requests or begins work by itself; all at once. `flush`:
 * what has accepted work to finish. `base`: what the others stand on.
 */
export type StopStage = 'traffic' | 'flush' | 'base';

/** `withinMs`: how long the part may take. After that, the stop goes on without it. */
export type Stop = (withinMs: number) => Promise<void> | void;

/**
 * The time by which each stage has ended, from the beginning of the stop. The whole program has to
 * end within 10 s.
 */
const endMs: Record<StopStage, number> = { traffic: 5_000, flush: 6_500, base: 9_000 };

/** Between a part's own deadline and the moment at which the stop goes on without it. */
const graceMs = 300;

interface Part {
  name: string;
  stage: StopStage;
  stop: Stop;
}

/**
 * What has to be stopped, within one budget of time for all. Everything that is started registers
 * its stop at once, so that a start that fails half-way leaves nothing running.
 */
export class StopList {
  #parts: Part[] = [];
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  add(name: string, stage: StopStage, stop: Stop): void {
    this.#parts.push({ name, stage, stop });
  }

  /**
   * Runs every stop, also when one fails or takes too long; a second call finds nothing left.
   * Within a stage, parts stop in the reverse of the order in which they were started.
   */
  async run(): Promise<void> {
    const startedAtMs = performance.now();
    const parts = this.#parts.toReversed();
    this.#parts = [];
    const partsOf = (stage: StopStage): Part[] => parts.filter((part) => part.stage === stage);
    await Promise.all(partsOf('traffic').map((part) => this.#stop(part, startedAtMs)));
    for (const part of [...partsOf('flush'), ...partsOf('base')]) {
      await this.#stop(part, startedAtMs);
    }
  }

  async #stop({ name, stage, stop }: Part, stopStartedAtMs: number): Promise<void> {
    const startedAtMs = performance.now();
    const withinMs = Math.max(0, endMs[stage] - (startedAtMs - stopStartedAtMs));
    const deadline = new AbortController();
    try {
      const isInTime = await Promise.race([
        Promise.resolve(stop(Math.max(0, withinMs - graceMs))).then(() => true),
        wait(withinMs, false, { signal: deadline.signal }),
      ]);
      if (!isInTime) {
        this.#log.error(
          { part: name, withinMs: Math.round(withinMs) },
          'a part did not stop in time',
        );
      }
    } catch (error) {
      this.#log.error({ err: error, part: name }, 'a part did not stop cleanly');
    } finally {
      deadline.abort();
    }
    this.#log.debug(
      { part: name, elapsedMs: Math.round(performance.now() - startedAtMs) },
      'stopped',
    );
  }
}
