import { statSync } from 'node:fs';
import type { Vault } from '../../ports/ambient.ts';
import { loadKeys, loadOrCreateKeys } from './key.ts';
import { createVault } from './vault.ts';

/**
 * The vault under the keys of a file, which `sightline admin rotate-secret-key` replaces while the
 * server runs. The file is looked at before a value is sealed, and when a value does not open. Keys
 * that this process has seen go on opening: it may remember values from before.
 */
export function keyFileVault(path: string): Vault {
  let [current, ...previous] = loadOrCreateKeys(path) as [Buffer, ...Buffer[]];
  let version = versionOf(path);
  const refresh = (): boolean => {
    const now = versionOf(path);
    if (now === version) {
      return false;
    }
    const [first, ...others] = loadKeys(path) ?? [];
    version = now;
    if (first === undefined) {
      return false;
    }
    const known = [first, ...others, current, ...previous];
    current = first;
    previous = known.filter(
      (key, index) => index > 0 && known.findIndex((other) => other.equals(key)) === index,
    );
    return true;
  };
  return createVault({
    keys: () => ({ current, previous }),
    refresh,
  });
}

/** Undefined while the file is away. Another file under the name has another inode. */
function versionOf(path: string): string | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats && `${stats.ino}/${stats.mtimeNs}`;
}
