import { closeSync, existsSync, fsyncSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const markName = 'sightline-clean-stop';

/**
 * Says in the engine's directory that its last run ended after all its work. Without the mark an
 * insert may have been cut short.
 */
export function markCleanStop(path: string): void {
  writeFileSync(join(path, markName), '', { mode: 0o600, flush: true });
  syncFolder(path);
}

/** Takes the mark away, durably. False: there was none. */
export function takeCleanStopMark(path: string): boolean {
  const mark = join(path, markName);
  if (!existsSync(mark)) {
    return false;
  }
  rmSync(mark);
  syncFolder(path);
  return true;
}

export function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
