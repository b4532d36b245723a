import { compress, decompress, init } from '@bokuweb/zstd-wasm';

/** A second start of the package would mix the memories of two instances and return other bytes. */
let ready: Promise<void> | undefined;

export async function zstdCompress(data: Uint8Array, level?: number): Promise<Buffer> {
  await (ready ??= init());
  return Buffer.from(compress(Buffer.from(data), level));
}

/** @throws Error if `data` is no zstd stream or inflates to more than 256 MiB. */
export async function zstdDecompress(data: Uint8Array): Promise<Buffer> {
  await (ready ??= init());
  for (let bytes = inflatedBytes; ; bytes *= 4) {
    try {
      return Buffer.from(decompress(data, { defaultHeapSize: bytes }));
    } catch (error) {
      // Producers that stream write no size into the frame, so it has to be tried.
      if (bytes >= inflatedBytesMax || !String(error).includes(outputTooSmall)) {
        throw error;
      }
    }
  }
}

const mib = 1024 * 1024;
const inflatedBytes = 4 * mib;
const inflatedBytesMax = 256 * mib;
/** The library's error for an output beyond the buffer. */
const outputTooSmall = '-70';
