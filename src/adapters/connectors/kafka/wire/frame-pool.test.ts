import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import kafkajs from 'kafkajs';
import { describe, expect, it } from 'vitest';
import { decompress, installCodecs } from './codecs.ts';
import { FramePool } from './frame-pool.ts';

const mebibyte = 2 ** 20;
const countedBytes = (): number => process.memoryUsage().external;
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Repeats it until lost pieces of earlier tests are collected, which the runtime does in its time. */
function afterCollection<T>(measure: () => T) {
  return expect.poll(async () => {
    collect();
    // The runtime reports what it has collected in a later turn.
    await new Promise((resolve) => setImmediate(resolve));
    return measure();
  });
}

/** Counted bytes of 32 pieces, which are lost then. */
function lose(): number {
  const pool = new FramePool(16 * mebibyte);
  const before = countedBytes();
  for (let count = 0; count < 32; count++) {
    pool.take(mebibyte);
  }
  return countedBytes() - before;
}

describe('memory of a frame pool', () => {
  it('causes no collection up to its share, and counts beyond it', async () => {
    const measure = (): object => {
      const pool = new FramePool(16 * mebibyte);
      const before = countedBytes();
      const share = Array.from({ length: 32 }, () => pool.take(mebibyte));
      const ofShare = countedBytes() - before;
      const beyond = pool.take(8 * mebibyte);
      return {
        isShareFree: ofShare < mebibyte,
        isBeyondCounted: countedBytes() - before > 7 * mebibyte,
        isNew: !share.includes(beyond),
      };
    };
    const expected = { isShareFree: true, isBeyondCounted: true, isNew: true };
    await afterCollection(measure).toEqual(expected);
  });

  it('counts once more as free when lost pieces are collected', async () => {
    await afterCollection(lose).toBeLessThan(mebibyte);
    // The lost pieces still exist.
    expect(lose()).toBeGreaterThan(24 * mebibyte);
    await afterCollection(lose).toBeLessThan(mebibyte);
  });

  it.each([1, 2, 3, 4])('may hold a block of codec %i', async (codec) => {
    installCodecs();
    const text = Buffer.from('a record of many, '.repeat(20_000));
    const compressed = codec === 1 ? gzipSync(text) : await compress(codec, text);
    const data = Buffer.from(new FramePool(mebibyte).take(mebibyte), 0, compressed.length);
    compressed.copy(data);
    expect((await decompress(codec, data)).equals(text)).toBe(true);
  });
});

async function compress(codec: number, buffer: Buffer): Promise<Buffer> {
  // The client's type for the table leaves out the types of its codecs.
  const table = kafkajs.CompressionCodecs as unknown as Record<
    number,
    () => { compress(encoder: { buffer: Buffer }): Promise<Buffer> }
  >;
  return table[codec]!().compress({ buffer });
}
