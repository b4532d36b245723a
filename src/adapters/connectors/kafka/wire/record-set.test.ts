import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decompress } from './codecs.ts';
import { Frame, FramePool } from './frame-pool.ts';
import { OldFormat, readRecordSet, type AbortedTransaction } from './record-set.ts';

interface Sent {
  key?: string | null;
  value: string | null;
  headers?: [string, string][];
}

interface Block {
  base: bigint;
  records: (Sent & { delta: number; time: number })[];
  gzip?: boolean;
  producerId?: bigint;
  /** A marker: 0 takes the producer's transaction back, 1 commits it. */
  marker?: 0 | 1;
  logTime?: bigint;
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value >= 0 ? value * 2 : -value * 2 - 1;
  for (; rest > 0x7f; rest = Math.floor(rest / 128)) {
    bytes.push((rest % 128) | 0x80);
  }
  return Buffer.from([...bytes, rest]);
}

const text = (value: string | null | undefined): Buffer =>
  value === null || value === undefined
    ? varint(-1)
    : Buffer.concat([varint(Buffer.byteLength(value)), Buffer.from(value)]);

function record(
  { key, value, headers = [], delta, time }: Block['records'][number],
  markerKey?: Buffer,
): Buffer {
  const keyPart = markerKey ? Buffer.concat([varint(markerKey.length), markerKey]) : text(key);
  const body = Buffer.concat([
    Buffer.from([0]),
    varint(time),
    varint(delta),
    keyPart,
    text(value),
    varint(headers.length),
    ...headers.flatMap(([name, content]) => [text(name), text(content)]),
  ]);
  return Buffer.concat([varint(body.length), body]);
}

/** As the protocol's documentation says it, independent of the reader. */
function block({ base, records, gzip = false, producerId, marker, logTime }: Block): Buffer {
  const body = Buffer.concat(
    records.map((one) =>
      record(one, marker === undefined ? undefined : Buffer.from([0, 0, 0, marker])),
    ),
  );
  const packed = gzip ? gzipSync(body) : body;
  const header = Buffer.alloc(61);
  header.writeBigInt64BE(base, 0);
  header.writeInt32BE(49 + packed.length, 8);
  header[16] = 2;
  header.writeInt16BE(
    (gzip ? 1 : 0) |
      (logTime === undefined ? 0 : 8) |
      (producerId === undefined ? 0 : 0x10) |
      (marker === undefined ? 0 : 0x20),
    21,
  );
  header.writeInt32BE(records.at(-1)?.delta ?? 0, 23);
  header.writeBigInt64BE(1_700_000_000_000n, 27);
  header.writeBigInt64BE(logTime ?? 1_700_000_000_000n, 35);
  header.writeBigInt64BE(producerId ?? -1n, 43);
  header.writeInt32BE(records.length, 57);
  return Buffer.concat([header, packed]);
}

const read = (set: Buffer, from = 0n, aborted: AbortedTransaction[] = []) =>
  readRecordSet(set, from, aborted, decompress, new Frame(new FramePool(0), set.buffer));
const values = async (
  set: Buffer,
  from = 0n,
  aborted: AbortedTransaction[] = [],
): Promise<string[]> =>
  ((await read(set, from, aborted))?.records.records() ?? []).map(({ data }) => String(data));
const plain = (base: bigint, ...texts: string[]): Block => ({
  base,
  records: texts.map((value, delta) => ({ value, delta, time: 0 })),
});

describe('a record set', () => {
  it('returns values, keys, headers, offsets with gaps and times exactly as sent', async () => {
    const sent = fc.record({
      key: fc.option(fc.string()),
      value: fc.option(fc.string({ maxLength: 300 })),
      headers: fc.uniqueArray(fc.tuple(fc.string({ minLength: 1 }), fc.string()), {
        maxLength: 3,
        selector: ([name]) => name,
      }),
      gap: fc.integer({ min: 1, max: 1000 }),
      time: fc.integer({ min: -(2 ** 40), max: 2 ** 40 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.array(sent, { minLength: 1, maxLength: 20 }), fc.boolean()), {
          minLength: 1,
          maxLength: 4,
        }),
        async (given) => {
          const expected: object[] = [];
          let base = 7n;
          const blocks = given.map(([records, gzip]) => {
            let delta = -1;
            const made = {
              base,
              gzip,
              records: records.map((one) => ({ ...one, delta: (delta += one.gap) })),
            };
            for (const one of made.records) {
              expected.push({
                position: String(base + BigInt(one.delta)),
                key: one.key,
                value: one.value,
                headers: Object.fromEntries(one.headers),
                timestampMs: 1_700_000_000_000 + one.time,
              });
            }
            base += BigInt(delta) + 1n;
            return block(made);
          });
          const batch = await read(Buffer.concat(blocks));
          expect(
            batch!.records.records().map(({ position, key, data, headers = {}, timestampMs }) => ({
              position,
              key: key == null ? null : String(key),
              value: data === null ? null : String(data),
              headers,
              timestampMs,
            })),
          ).toEqual(expected);
          expect(batch!.lastOffset).toBe(base - 1n);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('begins in the middle of a block, and leaves a block that is cut off for the next answer', async () => {
    const set = Buffer.concat([
      block(plain(10n, 'a', 'b', 'c')),
      block({ ...plain(13n, 'd', 'e'), gzip: true }),
    ]);
    expect(await values(set, 11n)).toEqual(['b', 'c', 'd', 'e']);
    expect(await values(set.subarray(0, -1), 12n)).toEqual(['c']);
    expect(await read(set.subarray(0, 40))).toBeUndefined();
    const { records } = (await read(set))!;
    expect([records.countBefore(9n), records.countBefore(12n), records.countBefore(99n)]).toEqual([
      0, 2, 5,
    ]);
    expect(
      records
        .slice(1, 4)
        .records()
        .map(({ position, data }) => `${position}${String(data)}`),
    ).toEqual(['11b', '12c', '13d']);
  });

  it('shows what a transaction committed, and nothing of one that was taken back, interleaved or not', async () => {
    const blockOf = (producerId: bigint, one: Block): Buffer => block({ ...one, producerId });
    const marker = (base: bigint, producerId: bigint, kind: 0 | 1): Buffer =>
      block({ base, records: [{ value: '', delta: 0, time: 0 }], producerId, marker: kind });
    const set = Buffer.concat([
      blockOf(1n, plain(0n, 'lost 1')),
      blockOf(2n, plain(1n, 'kept 2')),
      block(plain(2n, 'plain')),
      blockOf(1n, plain(3n, 'lost 1 too')),
      marker(4n, 1n, 0),
      blockOf(1n, plain(5n, 'kept 1')),
      marker(6n, 2n, 1),
      marker(7n, 1n, 1),
    ]);
    const aborted = [{ producerId: 1n, firstOffset: 0n }];
    expect(await values(set, 0n, aborted)).toEqual(['kept 2', 'plain', 'kept 1']);
    expect((await read(set, 0n, aborted))!.lastOffset).toBe(7n);
  });

  it("takes the log's own time where the topic says so", async () => {
    expect(
      (await read(block({ ...plain(0n, 'a', 'b'), logTime: 1_800_000_000_000n })))!.records
        .records()
        .map(({ timestampMs }) => timestampMs),
    ).toEqual([1_800_000_000_000, 1_800_000_000_000]);
  });

  it('refuses older formats by name, and bytes that do not add up', async () => {
    const old = block(plain(0n, 'a'));
    old[16] = 1;
    await expect(read(old)).rejects.toBeInstanceOf(OldFormat);
    const broken = block(plain(0n, 'a', 'b'));
    broken[61] = 0xfe;
    await expect(read(broken)).rejects.toThrow(/end inside/);
  });
});
