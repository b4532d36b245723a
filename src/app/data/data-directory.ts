import { mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../../ports/ambient.ts';

const forOthers = 0o077;

/** Creates the data directory for its owner only. An existing directory keeps its mode. */
export async function makeDataDirectory(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
}

/**
 * Warns if users other than the owner can read the data directory or its files. Older versions and
 * operators may have created it that way, and the server does not change modes that it did not set.
 */
export async function warnOfReadableData(path: string, log: Log): Promise<void> {
  const mode = await modeOf(path);
  // Nobody can reach the files in a directory that is closed.
  if (mode === undefined || (mode & forOthers) === 0) {
    return;
  }
  const readable = await readableFiles(path);
  log.warn(
    { path, mode: (mode & 0o777).toString(8), ...(readable.length > 0 && { readable }) },
    'other users of this machine can read the data directory; run chmod -R go= on it',
  );
}

async function readableFiles(path: string): Promise<string[]> {
  const names = await readdir(path);
  const modes = await Promise.all(names.map((name) => modeOf(join(path, name))));
  return names.filter((_, index) => ((modes[index] ?? 0) & forOthers) !== 0).sort();
}

async function modeOf(path: string): Promise<number | undefined> {
  if (process.platform === 'win32') {
    return undefined;
  }
  return stat(path).then(
    ({ mode }) => mode,
    () => undefined,
  );
}
