import { readFileSync } from 'node:fs';

/**
 * The longest turn of this process's event loop while `work` runs, in milliseconds of CPU time of the
 * main thread: a busy machine does not lengthen it. Without /proc, wall time.
 */
async function longestTurnMs(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let previous = mainThreadMs();
  let running = true;
  const turn = (): void => {
    const now = mainThreadMs();
    longest = Math.max(longest, now - previous);
    previous = now;
    if (running) {
      setImmediate(turn);
    }
  };
  setImmediate(turn);
  try {
    await work();
  } finally {
    running = false;
  }
  return longest;
}

const attempts = 5;

/**
 * The shortest of several such turns: the collector of garbage may add to one. Ends with the first
 * below `limitMs`.
 */
export async function shortestLongTurnMs(
  work: () => Promise<unknown>,
  limitMs: number,
): Promise<number> {
  let shortest = Infinity;
  for (let attempt = 0; attempt < attempts && shortest >= limitMs; attempt++) {
    shortest = Math.min(shortest, await longestTurnMs(work));
  }
  return shortest;
}

function mainThreadMs(): number {
  try {
    const [onCpuNs] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ');
    return Number(onCpuNs) / 1e6;
  } catch {
    return performance.now();
  }
}
