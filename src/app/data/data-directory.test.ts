import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createLog } from '../../adapters/ambient/log.ts';
import { makeDataDirectory, warnOfReadableData } from './data-directory.ts';

const folder = mkdtempSync(join(tmpdir(), 'sightline-data-directory-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function warnings(path: string): Promise<string> {
  let text = '';
  const destination = { write: (line: string) => (text += line) };
  await warnOfReadableData(path, createLog({ level: 'warn', destination }));
  return text;
}

it('a new data directory is for its owner only and causes no warning', async () => {
  const path = join(folder, 'deep', 'new');
  await makeDataDirectory(path);
  expect(statSync(path).mode & 0o777).toBe(0o700);
  expect(await warnings(path)).toBe('');
});

it('an existing directory that others can read causes a warning that names its files', async () => {
  const path = join(folder, 'open');
  await makeDataDirectory(path);
  writeFileSync(join(path, 'sightline.db'), '');
  writeFileSync(join(path, 'secret.key'), '', { mode: 0o600 });
  chmodSync(join(path, 'sightline.db'), 0o644);
  expect(await warnings(path)).toBe('');

  chmodSync(path, 0o755);
  expect(JSON.parse(await warnings(path))).toMatchObject({
    path,
    mode: '755',
    readable: ['sightline.db'],
    message: 'other users of this machine can read the data directory; run chmod -R go= on it',
  });
  expect(statSync(path).mode & 0o777).toBe(0o755);
});

it('a directory that does not exist yet causes no warning', async () => {
  expect(await warnings(join(folder, 'missing'))).toBe('');
});
