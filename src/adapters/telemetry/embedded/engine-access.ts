import { randomBytes } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { adminUser, passwordOf } from '../rights/engine-users.ts';
import type { EngineAddress } from './engine-address.ts';

/** How a command on this machine reaches the engine that a running server has started. */
export interface EngineAccess {
  url: string;
  username: string;
  password: string;
}

/**
 * Only the owner of the data directory can read the file, and the owner can read all data anyway.
 * The password is that of this run: after the next start of the engine it is worth nothing.
 */
export async function writeEngineAccess(
  path: string,
  { url, secret }: EngineAddress,
): Promise<void> {
  const access: EngineAccess = {
    url,
    username: adminUser,
    password: passwordOf(secret, adminUser),
  };
  const temporary = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  await writeFile(temporary, `${JSON.stringify(access)}\n`, { mode: 0o600 });
  await rename(temporary, path);
}

export async function removeEngineAccess(path: string): Promise<void> {
  await rm(path, { force: true });
}

/** Undefined if no server runs, or if it did not end cleanly and nothing has replaced the file. */
export async function readEngineAccess(path: string): Promise<EngineAccess | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return undefined;
    }
    throw error;
  }
  return JSON.parse(text) as EngineAccess;
}
