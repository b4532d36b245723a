import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

/** The check of hashes in the lockfile, and the command that completes them. */

const root = fileURLToPath(new URL('../..', import.meta.url));
const mac = { version: '1.0.0', os: ['darwin'], cpu: ['arm64'], optional: true };
const linux = { version: '1.0.0', os: ['linux'], cpu: ['x64'], libc: ['glibc'], optional: true };
const hash = 'sha512-ZG9lcyBub3QgbWF0dGVy';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sightline-lockfile-'));
  mkdirSync(join(folder, 'scripts'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (packages: object, list: object[]): void => {
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages }));
  writeFileSync(join(folder, 'scripts/packages-without-hash.json'), JSON.stringify(list));
};
const read = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), 'utf8'));
const run = (
  args: readonly string[],
  environment: Record<string, string> = {},
): Promise<{ code: number; text: string }> =>
  new Promise((resolve) => {
    const env = { PATH: process.env['PATH'] ?? '', HOME: folder, ...environment };
    execFile(
      process.execPath,
      [join(root, 'scripts/complete-lock.mjs'), ...args],
      { env, cwd: folder },
      (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : Number(error.code), text: stdout + stderr });
      },
    );
  });

describe('hashes of the lockfile', () => {
  it('every package of this project has one or is on the list', async () => {
    expect(await run(['--check', root])).toEqual({ code: 0, text: '' });
  });

  it.each<[string, object, object[], string]>([
    [
      'a package that is not on the list',
      { 'node_modules/@one/mac': mac },
      [],
      '@one/mac has no hash in package-lock.json. Run node scripts/complete-lock.mjs.',
    ],
    [
      'a listed package that is installed on Linux x64',
      { 'node_modules/a/node_modules/@one/linux': linux },
      [{ reason: 'none offered', packages: ['@one/linux'] }],
      'node_modules/a/node_modules/@one/linux is installed on Linux x64 and has no hash',
    ],
    [
      'a package for every platform',
      { 'node_modules/one': { version: '1.0.0' } },
      [{ reason: 'none offered', packages: ['one'] }],
      'node_modules/one is installed on Linux x64 and has no hash',
    ],
    [
      'a listed package that has a hash',
      { 'node_modules/@one/mac': { ...mac, integrity: hash } },
      [{ reason: 'none offered', packages: ['@one/mac'] }],
      '@one/mac has a hash: remove it from scripts/packages-without-hash.json',
    ],
    [
      'a list without a reason',
      { 'node_modules/@one/mac': mac },
      [{ packages: ['@one/mac'] }],
      'scripts/packages-without-hash.json: no reason for @one/mac',
    ],
  ])('the check refuses %s', async (_, packages, list, message) => {
    write({ web: { version: '1.0.0' }, ...packages }, list);
    const { code, text } = await run(['--check', folder]);
    expect(code).toBe(1);
    expect(text).toContain(message);
    expect(text.trim().split('\n')).toHaveLength(1);
  });
});

describe('completing the lockfile', () => {
  let registry: Server;
  let offered: Record<string, object>;
  beforeEach(async () => {
    offered = {};
    registry = createServer((request, response) => {
      const name = decodeURIComponent(request.url?.slice(1) ?? '');
      const versions = offered[name];
      response.writeHead(versions ? 200 : 404, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify(
          versions ? { name, 'dist-tags': { latest: '1.0.0' }, versions } : { error: 'not found' },
        ),
      );
    });
    await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => new Promise((resolve) => registry.close(resolve)));

  it('adds other platforms and the hashes that the registry has, and shortens the list', async () => {
    const dist = { integrity: hash, tarball: 'http://127.0.0.1:9/one.tgz' };
    offered['@one/lib-darwin-arm64'] = {
      '1.0.0': { name: '@one/lib-darwin-arm64', version: '1.0.0', dist },
    };
    const one = {
      version: '1.0.0',
      integrity: hash,
      optionalDependencies: { '@one/lib-darwin-arm64': '1.0.0', '@one/lib-win32-x64': '1.0.0' },
    };
    write({ 'node_modules/one': one }, [
      { reason: 'none offered', packages: ['@one/lib-darwin-arm64'] },
      { reason: 'not for Windows', packages: ['@one/lib-win32-x64'] },
    ]);
    const { port } = registry.address() as AddressInfo;
    const done = await run([folder], { npm_config_registry: `http://127.0.0.1:${port}/` });
    expect(done).toEqual({
      code: 0,
      text:
        'package-lock.json: 2 optional packages of other platforms added\n' +
        'package-lock.json: 1 hashes added, 1 missing\n',
    });
    expect(read('package-lock.json')).toEqual({
      packages: {
        'node_modules/@one/lib-darwin-arm64': { ...mac, integrity: hash },
        'node_modules/@one/lib-win32-x64': {
          version: '1.0.0',
          os: ['win32'],
          cpu: ['x64'],
          optional: true,
        },
        'node_modules/one': one,
      },
    });
    expect(read('scripts/packages-without-hash.json')).toEqual([
      { reason: 'not for Windows', packages: ['@one/lib-win32-x64'] },
    ]);
  });
});
