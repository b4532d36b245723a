import { expect, test } from 'vitest';
import { BlockMemory } from './block-memory.ts';
import { ByteWriter } from './byte-writer.ts';

const written = (write: (out: ByteWriter) => void): Buffer => {
  const out = new ByteWriter(new BlockMemory());
  write(out);
  return out.buffer.subarray(0, out.pos);
};

/** A string with its length as a varint in front, as the engine reads it. */
const expected = (text: string): Buffer => {
  const bytes = Buffer.from(text);
  const { length } = bytes;
  return Buffer.from([
    ...(length < 0x80 ? [length] : [(length & 0x7f) | 0x80, length >> 7]),
    ...bytes,
  ]);
};

const lengths = [0, 1, 126, 127, 128, 129, 300];

test.each(lengths)('texts of %d letters, in ASCII or not', (length) => {
  for (const letter of ['a', 'é', '中']) {
    const text = letter.repeat(length);
    expect(written((out) => out.text(text))).toEqual(expected(text));
    const bytes = Buffer.from(`<${text}>`);
    expect(written((out) => out.utf8(bytes, 1, bytes.length - 1))).toEqual(expected(text));
  }
});

test.each([1, 50, 127, 128])('invalid UTF-8 after %d letters becomes U+FFFD', (length) => {
  const bytes = Buffer.concat([Buffer.alloc(length, 'a'), Buffer.of(0xff)]);
  const text = `${'a'.repeat(length)}\uFFFD`;
  expect(written((out) => out.utf8(bytes, 0, bytes.length))).toEqual(expected(text));
});

test('a lone surrogate becomes U+FFFD', () => {
  expect(written((out) => out.text('a\uD800'))).toEqual(expected('a\uFFFD'));
});

test('numbers keep their bytes while the memory grows', () => {
  const numbers = Float64Array.from({ length: 200 }, (_, index) => index / 7);
  numbers[3] = NaN;
  const from = new DataView(numbers.buffer);
  const bytes = written((out) => {
    out.u8(1);
    out.fixed64s(from, 0, 800);
    out.u64(0xffff_ffff, 1);
    out.u32(4_000_000_000);
    out.f64(-0.5);
    out.fixed64s(from, 800, 1600);
  });
  const data = Buffer.from(numbers.buffer);
  expect(bytes.subarray(1, 801)).toEqual(data.subarray(0, 800));
  expect(bytes.readBigUInt64LE(801)).toBe(0x1_ffff_ffffn);
  expect(bytes.readUInt32LE(809)).toBe(4_000_000_000);
  expect(bytes.readDoubleLE(813)).toBe(-0.5);
  expect(bytes.subarray(821)).toEqual(data.subarray(800));
});
