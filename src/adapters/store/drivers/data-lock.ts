import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import Database from 'libsql';

/**
 * One process per database file. The lock is the operating system's, on a file of its own (an
 * exclusive SQLite transaction that stays open), so it ends with the process however that dies; the
 * text file beside it only says who holds it.
 * @param optional answers a lock that is not held where another process has it, instead of an
 * error.
 * @throws Error naming the holder.
 */
export function lockDataFile(
  path: string,
  optional = false,
): { readonly held: boolean; release(): void } {
  const holderPath = `${path}.holder`;
  const lock = new Database(`${path}.lock`, { timeout: 0 });
  try {
    lock.exec('begin exclusive');
  } catch (error) {
    lock.close();
    if (optional) {
      return { held: false, release() {} };
    }
    throw new Error(
      `${path} is in use by ${holder(holderPath)}; ` +
        'one process at a time may open it (several need PostgreSQL: SIGHTLINE_DATABASE_URL)',
      { cause: error },
    );
  }
  writeFileSync(
    holderPath,
    `process ${process.pid} on ${hostname()} since ${new Date().toISOString()}\n`,
  );
  let held = true;
  return {
    held,
    release() {
      if (!held) {
        return;
      }
      held = false;
      rmSync(holderPath, { force: true });
      lock.close();
    },
  };
}

function holder(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return 'another process';
  }
}
