import {
  createHash,
  randomBytes,
  randomInt,
  scrypt,
  timingSafeEqual,
  type ScryptOptions,
} from 'node:crypto';
import { promisify } from 'node:util';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Letters and digits from the cryptographic generator; 5.95 bits each. */
export function randomText(length: number): string {
  let text = '';
  for (let index = 0; index < length; index++) {
    text += alphabet.charAt(randomInt(alphabet.length));
  }
  return text;
}

/**
 * A personal API access key (open-source surface). The prefix tells a reader, and a secret scanner,
 * what it is.
 */
export const newAccessKey = (): string => `slp_${randomText(40)}`;
/** The credential of telemetry senders. */
export const newIngestionKey = (): string => `sli_${randomText(40)}`;
/** Id and secret of an organization API key (managed surface): 20 and 44 characters. */
export const newKeyId = (): string => randomText(20);
export const newKeySecret = (): string => `sls_${randomText(40)}`;

/**
 * How credentials are kept: standard base64 of the SHA-256 digest of the UTF-8 text (44
 * characters).
 */
export const credentialHash = (text: string): string =>
  createHash('sha256').update(text, 'utf8').digest('base64');

/** Compares two credential hashes in constant time. */
export function sameHash(left: string, right: string): boolean {
  const a = Buffer.from(left, 'base64');
  const b = Buffer.from(right, 'base64');
  return a.length === 32 && b.length === 32 && timingSafeEqual(a, b);
}

export const suffixOf = (text: string): string => text.slice(-4);

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);
const cost = { N: 16_384, r: 8, p: 1 };

/** scrypt (RFC 7914) with a random salt: `scrypt$N$r$p$salt$hash`, base64. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(password.normalize('NFKC'), salt, 32, cost);
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64'), hash.toString('base64')].join(
    '$',
  );
}

/** False for a wrong password and for text that is no hash of ours. */
export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const [scheme, N, r, p, salt, hash] = stored.split('$');
  if (scheme !== 'scrypt' || !salt || !hash) {
    return false;
  }
  const wanted = Buffer.from(hash, 'base64');
  const got = await derive(password.normalize('NFKC'), Buffer.from(salt, 'base64'), wanted.length, {
    N: Number(N),
    r: Number(r),
    p: Number(p),
  });
  return timingSafeEqual(got, wanted);
}
