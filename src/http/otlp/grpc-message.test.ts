import type { ServerHttp2Stream } from 'node:http2';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { readMessage } from './grpc-message.ts';
import { ByteBudget, HeldBytes } from './request-body.ts';

function read(chunks: readonly Buffer[]): ReturnType<typeof readMessage> {
  const stream = new PassThrough();
  const held = new HeldBytes(new ByteBudget(2 ** 20));
  const limits = { maxMessageBytes: 2 ** 20 };
  const message = readMessage(stream as unknown as ServerHttp2Stream, limits, held);
  chunks.forEach((chunk) => stream.write(chunk));
  stream.end();
  return message;
}

const message = (isCompressed: number, body: string): Buffer => {
  const head = Buffer.from([isCompressed, 0, 0, 0, 0]);
  head.writeUInt32BE(body.length, 1);
  return Buffer.concat([head, Buffer.from(body)]);
};

test.each([
  ['in one piece', [100]],
  ['with its prefix in two pieces', [2, 100]],
  ['byte by byte', Array.from({ length: 12 }, (_, index) => index + 1)],
])('reads a message %s', async (_name, ends) => {
  const whole = message(1, 'content');
  const chunks = ends.map((end, index) => Buffer.from(whole.subarray(ends[index - 1] ?? 0, end)));
  const { bytes, isCompressed } = await read(chunks);
  expect([bytes.toString(), isCompressed]).toEqual(['content', true]);
});

test('reads a message without content, and one of many large pieces', async () => {
  expect((await read([message(0, '')])).bytes).toHaveLength(0);
  const text = 'x'.repeat(400_000);
  const whole = message(0, text);
  const chunks = Array.from({ length: 5 }, (_, index) =>
    Buffer.from(whole.subarray(index * 100_000, (index + 1) * 100_000)),
  );
  expect((await read(chunks)).bytes.toString()).toBe(text);
});

test.each([
  ['ends within its prefix', message(0, 'content').subarray(0, 3)],
  ['is shorter than its prefix says', message(0, 'content').subarray(0, 9)],
])('refuses a message that %s', async (_name, bytes) => {
  await expect(read([Buffer.from(bytes)])).rejects.toThrow('the message is cut short');
});
