import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import kafkajs from 'kafkajs';
import { describe, expect, it } from 'vitest';
import { decompress, installCodecs } from './codecs.ts';
import { FramePool } from './frame-pool.ts';

const mebibyte = 2 ** 20;
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

// What this process counts depends on the lost memory of earlier tests. So the tests look at the
// kind of each piece: the runtime counts all memory but the shared one.
const isCounted = (piece: ArrayBufferLike): boolean => !(piece instanceof SharedArrayBuffer);

/** The number of counted pieces among 32 that are lost then. */
function lose(): number {
  const pool = new FramePool(16 * mebibyte);
  return Array.from({ length: 32 }, () => pool.take(mebibyte)).filter(isCounted).length;
}

/** Repeats it until lost pieces are collected, which the runtime does in its time. */
function afterCollection<T>(measure: () => T) {
  return expect.poll(async () => {
    collect();
    // The runtime reports what it has collected in a later turn.
    await new Promise((resolve) => setImmediate(resolve));
    return measure();
  });
}

describe('memory of a frame pool', () => {
  it('causes no collection up to its share, and counts beyond it', async () => {
    await afterCollection(() => {
      const pool = new FramePool(16 * mebibyte);
      const share = Array.from({ length: 32 }, () => pool.take(mebibyte));
      return [...share, pool.take(8 * mebibyte)].map(isCounted);
    }).toEqual([...Array.from({ length: 32 }, () => false), true]);
  });

  it('counts once more as free when lost pieces are collected', async () => {
    await afterCollection(lose).toBe(0);
    // The lost pieces still exist.
    expect(lose()).toBe(32);
    await afterCollection(lose).toBe(0);
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
