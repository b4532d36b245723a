import { describe, expect, it } from 'vitest';
import {
  credentialHash,
  hashPassword,
  newAccessKey,
  newIngestionKey,
  newKeyId,
  newKeySecret,
  sameHash,
  suffixOf,
  verifyPassword,
} from './credentials.ts';

describe('credentials', () => {
  it('key ids have 20 characters and secrets at least 40, and none comes twice', () => {
    const made = Array.from({ length: 200 }, () => [
      newKeyId(),
      newKeySecret(),
      newAccessKey(),
      newIngestionKey(),
    ]).flat();
    expect(new Set(made).size).toBe(800);
    expect(newKeyId()).toMatch(/^[0-9A-Za-z]{20}$/);
    expect(newKeySecret().length).toBeGreaterThanOrEqual(40);
  });

  it('a hash is the base64 SHA-256 of the text', () => {
    expect(credentialHash('abc')).toBe('ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=');
    expect(sameHash(credentialHash('abc'), credentialHash('abc'))).toBe(true);
    expect(sameHash(credentialHash('abc'), credentialHash('abd'))).toBe(false);
    expect(sameHash('', '')).toBe(false);
    expect(suffixOf('abcdefgh')).toBe('efgh');
  });

  it('a password opens its own hash only, whatever its unicode form', async () => {
    const hash = await hashPassword('pässword');
    expect(hash).not.toContain('ssword');
    expect(await verifyPassword('pa\u0308ssword', hash)).toBe(true);
    expect(await verifyPassword('password', hash)).toBe(false);
    expect(await verifyPassword('x', 'nonsense')).toBe(false);
  });
});
