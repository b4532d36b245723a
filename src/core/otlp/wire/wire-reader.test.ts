import { expect, test } from 'vitest';
import { WireReader } from './wire-reader.ts';

/** A varint as protocol buffers write it. */
function varintOf(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  return [...bytes, rest];
}

const edges = [7, 14, 21, 28, 32, 35, 49].flatMap((bits) => [2 ** bits - 1, 2 ** bits]);

test.each([0, 1, ...edges, Number.MAX_SAFE_INTEGER])('reads the varint %d', (value) => {
  const bytes = varintOf(value);
  const reader = new WireReader(Uint8Array.from([0xff, ...bytes, 0xff]));
  reader.pos = 1;
  expect(reader.varint(1 + bytes.length)).toBe(value);
  expect(reader.pos).toBe(1 + bytes.length);
});

test.each([1, 2, 3, 4, 5, 9])('a varint cut off after %d bytes is malformed', (length) => {
  const reader = new WireReader(new Uint8Array(12).fill(0x80));
  expect(() => reader.varint(length)).toThrow('a number is truncated');
});

test('a varint of more than ten bytes is malformed', () => {
  const reader = new WireReader(new Uint8Array(12).fill(0x80));
  expect(() => reader.varint(12)).toThrow('a number has more than ten bytes');
});
