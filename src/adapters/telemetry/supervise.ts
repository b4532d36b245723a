import { TelemetryError } from '../../ports/telemetry.ts';
import { engineError } from './engine-errors.ts';

export interface Supervision {
  /**
   * Asks the engine to stop it; called again and again until `work` settles, as a query that has
   * just begun may not be listed yet.
   */
  stop(): Promise<void>;
  /** Called when the query has not ended `stopLimitMs` after it was first asked to stop. */
  stuck?(): void;
  /**
   * Whether the engine answers at all. Asked while work takes long; work of an engine that does not
   * answer is given up as `unavailable`.
   */
  answers?: (() => Promise<boolean>) | undefined;
  signal?: AbortSignal | undefined;
  timeoutMs: number;
}

/**
 * The engine's own time limit fires first and says more; ours is for when it does not look at its
 * clock.
 */
const graceMs = 2_000;
/** How long a stopped query may take to end before its caller is let go. */
const stopLimitMs = 10_000;
/** How often an engine is asked whether it still answers. */
const answerCheckMs = 5_000;

/**
 * Waits for `work`, and stops it when the signal fires or the time is over. Settles after the
 * engine has stopped, so that whoever aborts knows it; bounded for an engine that does not.
 */
export async function supervise<T>(
  work: Promise<T>,
  { stop, stuck, answers, signal, timeoutMs }: Supervision,
): Promise<T> {
  const watch = new Watch(work, stop, stuck);
  const onAbort = (): void => void watch.halt('aborted');
  const timer = setTimeout(() => void watch.halt('timeout'), timeoutMs + graceMs);
  const check = answers && setInterval(() => void watch.checkAnswers(answers), answerCheckMs);
  signal?.addEventListener('abort', onAbort, { once: true });
  if (signal?.aborted) {
    onAbort();
  }
  try {
    return await Promise.race([work, watch.abandoned]);
  } catch (error) {
    const known = engineError(error);
    if (watch.why === undefined || known.kind !== 'aborted') {
      throw known;
    }
    throw new TelemetryError(
      watch.why,
      watch.why === 'timeout' ? `stopped after ${timeoutMs} ms` : 'aborted by its caller',
      { cause: error },
    );
  } finally {
    watch.isOver = true;
    clearTimeout(timer);
    clearInterval(check);
    signal?.removeEventListener('abort', onAbort);
  }
}

/** One piece of work under supervision. */
class Watch {
  readonly #stop: () => Promise<void>;
  readonly #stuck: (() => void) | undefined;
  readonly #settled: Promise<true>;
  #abandon: (error: TelemetryError) => void = () => {};
  /** Rejects when a stopped query does not end. */
  readonly abandoned: Promise<never>;
  why: 'aborted' | 'timeout' | undefined;
  isOver = false;

  constructor(work: Promise<unknown>, stop: () => Promise<void>, stuck?: () => void) {
    this.#stop = stop;
    this.#stuck = stuck;
    this.#settled = work.then(
      () => true as const,
      () => true as const,
    );
    this.abandoned = new Promise((_, reject) => {
      this.#abandon = reject;
    });
  }

  async checkAnswers(answers: () => Promise<boolean>): Promise<void> {
    if ((await answers()) || this.isOver) {
      return;
    }
    this.#stuck?.();
    this.#abandon(new TelemetryError('unavailable', 'the engine does not answer'));
  }

  async halt(why: 'aborted' | 'timeout'): Promise<void> {
    if (this.why) {
      return;
    }
    this.why = why;
    const deadline = performance.now() + stopLimitMs;
    for (let pauseMs = 10; performance.now() < deadline; pauseMs = Math.min(pauseMs * 2, 500)) {
      await this.#stop().catch(() => {});
      if (await Promise.race([this.#settled, pause(pauseMs)])) {
        return;
      }
    }
    this.#stuck?.();
    this.#abandon(new TelemetryError('aborted', 'the engine did not stop the query in time'));
  }
}

async function pause(durationMs: number): Promise<false> {
  await new Promise((resolve) => setTimeout(resolve, durationMs));
  return false;
}
