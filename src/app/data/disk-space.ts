import { statfs } from 'node:fs/promises';
import type { Config } from '../config/config.ts';

/** With less, merges and the engine's own files begin to fail, and writes soon follow. */
const leastFreeBytes = 16 * 2 ** 20;

/** @throws Error if the disk of the data directory is full. */
export async function checkDisk(path: string): Promise<void> {
  const { freeBytes } = await diskSpace(path);
  if (freeBytes < leastFreeBytes) {
    throw new Error(
      `the disk of ${path} is full: ${Math.floor(freeBytes / 2 ** 20)} MiB are free. ` +
        'Free some space, or move the data directory to a larger disk.',
    );
  }
}

/** The disk of a directory; only space that this user can fill is free. */
export async function diskSpace(path: string): Promise<{ freeBytes: number; totalBytes: number }> {
  const { bavail, blocks, bsize } = await statfs(path);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}

/** Whether this process writes to its data directory. */
export const keepsData = ({ databaseUrl, clickhouseUrl }: Config): boolean =>
  databaseUrl === undefined || clickhouseUrl === undefined;
