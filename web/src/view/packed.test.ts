import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPacked, pack, packedMax, unpack } from './packed.ts';

describe('packed text', () => {
  it('is read back, whatever it says', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ maxLength: 2000, unit: 'grapheme' }), async (text) => {
        const packed = await pack(text);
        expect(packed).toMatch(/^[\w-]+$/);
        expect(await unpack(packed)).toBe(text);
      }),
      { numRuns: 50 },
    );
  }, 60_000);

  it('is undefined if a character of it is changed or missing', async () => {
    const packed = await pack('filters=is|ServiceName|checkout');
    const turned = packed[8] === 'A' ? 'B' : 'A';
    expect(await unpack(packed.slice(0, 8) + turned + packed.slice(9))).toBeUndefined();
    expect(await unpack(packed.slice(0, -4))).toBeUndefined();
  });

  it('is never an error on hostile text', async () => {
    const hostile = fc.oneof(
      fc.string({ maxLength: 300, unit: 'binary' }),
      fc.base64String({ maxLength: 300 }),
      fc.constantFrom('', '=', '//evil', '__proto__'),
    );
    await fc.assert(
      fc.asyncProperty(hostile, async (text) => {
        expect(typeof (await unpack(text))).toMatch(/undefined|string/);
      }),
      { numRuns: 40 },
    );
    expect(await unpack('x'.repeat(1_048_576))).toBeUndefined();
  }, 60_000);

  it('is undefined if it holds megabytes, or text that is not UTF-8', async () => {
    const packedBytes = (bytes: Buffer): string => deflateSync(bytes).toString('base64url');
    const bomb = packedBytes(Buffer.alloc(2_000_000, 'a'));
    expect(isPacked(bomb)).toBe(true);
    expect(bomb.length).toBeLessThan(packedMax);
    expect(await unpack(bomb)).toBeUndefined();
    expect(await unpack(packedBytes(Buffer.from([0xff, 0xfe, 0x41])))).toBeUndefined();
  });
});
