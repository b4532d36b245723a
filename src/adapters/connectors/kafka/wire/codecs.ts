import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
// As the default export: Node does not see these names of a CommonJS module.
import kafkajs from 'kafkajs';
import { compressFrame, decompressFrame } from 'lz4-napi';
import { compress as snappyCompress, uncompress as snappyUncompress } from 'snappy';
import { zstdCompress, zstdDecompress } from '../../zstd.ts';

const gunzipped = promisify(gunzip);

interface Codec {
  compress(encoder: { buffer: Buffer }): Promise<Buffer>;
  decompress(data: Buffer): Promise<Buffer>;
}

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
  compress: ({ buffer }) => zstdCompress(buffer),
  decompress: (data) => zstdDecompress(data),
};

const javaMagic = Buffer.from([0x82, 0x53, 0x4e, 0x41, 0x50, 0x50, 0x59, 0x00]);
const javaHeaderBytes = 16;

async function plainSnappy(data: Buffer): Promise<Buffer> {
  return Buffer.from(await snappyUncompress(data, { asBuffer: true }));
}

/** Decompresses Java's stream format: a header, then blocks, each after its length. */
async function javaSnappy(data: Buffer): Promise<Buffer> {
  const blocks: Buffer[] = [];
  for (let offset = javaHeaderBytes; offset + 4 <= data.length;) {
    const start = offset + 4;
    const end = start + data.readInt32BE(offset);
    blocks.push(await plainSnappy(data.subarray(start, end)));
    offset = end;
  }
  return Buffer.concat(blocks);
}

const decompressors: Record<number, (data: Buffer) => Promise<Buffer>> = {
  1: (data) => gunzipped(data),
  2: (data) => snappy.decompress(data),
  3: (data) => lz4.decompress(data),
  4: (data) => zstd.decompress(data),
};

/**
 * Decompresses a block of records. `codec` is the protocol's number. @throws Error if the codec is
 * unknown
 */
export function decompress(codec: number, data: Buffer): Promise<Buffer> {
  const decompressor = decompressors[codec];
  if (!decompressor) {
    throw new Error(`records are compressed with an unknown codec (${codec})`);
  }
  return decompressor(data);
}

/** Adds codecs to the client's table, of which there is one per process. It contains gzip already. */
export function installCodecs(): void {
  const { CompressionCodecs, CompressionTypes } = kafkajs;
  // The client's type for the table leaves out the types of its codecs.
  const table = CompressionCodecs as unknown as Record<number, () => Codec>;
  table[CompressionTypes.Snappy] = () => snappy;
  table[CompressionTypes.LZ4] = () => lz4;
  table[CompressionTypes.ZSTD] = () => zstd;
}
