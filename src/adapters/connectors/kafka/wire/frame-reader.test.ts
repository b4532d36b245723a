import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Frame, FramePool } from './frame-pool.ts';
import { FrameReader } from './frame-reader.ts';
import { FetchTurns } from './fetch-turns.ts';

function frameOf(length: number, fill: number): Buffer {
  const frame = Buffer.alloc(4 + length, fill);
  frame.writeInt32BE(length);
  return frame;
}

/** Plays a socket that gets the bytes in portions of these sizes, over and over. */
function receive(reader: FrameReader, bytes: Buffer, portions: readonly number[]): void {
  for (let offset = 0, turn = 0; offset < bytes.length; turn++) {
    const space = reader.space();
    expect(space.length).toBeGreaterThan(0);
    const copied = bytes.copy(
      space,
      0,
      offset,
      Math.min(bytes.length, offset + portions[turn % portions.length]!, offset + space.length),
    );
    offset += copied;
    if (!reader.read(copied)) {
      return;
    }
  }
}

describe('a frame reader', () => {
  it('hands on every answer whole, in order, however its bytes come', () => {
    const lengths = fc.array(
      fc.oneof(fc.nat(300), fc.integer({ min: 65_000, max: 66_000 }), fc.nat(400_000)),
      { minLength: 1, maxLength: 6 },
    );
    fc.assert(
      fc.property(
        lengths,
        fc
          .array(fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 200_000 })), {
            minLength: 1,
            maxLength: 5,
          })
          .filter((portions) => portions.some((one) => one > 500)),
        (sizes, portions) => {
          const handed: Buffer[] = [];
          const reader = new FrameReader(
            new FramePool(0),
            (frame) => handed.push(frame),
            (reason) => {
              throw reason;
            },
          );
          const sent = sizes.map((length, index) => frameOf(length, index + 1));
          receive(reader, Buffer.concat(sent), portions);
          expect(handed.map((frame) => frame.length)).toEqual(sent.map((frame) => frame.length));
          expect(handed.every((frame, index) => frame.equals(sent[index]!))).toBe(true);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('reads a large answer into memory that was given back', () => {
    const pool = new FramePool(2 ** 24);
    const handed: Buffer[] = [];
    const reader = new FrameReader(
      pool,
      (frame) => handed.push(frame),
      (reason) => {
        throw reason;
      },
    );
    receive(reader, frameOf(300_000, 1), [65_536]);
    receive(reader, frameOf(300_000, 2), [65_536]);
    expect(handed[1]!.buffer).not.toBe(handed[0]!.buffer);
    pool.giveBack(handed[0]!.buffer);
    receive(reader, frameOf(290_000, 3), [65_536]);
    expect(handed[2]!.buffer).toBe(handed[0]!.buffer);
    expect(handed[1]!.equals(frameOf(300_000, 2))).toBe(true);
  });

  it.each(['HTTP/1.1 400 Bad Request', '\u00ff\u00ff\u00ff\u00fe'])(
    'refuses what is no answer: %j',
    (start) => {
      const refused: Error[] = [];
      receive(
        new FrameReader(
          new FramePool(0),
          () => {
            throw new Error('nothing to hand on');
          },
          (reason) => refused.push(reason),
        ),
        Buffer.from(start, 'latin1'),
        [100],
      );
      expect(refused).toHaveLength(1);
    },
  );
});

describe('a frame pool', () => {
  it("lends no memory that is in use, and takes back nothing twice and nothing that is another's", () => {
    const pool = new FramePool(2 ** 24);
    const [one, two] = [pool.take(2 ** 20), pool.take(2 ** 20)];
    expect(one).not.toBe(two);
    pool.giveBack(one);
    pool.giveBack(one);
    pool.giveBack(new ArrayBuffer(2 ** 20));
    expect(pool.idleBytes).toBe(one.byteLength);
    expect(pool.take(2 ** 20)).toBe(one);
    expect(pool.take(2 ** 20)).not.toBe(one);
  });

  it('keeps no more than it may, and lets go of what nobody takes', () => {
    const pool = new FramePool(2 ** 21);
    for (const piece of Array.from({ length: 5 }, () => pool.take(2 ** 20))) {
      pool.giveBack(piece);
    }
    expect(pool.idleBytes).toBe(2 ** 21);
    pool.trim();
    pool.giveBack(pool.take(2 ** 20));
    pool.trim();
    expect(pool.idleBytes).toBe(2 ** 20);
    pool.trim();
    expect(pool.idleBytes).toBe(0);
  });

  it("has an answer's memory back when the last of its users is done", () => {
    const pool = new FramePool(2 ** 24);
    const memory = pool.take(2 ** 20);
    const frame = new Frame(pool, memory);
    frame.use().use();
    frame.release();
    frame.release();
    expect(pool.idleBytes).toBe(0);
    frame.release();
    expect(pool.idleBytes).toBe(memory.byteLength);
  });
});

describe('turns of partitions', () => {
  const places = [0, 1, 2].map((partition) => ({ topic: 't', partition }));
  const mebibyte = 2 ** 20;
  /** Who is first in each of so many answers, of which the first place gets so much. */
  const firsts = (count: number, bytesOf: (partition: number) => number): number[] => {
    const turns = new FetchTurns();
    return Array.from({ length: count }, () => {
      const [first] = turns.order(places);
      turns.received([{ ...first!, bytes: bytesOf(first!.partition) }]);
      return first!.partition;
    });
  };

  it('keep a partition with a backlog first for several answers, and then let the next one', () => {
    expect(firsts(10, () => 8 * mebibyte)).toEqual([0, 0, 0, 1, 1, 1, 2, 2, 2, 0]);
  });

  it('pass on from a partition that has little', () => {
    expect(firsts(6, (partition) => (partition === 1 ? 8 * mebibyte : 100))).toEqual([
      0, 1, 1, 1, 2, 0,
    ]);
  });

  it('go on where a partition has been taken away', () => {
    const turns = new FetchTurns();
    turns.received([{ ...turns.order(places)[0]!, bytes: 0 }]);
    expect(turns.order(places.slice(2)).map(({ partition }) => partition)).toEqual([2]);
    turns.received([]);
    expect(turns.order(places).map(({ partition }) => partition)).toEqual([2, 0, 1]);
  });
});
