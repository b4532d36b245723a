import { expect, it } from 'vitest';
import { zstdCompress, zstdDecompress } from './zstd.ts';

it('reads what it wrote', async () => {
  const data = Buffer.from('a record '.repeat(1000));
  expect(await zstdDecompress(await zstdCompress(data))).toEqual(data);
});

it('reads a stream without the size of its content, however far it inflates', async () => {
  const blockBytes = 100_000;
  const blocks = 200;
  // RFC 8878: a header without size, then blocks that repeat one byte.
  const header = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58]);
  const block = (isLast: boolean): Buffer => {
    const bytes = Buffer.alloc(4, 'x');
    bytes.writeUIntLE((blockBytes << 3) | 2 | (isLast ? 1 : 0), 0, 3);
    return bytes;
  };
  const stream = Buffer.concat([
    header,
    ...Array.from({ length: blocks }, (_, index) => block(index === blocks - 1)),
  ]);
  const inflated = await zstdDecompress(stream);
  expect(inflated.equals(Buffer.alloc(blocks * blockBytes, 'x'))).toBe(true);
});

it('says what is no zstd stream', async () => {
  await expect(zstdDecompress(Buffer.from('not compressed'))).rejects.toThrow('code');
});
