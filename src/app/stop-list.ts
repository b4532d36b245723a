import type { Log } from '../ports/ambient.ts';

/**
 * What has to be stopped, in the reverse of the order in which it was started. Everything that is
 * started registers its stop at once, so that a start that fails half-way leaves nothing running.
 */
export class StopList {
  readonly #stops: { name: string; stop: () => Promise<void> | void }[] = [];
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  add(name: string, stop: () => Promise<void> | void): void {
    this.#stops.push({ name, stop });
  }

  /** Runs every stop, also when one fails; a second call finds nothing left. */
  async run(): Promise<void> {
    for (let next = this.#stops.pop(); next; next = this.#stops.pop()) {
      const startedAtMs = performance.now();
      try {
        await next.stop();
      } catch (error) {
        this.#log.error({ err: error, part: next.name }, 'a part did not stop cleanly');
      }
      this.#log.debug(
        { part: next.name, elapsedMs: Math.round(performance.now() - startedAtMs) },
        'stopped',
      );
    }
  }
}
