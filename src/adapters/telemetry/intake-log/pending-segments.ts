import { readdir } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { segmentNames } from './segment.ts';

const waitMs = 20_000;
const pauseMs = 50;

/**
 * Waits until the server that writes an intake log has stored the blocks that it has now. For
 * another process that reads the engine of that server.
 * @throws Error if it does not
 */
export async function pendingStored(folder: string): Promise<void> {
  const pending = await segmentsOf(folder);
  for (let waitedMs = 0; ; waitedMs += pauseMs) {
    const now = new Set(await segmentsOf(folder));
    if (!pending.some((name) => now.has(name))) {
      return;
    }
    if (waitedMs > waitMs) {
      throw new Error(
        `the server cannot store telemetry that it has in ${folder}. Its log says why.`,
      );
    }
    await pause(pauseMs);
  }
}

async function segmentsOf(folder: string): Promise<string[]> {
  try {
    return segmentNames(await readdir(folder));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return [];
    }
    throw error;
  }
}
