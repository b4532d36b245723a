import { performance } from 'node:perf_hooks';

const lookMs = 10_000;
/** The event loop rests if it works for less than this share of the time. */
const restShare = 0.2;

/**
 * Returns memory that was freed to the machine while the process rests. The allocator of glibc keeps
 * free memory that lies between pieces in use: 80 MiB after a million log records in small requests.
 * A call takes 0.2 to 0.5 ms, and some milliseconds if there is much to return. Elsewhere than on
 * Linux with glibc it does nothing.
 * @see malloc_trim(3)
 */
export class SpareMemory {
  #seen = performance.eventLoopUtilization();
  #timer: NodeJS.Timeout | undefined;

  /** @param everyMs time between two looks */
  async start(everyMs = lookMs): Promise<void> {
    const trim = await openTrim();
    if (trim) {
      this.#timer = setInterval(() => this.#rests() && trim(), everyMs).unref();
    }
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Since the last call. */
  #rests(): boolean {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, this.#seen);
    this.#seen = now;
    return utilization < restShare;
  }
}

/** Undefined if this C library cannot. */
async function openTrim(): Promise<(() => void) | undefined> {
  if (process.platform !== 'linux') {
    return undefined;
  }
  try {
    const { DataType, load, open } = await import('ffi-rs');
    open({ library: 'malloc', path: 'libc.so.6' });
    const call = {
      library: 'malloc',
      funcName: 'malloc_trim',
      retType: DataType.I32,
      paramsType: [DataType.I64],
      paramsValue: [0],
    };
    return () => void load(call);
  } catch {
    return undefined;
  }
}
