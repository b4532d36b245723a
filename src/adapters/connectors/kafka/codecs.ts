import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import {
  compress as zstdCompress,
  decompress as zstdDecompress,
  init as zstdInit,
} from '@bokuweb/zstd-wasm';
// As the default export: Node does not see these names of a CommonJS module.
import kafkajs from 'kafkajs';
import { compressFrame, decompressFrame } from 'lz4-napi';
import { compress as snappyCompress, uncompress as snappyUncompress } from 'snappy';

const gunzipped = promisify(gunzip);

interface Codec {
  compress(encoder: { buffer: Buffer }): Promise<Buffer>;
  decompress(data: Buffer): Promise<Buffer>;
}

let zstdReady: Promise<void> | undefined;

const snappy: Codec = {
  compress: async ({ buffer }) => Buffer.from(await snappyCompress(buffer)),
  decompress: (data) =>
    data.subarray(0, 8).equals(javaMagic) ? javaSnappy(data) : plainSnappy(data),
};

const lz4: Codec = {
  compress: ({ buffer }) => compressFrame(buffer),
  decompress: (data) => decompressFrame(data),
};

const zstd: Codec = {
  compress: async ({ buffer }) => {
    await (zstdReady ??= zstdInit());
    return Buffer.from(zstdCompress(buffer));
  },
  decompress: async (data) => {
    await (zstdReady ??= zstdInit());
    return Buffer.from(zstdDecompress(data));
  },
};

const javaMagic = Buffer.from([0x82, 0x53, 0x4e, 0x41, 0x50, 0x50, 0x59, 0x00]);
const javaHeaderBytes = 16;

async function plainSnappy(data: Buffer): Promise<Buffer> {
  return Buffer.from(await snappyUncompress(data, { asBuffer: true }));
}

/** Java's stream format: a header, then blocks, each with its length before it. */
async function javaSnappy(data: Buffer): Promise<Buffer> {
  const blocks: Buffer[] = [];
  for (let at = javaHeaderBytes; at + 4 <= data.length;) {
    const length = data.readInt32BE(at);
    blocks.push(await plainSnappy(data.subarray(at + 4, at + 4 + length)));
    at += 4 + length;
  }
  return Buffer.concat(blocks);
}

const byNumber: Record<number, (data: Buffer) => Promise<Buffer>> = {
  1: (data) => gunzipped(data),
  2: (data) => snappy.decompress(data),
  3: (data) => lz4.decompress(data),
  4: (data) => zstd.decompress(data),
};

/** A block of records as it was before compression; `codec` is the protocol's number. @throws Error where there is no such codec. */
export function decompress(codec: number, data: Buffer): Promise<Buffer> {
  const work = byNumber[codec];
  if (!work) {
    throw new Error(`records compressed with an unknown codec (${codec})`);
  }
  return work(data);
}

/** The client keeps its codecs in one table per process; it brings gzip itself. */
export function installCodecs(): void {
  const { CompressionCodecs, CompressionTypes } = kafkajs;
  const table = CompressionCodecs as unknown as Record<number, () => Codec>;
  table[CompressionTypes.Snappy] = () => snappy;
  table[CompressionTypes.LZ4] = () => lz4;
  table[CompressionTypes.ZSTD] = () => zstd;
}
