import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

const keyBytes = 32;

/**
 * Reads a key as an operator writes it: 64 hexadecimal digits, or 32 bytes in base64 or base64url
 * (43 characters and an optional `=`), such as `openssl rand -hex 32` and `openssl rand -base64 32`
 * print.
 * @throws Error that says what is expected, without the text.
 */
export function parseKey(text: string): Buffer {
  const trimmed = text.trim();
  if (/^[0-9a-fA-F]{64}$/.test(trimmed)) {
    return Buffer.from(trimmed, 'hex');
  }
  if (/^[A-Za-z0-9+/_-]{43}=?$/.test(trimmed)) {
    return Buffer.from(trimmed, 'base64url');
  }
  throw new Error(
    `the secret key must be ${keyBytes} bytes as 64 hexadecimal digits or base64. ` +
      `Create one with: openssl rand -hex ${keyBytes}`,
  );
}

/**
 * The keys in a file, made on first use (mode 0600). Of two processes that start at once, both get
 * the same key. The first key seals; during a change of the key, a second one still opens.
 * @throws Error when the file is there but holds no key: a new key would make every sealed secret
 * unreadable.
 */
export function loadOrCreateKeys(path: string): Buffer[] {
  return loadKeys(path) ?? [create(path)];
}

/** Undefined if the file does not exist. @throws Error if it does not contain keys only. */
export function loadKeys(path: string): Buffer[] | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return undefined;
    }
    throw error;
  }
  try {
    return text.trim().split('\n').map(parseKey);
  } catch (error) {
    throw new Error(
      `${path} does not contain a secret key. Restore the original file: without it no stored secret can be read.`,
      { cause: error },
    );
  }
}

/** Replaces the keys in the file at once: a crash leaves the old ones or the new ones. */
export function replaceKeys(path: string, keys: readonly Buffer[]): void {
  const temporary = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  writeDurably(temporary, keys.map((key) => `${key.toString('hex')}\n`).join(''));
  renameSync(temporary, path);
  syncFolder(dirname(path));
}

/**
 * Written whole under another name, then linked: a crash leaves no half key, and a link never
 * replaces a key that is there.
 */
function create(path: string): Buffer {
  const key = randomBytes(keyBytes);
  const temporary = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  writeDurably(temporary, `${key.toString('hex')}\n`);
  try {
    linkSync(temporary, path);
    syncFolder(dirname(path));
    return key;
  } catch (error) {
    const [other] = ((error as NodeJS.ErrnoException).code === 'EEXIST' && loadKeys(path)) || [];
    if (!other) {
      throw error;
    }
    return other;
  } finally {
    rmSync(temporary, { force: true });
  }
}

function writeDurably(path: string, text: string): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
