import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import type { Vault } from '../../ports/ambient.ts';

const ivBytes = 12;
const tagBytes = 16;
/** Says how the rest is to be read, so that a later form can stand beside this one. */
const version = 'v1.';

/** The keys of a vault at this moment. */
export interface VaultKeys {
  /** Seals. */
  current: Buffer;
  /** Open what was sealed before a change of the key. */
  previous: readonly Buffer[];
}

/**
 * AES-256-GCM. A sealed text is `v1.` and the base64url of nonce, tag and ciphertext; the context
 * is authenticated with it.
 * @param source 32 bytes, or keys that can change. `refresh` looks for other keys and says whether
 * it found any.
 */
export function createVault(source: Buffer | { keys(): VaultKeys; refresh(): boolean }): Vault {
  if (Buffer.isBuffer(source)) {
    const keys: VaultKeys = { current: source, previous: [] };
    return createVault({ keys: () => keys, refresh: () => false });
  }
  requireLength(source.keys());
  return {
    seal(plain, context) {
      source.refresh();
      return seal(source.keys().current, plain, context);
    },
    derive(context) {
      source.refresh();
      return createHmac('sha256', source.keys().current).update(context).digest('hex');
    },
    open(sealed, context) {
      for (;;) {
        const { current, previous } = source.keys();
        for (const key of [current, ...previous]) {
          const plain = open(key, sealed, context);
          if (plain !== undefined) {
            return plain;
          }
        }
        if (!source.refresh()) {
          throw new Error(
            'cannot decrypt a stored secret: it was encrypted with another key or for another ' +
              'object, or it is damaged. Check SIGHTLINE_SECRET_KEY.',
          );
        }
      }
    },
  };
}

function requireLength({ current, previous }: VaultKeys): void {
  for (const key of [current, ...previous]) {
    if (key.length !== 32) {
      throw new RangeError(`the secret key must have 32 bytes, not ${key.length}`);
    }
  }
}

function seal(key: Buffer, plain: string, context: string): string {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes }).setAAD(
    Buffer.from(context, 'utf8'),
  );
  const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return version + Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url');
}

/** Undefined under another key or context. @throws Error if the text has another format. */
function open(key: Buffer, sealed: string, context: string): string | undefined {
  const bytes = sealed.startsWith(version)
    ? Buffer.from(sealed.slice(version.length), 'base64url')
    : Buffer.alloc(0);
  if (bytes.length < ivBytes + tagBytes) {
    throw new Error('the stored secret has an unknown format');
  }
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes), {
    authTagLength: tagBytes,
  })
    .setAAD(Buffer.from(context, 'utf8'))
    .setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
  try {
    return Buffer.concat([
      decipher.update(bytes.subarray(ivBytes + tagBytes)),
      decipher.final(),
    ]).toString('utf8');
  } catch {
    return undefined;
  }
}
