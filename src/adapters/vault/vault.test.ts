import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { loadOrCreateKeys, parseKey } from './key.ts';
import { createVault } from './vault.ts';

const key = randomBytes(32);
const vault = createVault(key);
const folder = mkdtempSync(join(tmpdir(), 'sightline-key-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('vault', () => {
  test.each(['', 'secret', 'zażółć 🦊', 'x'.repeat(100_000)])(
    'what was sealed opens again (%#)',
    (plain) => {
      expect(vault.open(vault.seal(plain, 'pipe/1'), 'pipe/1')).toBe(plain);
      expect(createVault(Buffer.from(key)).open(vault.seal(plain, 'pipe/1'), 'pipe/1')).toBe(plain);
    },
  );

  test('a sealed text shows nothing of the plain one, and is never the same twice', () => {
    const [one, two] = [vault.seal('hunter2', 'c'), vault.seal('hunter2', 'c')];
    expect(one).not.toBe(two);
    expect(Buffer.from(one.slice(3), 'base64url').includes('hunter2')).toBe(false);
  });

  test('it opens neither for another place nor under another key', () => {
    const sealed = vault.seal('secret', 'pipe/1');
    expect(() => vault.open(sealed, 'pipe/2')).toThrow(/cannot decrypt a stored secret/);
    expect(() => vault.open(sealed, '')).toThrow(/cannot decrypt a stored secret/);
    expect(() => createVault(randomBytes(32)).open(sealed, 'pipe/1')).toThrow(
      /cannot decrypt a stored secret/,
    );
  });

  test('cut off anywhere, or changed in any byte, it does not open', () => {
    const sealed = vault.seal('secret', 'c');
    for (let length = 0; length < sealed.length; length++) {
      expect(() => vault.open(sealed.slice(0, length), 'c')).toThrow();
    }
    const bytes = Buffer.from(sealed.slice(3), 'base64url');
    for (let index = 0; index < bytes.length; index++) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(bytes.readUInt8(index) ^ 1, index);
      expect(() => vault.open(`v1.${changed.toString('base64url')}`, 'c')).toThrow(
        /cannot decrypt a stored secret/,
      );
    }
  });

  test('no error carries the text', () => {
    const shown = (() => {
      try {
        return vault.open('hunter2-in-clear', 'c');
      } catch (error) {
        return String(error);
      }
    })();
    expect(shown).not.toContain('hunter2');
  });

  test('a key of another length is refused', () => {
    expect(() => createVault(randomBytes(16))).toThrow(/32 bytes/);
  });
});

describe('secret key', () => {
  test('hexadecimal, base64 and base64url of one key read alike', () => {
    for (const text of [
      key.toString('hex'),
      key.toString('hex').toUpperCase(),
      key.toString('base64'),
      key.toString('base64url'),
      ` ${key.toString('base64')}\n`,
    ]) {
      expect(parseKey(text)).toEqual(key);
    }
  });

  test.each([
    '',
    'password',
    'ab'.repeat(31),
    'zz'.repeat(32),
    `${'A'.repeat(44)}`,
    randomBytes(31).toString('base64'),
  ])('another text is refused without being shown (%#)', (text) => {
    expect(() => parseKey(text)).toThrow(/32 bytes.*openssl rand/);
    if (text !== '') {
      expect(() => parseKey(text)).not.toThrow(new RegExp(text.replace(/[+/]/g, '\\$&')));
    }
  });

  test("it is made once, for the owner's eyes only, and read ever after", () => {
    const path = join(folder, 'secret.key');
    const made = loadOrCreateKeys(path);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(loadOrCreateKeys(path)).toEqual(made);
    expect(made).toHaveLength(1);
    expect(readFileSync(path, 'utf8').trim()).toBe(made[0]?.toString('hex'));
    expect(readdirSync(folder)).toEqual(['secret.key']);
  });

  test('a file that holds no key is refused, not replaced', () => {
    const path = join(folder, 'damaged.key');
    writeFileSync(path, 'half');
    chmodSync(path, 0o600);
    expect(() => loadOrCreateKeys(path)).toThrow(/damaged\.key does not contain a secret key/);
    expect(readFileSync(path, 'utf8')).toBe('half');
  });
});
