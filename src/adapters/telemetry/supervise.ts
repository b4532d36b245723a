import { TelemetryError } from '../../ports/telemetry.ts';
import { engineError } from './engine-errors.ts';

export interface Supervision {
  /** Asks the engine to stop it; called again and again until `work` settles, as a query that has just begun may not be listed yet. */
  stop(): Promise<void>;
  signal?: AbortSignal | undefined;
  timeoutMs: number;
}

/** The engine's own time limit fires first and says more; ours is for when it does not look at its clock. */
const graceMs = 2_000;
/** How long a stopped query may take to end before its caller is let go. */
const stopLimitMs = 10_000;

/**
 * Waits for `work`, and stops it when the signal fires or the time is over. Settles after the engine has stopped, so that
 * whoever aborts knows it; bounded for an engine that does not.
 */
export async function supervise<T>(work: Promise<T>, { stop, signal, timeoutMs }: Supervision): Promise<T> {
  let why: 'aborted' | 'timeout' | undefined;
  let settled = false;
  let letGo: (error: TelemetryError) => void = () => {};
  const lost = new Promise<never>((_, reject) => { letGo = reject; });
  const failure = (): TelemetryError => new TelemetryError(why ?? 'other', why === 'timeout' ? `stopped after ${timeoutMs} ms` : 'aborted by its caller');
  const halt = async (reason: 'aborted' | 'timeout'): Promise<void> => {
    if (why) return;
    why = reason;
    const deadline = performance.now() + stopLimitMs;
    for (let pauseMs = 10; !settled; pauseMs = Math.min(pauseMs * 2, 500)) {
      if (performance.now() > deadline) return letGo(failure());
      await stop().catch(() => {});
      if (!settled) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  };
  const onAbort = (): void => void halt('aborted');
  const timer = setTimeout(() => void halt('timeout'), timeoutMs + graceMs);
  signal?.addEventListener('abort', onAbort, { once: true });
  if (signal?.aborted) onAbort();
  try {
    return await Promise.race([work, lost]);
  } catch (error) {
    const known = engineError(error);
    if (why && known.kind === 'aborted') throw new TelemetryError(why, failure().message, { cause: error });
    throw known;
  } finally {
    settled = true;
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}
