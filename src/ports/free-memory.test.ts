import { expect, test } from 'vitest';
import { eventually } from '../../test/kit/eventually.ts';
import { freeMemory } from './free-memory.ts';

const mebibyte = 2 ** 20;

test('frees the memory of large buffers at once', async () => {
  const buffers = Array.from({ length: 64 }, () => Buffer.alloc(mebibyte));
  const withThem = process.memoryUsage().arrayBuffers;
  freeMemory([...buffers, ...buffers.map((buffer) => buffer.subarray(10))]);
  await eventually(() =>
    expect(process.memoryUsage().arrayBuffers).toBeLessThan(withThem - 56 * mebibyte),
  );
  expect(buffers.every(({ length }) => length === 0)).toBe(true);
});

test('leaves alone what Node may share among buffers, and what is not worth it', () => {
  const shared = Buffer.from('part of a pool');
  const small = Buffer.alloc(20 * 1024, 1);
  freeMemory([shared, Buffer.alloc(mebibyte)]);
  freeMemory([small]);
  expect(shared.toString()).toBe('part of a pool');
  expect(small.every((byte) => byte === 1)).toBe(true);
});
