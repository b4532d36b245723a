import { expect, test } from 'vitest';
import { eventually } from '../../../../test/kit/eventually.ts';
import { BlockMemories } from './block-memory.ts';

const block = (text: string): Buffer[] => [
  Buffer.from(text.slice(0, 3)),
  Buffer.from(text.slice(3)),
];
const text = (data: readonly Buffer[]): string => Buffer.concat(data).toString();

test('a copy keeps its bytes beside later copies and those in other memory', () => {
  const memories = new BlockMemories(1024);
  const memory = memories.take();
  const first = memory.copy(block('first block'));
  const second = memory.copy(block('second block'));
  memories.take().copy(block('another one'));
  expect([text(first), text(second)]).toEqual(['first block', 'second block']);
});

test('data for which the memory has no room stay where they are', () => {
  const memory = new BlockMemories(16).take();
  memory.copy(block('ten  bytes'));
  const large = block('seven b');
  expect(memory.copy(large)).toBe(large);
  expect(text(memory.copy(block('six by')))).toBe('six by');
});

test('memory that nobody uses for a second is given back if it has many bytes', async () => {
  const memories = new BlockMemories(64 * 2 ** 20);
  const [large, small] = [memories.take(), memories.take()];
  large.copy([Buffer.alloc(2 ** 21)]);
  small.copy(block('some bytes'));
  memories.give(small);
  memories.give(large);
  await eventually(() => expect(large.bytes.length).toBe(0));
  // A message that shows the memory would need gigabytes.
  expect(memories.take() === small).toBe(true);
  expect(small.copy(block('used again'))).toHaveLength(1);
});
