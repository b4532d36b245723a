import { setTimeout as pause } from 'node:timers/promises';

/** Tries `check` until it does not throw; after the deadline its last error stands. */
export async function eventually<T>(
  check: () => T | Promise<T>,
  deadlineMs = 10_000,
  everyMs = 20,
): Promise<T> {
  const deadline = performance.now() + deadlineMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > deadline) {
        throw error;
      }
    }
    await pause(everyMs);
  }
}

/**
 * Asks until the answer is neither undefined nor false. A probe that fails is asked again too.
 * @throws Error that names `what` and has the last answer.
 */
export async function until<T>(
  what: string,
  probe: () => T | undefined | false | Promise<T | undefined | false>,
  timeoutMs = 60_000,
  everyMs = 50,
): Promise<T> {
  const check = async (): Promise<T> => {
    const answer = await probe();
    if (answer === undefined || answer === false) {
      throw new Error(JSON.stringify(answer) ?? 'nothing');
    }
    return answer;
  };
  try {
    return await eventually(check, timeoutMs, everyMs);
  } catch (error) {
    const last = error instanceof Error ? error.message : String(error);
    throw new Error(`waited ${timeoutMs} ms for ${what}; last: ${last}`, { cause: error });
  }
}
