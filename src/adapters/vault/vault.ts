import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Vault } from '../../ports/ambient.ts';

const ivBytes = 12;
const tagBytes = 16;
/** Says how the rest is to be read, so that a later form can stand beside this one. */
const version = 'v1.';

/**
 * AES-256-GCM. A sealed text is `v1.` and the base64url of nonce, tag and ciphertext; the context
 * is authenticated with it.
 * @param key 32 bytes.
 */
export function createVault(key: Buffer): Vault {
  if (key.length !== 32) {
    throw new RangeError(`the secret key must have 32 bytes, not ${key.length}`);
  }
  return {
    seal(plain, context) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes }).setAAD(
        Buffer.from(context, 'utf8'),
      );
      const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return version + Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url');
    },
    open(sealed, context) {
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
      } catch (error) {
        throw new Error(
          'cannot decrypt a stored secret: it was encrypted with another key or for another ' +
            'object, or it is damaged. Check SIGHTLINE_SECRET_KEY.',
          { cause: error },
        );
      }
    },
  };
}
