import { beforeAll, describe, expect, it } from 'vitest';
import { zstdCompress } from '../../zstd.ts';
import { ZstdFrames } from './zstd-frames.ts';

function isWhole(stream: Uint8Array, chunk: number): boolean {
  const frames = new ZstdFrames();
  for (let offset = 0; offset < stream.length; offset += chunk) {
    frames.push(stream.subarray(offset, offset + chunk));
  }
  return frames.isWhole;
}
const joined = (...parts: Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));
const skippable = (magic: number, length: number): Uint8Array =>
  joined(
    Uint8Array.of(magic, 0x2a, 0x4d, 0x18, length & 255, length >> 8, 0, 0),
    new Uint8Array(length),
  );
/**
 * A frame by hand: with a checksum, no content size, a raw block of four bytes and a repeated one
 * of a thousand.
 */
const byHand = Uint8Array.of(
  0x28,
  0xb5,
  0x2f,
  0xfd,
  0x04,
  0x50,
  4 << 3,
  0,
  0,
  1,
  2,
  3,
  4,
  ((1000 << 3) & 255) | 2 | 1,
  (1000 << 3) >> 8,
  0,
  65,
  9,
  9,
  9,
  9,
);

describe('zstd frames', () => {
  let streams: [string, Uint8Array][];
  beforeAll(async () => {
    const long = await zstdCompress(
      Buffer.from(
        Array.from({ length: 60_000 }, (_, index) => `{"n":${(index * 7919) % 100_003}}\n`).join(
          '',
        ),
      ),
      1,
    );
    const short = await zstdCompress(Buffer.from('{"n":1}\n'), 3);
    streams = [
      ['a short one', short],
      ['one of several blocks', long],
      ['one after another', joined(short, long, short)],
      ['beside skippable frames', joined(skippable(0x50, 300), short, skippable(0x5f, 0))],
      ['one with a checksum', byHand],
    ];
  });

  it('a stream is whole however it is cut into chunks', () => {
    for (const [title, stream] of streams) {
      for (const chunk of [1, 2, 3, 5, 1024, stream.length]) {
        expect([title, chunk, isWhole(stream, chunk)]).toEqual([title, chunk, true]);
      }
    }
    expect(new ZstdFrames().isWhole).toBe(true);
  });

  it('a stream that lacks any of its last bytes is not', () => {
    for (const [title, stream] of streams.filter(([name]) => !/another|beside/.test(name))) {
      const cuts =
        stream.length < 100
          ? Array.from({ length: stream.length - 1 }, (_, index) => index + 1)
          : [1, 2, 5, 100, stream.length >> 1, stream.length - 1];
      for (const cut of cuts) {
        expect([title, cut, isWhole(stream.subarray(0, stream.length - cut), 7)]).toEqual([
          title,
          cut,
          false,
        ]);
      }
    }
  });

  it('what is no zstd stream, or goes on with something else, is not', () => {
    expect(isWhole(Buffer.from('{"n":1}\n'), 4)).toBe(false);
    expect(isWhole(joined(streams[0]![1], Buffer.from('more than a frame')), 4)).toBe(false);
  });
});
