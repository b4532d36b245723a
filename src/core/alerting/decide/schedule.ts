/** An interval of time, end-exclusive, aligned to the UTC epoch. */
export interface Window {
  startMs: number;
  endMs: number;
}

export interface ScheduleInput {
  nowMs: number;
  intervalMs: number;
  /** How long after its end a window waits for late telemetry, in milliseconds. */
  ingestDelayMs: number;
  /** End of the last recorded window; undefined: none is recorded. */
  lastEndMs: number | undefined;
  /**
   * Evaluate the latest window only. An alert that could not be evaluated, or whose interval
   * changed, does not catch up on missed windows.
   */
  latestOnly?: boolean;
}

export interface Due {
  /** In order, oldest first. */
  windows: readonly Window[];
  /** Windows before the first of `windows` that are skipped: too many, or too old. */
  skipped?: { fromMs: number; toMs: number; count: number };
  /**
   * Set if the clock was set back to before the end of the last recorded window: the end of the
   * window that counts as the last one now.
   */
  rewoundToMs?: number;
}

/** Limits on the windows to catch up on after a pause. */
export const catchUp = { windowsMax: 50, ageMaxMs: 24 * 3_600_000 } as const;

/**
 * The windows to evaluate now. A window is due once it has closed and the ingest delay has passed;
 * each is due once, in order. If the clock was set back to before the end of the last recorded
 * window, that window is due again when it ends.
 */
export function schedule({
  nowMs,
  intervalMs,
  ingestDelayMs,
  lastEndMs,
  latestOnly = false,
}: ScheduleInput): Due {
  const latestEndMs = floorTo(nowMs - ingestDelayMs, intervalMs);
  const latest = { startMs: latestEndMs - intervalMs, endMs: latestEndMs };
  if (lastEndMs === undefined) {
    return { windows: [latest] };
  }
  if (lastEndMs > nowMs) {
    return { windows: [], rewoundToMs: latestEndMs };
  }
  const firstEndMs = floorTo(lastEndMs, intervalMs) + intervalMs;
  if (firstEndMs > latestEndMs) {
    return { windows: [] };
  }
  if (latestOnly) {
    return { windows: [latest] };
  }

  const oldestEndMs = Math.max(
    latestEndMs - (catchUp.windowsMax - 1) * intervalMs,
    ceilTo(nowMs - catchUp.ageMaxMs, intervalMs),
  );
  const fromEndMs = Math.min(Math.max(firstEndMs, oldestEndMs), latestEndMs);
  const windows: Window[] = [];
  for (let endMs = fromEndMs; endMs <= latestEndMs; endMs += intervalMs) {
    windows.push({ startMs: endMs - intervalMs, endMs });
  }
  const count = (fromEndMs - firstEndMs) / intervalMs;
  return count === 0
    ? { windows }
    : {
        windows,
        skipped: { fromMs: firstEndMs - intervalMs, toMs: fromEndMs - intervalMs, count },
      };
}

/** When the next window after `nowMs` becomes due. */
export function nextDueMs(nowMs: number, intervalMs: number, ingestDelayMs: number): number {
  return floorTo(nowMs - ingestDelayMs, intervalMs) + intervalMs + ingestDelayMs;
}

/** When the window after the one that ended at `lastEndMs` becomes due. */
export function nextDueAfterMs(
  lastEndMs: number,
  intervalMs: number,
  ingestDelayMs: number,
): number {
  return floorTo(lastEndMs, intervalMs) + intervalMs + ingestDelayMs;
}

const floorTo = (ms: number, stepMs: number): number => Math.floor(ms / stepMs) * stepMs;
const ceilTo = (ms: number, stepMs: number): number => Math.ceil(ms / stepMs) * stepMs;
