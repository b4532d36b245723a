import { gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import * as zlib from 'node:zlib';
import { decompress as zstdDecompress, init as zstdInit } from '@bokuweb/zstd-wasm';
import snappy from 'snappy';
import { Fault } from '../../contract/errors.ts';
import type { Compression } from '../../core/otlp/received-request.ts';

/** Names of compressions, in HTTP's Content-Encoding and gRPC's grpc-encoding. */
const compressions: Record<string, Compression> = {
  identity: 'identity',
  gzip: 'gzip',
  deflate: 'deflate',
  zlib: 'deflate',
  zstd: 'zstd',
  snappy: 'snappy',
  'x-snappy-framed': 'snappy',
};

export const compressionNames = ['gzip', 'deflate', 'zstd', 'snappy'] as const;

/** Undefined: a compression that the server does not know. */
export function compressionNamed(name: string): Compression | undefined {
  const known = name.trim().toLowerCase();
  return Object.hasOwn(compressions, known) ? compressions[known] : undefined;
}

/**
 * A body decompressed. It blocks its thread, and stops as soon as the output is too large.
 * @throws Fault `payload_too_large` or `bad_request`.
 */
export async function decompress(
  compression: Compression,
  body: Uint8Array,
  maxBytes: number,
): Promise<Uint8Array> {
  try {
    return await decompressors[compression](body, maxBytes);
  } catch (error) {
    if (error instanceof Fault) {
      throw error;
    }
    if ((error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE') {
      throw inflatesTooFar(maxBytes);
    }
    throw new Fault('bad_request', `the body is not valid ${compression}`, { cause: error });
  }
}

type Decompressor = (body: Uint8Array, maxBytes: number) => Uint8Array | Promise<Uint8Array>;

const decompressors: Record<Compression, Decompressor> = {
  identity: (body) => body,
  gzip: (body, maxOutputLength) => gunzipSync(body, { maxOutputLength }),
  deflate: (body, maxOutputLength) =>
    hasZlibHeader(body)
      ? inflateSync(body, { maxOutputLength })
      : inflateRawSync(body, { maxOutputLength }),
  zstd: zstd,
  snappy: (body, maxBytes) =>
    isFramed(body) ? framedSnappy(body, maxBytes) : plainSnappy(body, maxBytes),
};

/** HTTP's deflate has zlib's header; some senders leave it out. */
function hasZlibHeader(body: Uint8Array): boolean {
  const [first = 0, second = 0] = body;
  return (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0;
}

type ZstdSync = (body: Uint8Array, options: { maxOutputLength: number }) => Buffer;

/** Node has zstd from 22.15 on. */
const nodeZstd = (zlib as unknown as { zstdDecompressSync?: ZstdSync }).zstdDecompressSync;

let zstdReady: Promise<void> | undefined;

async function zstd(body: Uint8Array, maxBytes: number): Promise<Uint8Array> {
  if (nodeZstd) {
    return nodeZstd(body, { maxOutputLength: maxBytes });
  }
  // The package believes the size that the frame claims, and allocates it.
  const size = zstdContentSize(body);
  if (size !== undefined && size > maxBytes) {
    throw inflatesTooFar(maxBytes);
  }
  await (zstdReady ??= zstdInit());
  try {
    return zstdDecompress(body, { defaultHeapSize: maxBytes });
  } catch (error) {
    throw String(error).includes(zstdOutputTooSmall) ? inflatesTooFar(maxBytes) : error;
  }
}

/** The library's error for an output beyond the buffer. */
const zstdOutputTooSmall = '-70';
const zstdMagic = 0xfd2fb528;

/** The size that the header of the first frame claims (RFC 8878), if it has one. */
export function zstdContentSize(body: Uint8Array): number | undefined {
  const header = Buffer.alloc(18);
  header.set(body.subarray(0, header.length));
  if (header.readUInt32LE(0) !== zstdMagic) {
    return undefined;
  }
  const descriptor = header[4]!;
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 3]!;
  const start = 5 + (isSingleSegment ? 0 : 1) + dictionaryBytes;
  switch (descriptor >> 6) {
    case 0:
      return isSingleSegment ? header[start] : undefined;
    case 1:
      return header.readUInt16LE(start) + 256;
    case 2:
      return header.readUInt32LE(start);
    default:
      return Number(header.readBigUInt64LE(start));
  }
}

const snappyFrameStart = Buffer.from('\xff\x06\x00\x00sNaPpY', 'latin1');
const snappyPieceBytes = 64 * 1024;

function isFramed(body: Uint8Array): boolean {
  return snappyFrameStart.equals(body.subarray(0, snappyFrameStart.length));
}

async function framedSnappy(body: Uint8Array, maxBytes: number): Promise<Uint8Array> {
  const decompressor = new snappy.Decompressor();
  const parts: Buffer[] = [];
  let bytes = 0;
  const keep = (part: Buffer): void => {
    bytes += part.length;
    if (bytes > maxBytes) {
      throw inflatesTooFar(maxBytes);
    }
    parts.push(part);
  };
  for (let offset = 0; offset < body.length; offset += snappyPieceBytes) {
    keep(decompressor.update(body.subarray(offset, offset + snappyPieceBytes)));
  }
  keep(await decompressor.finish());
  return Buffer.concat(parts);
}

/** A block begins with its decompressed size. */
function plainSnappy(body: Uint8Array, maxBytes: number): Uint8Array {
  let size = 0;
  for (let index = 0; index < 5; index++) {
    const byte = body[index] ?? 0;
    size += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) {
      break;
    }
  }
  if (size > maxBytes) {
    throw inflatesTooFar(maxBytes);
  }
  return snappy.uncompressSync(body, { asBuffer: true }) as Buffer;
}

function inflatesTooFar(maxBytes: number): Fault {
  return new Fault(
    'payload_too_large',
    `the decompressed body is larger than ${maxBytes} bytes; send smaller batches`,
  );
}
