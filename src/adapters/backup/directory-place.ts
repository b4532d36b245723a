import { createReadStream } from 'node:fs';
import { access, cp, mkdir, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { BackupPlace } from '../../ports/backup-place.ts';

export function directoryPlace(path: string): BackupPlace {
  const directory = resolve(path);
  return {
    name: directory,
    directory,
    async isEmpty() {
      try {
        return (await readdir(directory)).length === 0;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
          return true;
        }
        throw error;
      }
    },
    async putFolder(localPath) {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      for (const name of await readdir(localPath)) {
        await move(join(localPath, name), join(directory, name));
      }
      await rmdir(localPath);
    },
    async getFolder(prefix, localPath) {
      await cp(join(directory, prefix), localPath, { recursive: true });
    },
    async put(name, text) {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      // Under another name first: a file that is there is whole.
      const temporary = join(directory, `${name}.unfinished`);
      await writeFile(temporary, text, { mode: 0o600, flush: true });
      await rename(temporary, join(directory, name));
    },
    async get(name) {
      const file = join(directory, name);
      try {
        await access(file);
      } catch (error) {
        throw new Error(`${directory} is not a complete backup: it has no ${name}`, {
          cause: error,
        });
      }
      return createReadStream(file);
    },
    enginePlace: async (name) => ({ kind: 'file', path: join(directory, name) }),
    close: () => {},
  };
}

/** A rename, or a copy to another file system. */
async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') {
      throw error;
    }
    await mkdir(dirname(to), { recursive: true, mode: 0o700 });
    await cp(from, to, { recursive: true });
    await rm(from, { recursive: true });
  }
}
