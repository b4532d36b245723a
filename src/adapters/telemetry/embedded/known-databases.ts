import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** The databases of an engine's directory, by the files that describe them. */
export async function knownDatabases(path: string): Promise<string[]> {
  try {
    const files = await readdir(join(path, 'metadata'));
    // `default` is always there, and has no file.
    return ['default', ...files.filter((name) => name.endsWith('.sql')).map(databaseOf)];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return ['default'];
    }
    throw error;
  }
}

/** The engine writes every byte of a name that is no letter, digit or `_` as `%XX`. */
const databaseOf = (file: string): string => decodeURIComponent(file.slice(0, -'.sql'.length));
