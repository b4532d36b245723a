import { statfs } from 'node:fs/promises';

/** With less, merges and the engine's own files begin to fail, and writes soon follow. */
const leastFreeBytes = 16 * 2 ** 20;

/** @throws Error if the disk of the data directory is full. */
export async function checkDisk(path: string): Promise<void> {
  const { bavail, bsize } = await statfs(path);
  const freeBytes = bavail * bsize;
  if (freeBytes < leastFreeBytes) {
    throw new Error(
      `the disk of ${path} is full: ${Math.floor(freeBytes / 2 ** 20)} MiB are free. ` +
        'Free some space, or move the data directory to a larger disk.',
    );
  }
}
