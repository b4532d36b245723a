import { expect, it } from 'vitest';
import { freeMemory } from '../../ports/free-memory.ts';
import { until } from '../../../test/kit/eventually.ts';
import { SpareMemory } from './spare-memory.ts';

const bytes = 64 * 1024;
const count = 1600;

it.skipIf(process.platform !== 'linux')(
  'memory that is free between pieces in use is returned to the machine',
  async () => {
    const buffers = Array.from({ length: count }, () => Buffer.alloc(bytes, 1));
    const used = process.memoryUsage.rss();
    const isKept = (_: Buffer, index: number): boolean => index % 16 === 0;
    const kept = buffers.filter(isKept);
    freeMemory(buffers.filter((buffer, index) => !isKept(buffer, index)));
    const memory = new SpareMemory();
    await memory.start(50);
    try {
      await until(
        'the memory to be returned',
        () => used - process.memoryUsage.rss() > (count * bytes) / 2,
      );
    } finally {
      memory.stop();
    }
    expect(kept.every((buffer) => buffer[bytes - 1] === 1)).toBe(true);
  },
);
