import type { IncomingMessage } from 'node:http';
import { Fault } from '../../contract/errors.ts';
import { freeMemory } from '../../ports/free-memory.ts';
import type { Compression } from '../../core/otlp/received-request.ts';
import { compressionNamed, compressionNames } from './decompress.ts';

/** Memory that all requests together may hold while they are received. */
export class ByteBudget {
  private freeBytes: number;

  constructor(bytes: number) {
    this.freeBytes = bytes;
  }

  /** @throws Fault `rate_limited` if fewer bytes are free. */
  take(bytes: number): void {
    if (bytes > this.freeBytes) {
      throw new Fault('rate_limited', 'too many requests are being received; send again later', {
        retryAfterSeconds: 2,
      });
    }
    this.freeBytes -= bytes;
  }

  give(bytes: number): void {
    this.freeBytes += bytes;
  }
}

export interface BodyLimits {
  /** Bytes on the wire. */
  maxBodyBytes: number;
  /** Bytes after decompression. */
  maxInflatedBytes: number;
}

/**
 * Reads the body of a request, and hands it to `use`; its bytes count against the budget until `use`
 * is done.
 * @throws Fault `payload_too_large`, `unsupported_media_type`, `bad_request` or `rate_limited`. The
 * rest of a refused body is read and thrown away, so that the sender gets to see the answer.
 */
export async function withBody<T>(
  request: IncomingMessage,
  limits: BodyLimits,
  budget: ByteBudget,
  use: (body: Buffer, compression: Compression) => Promise<T>,
): Promise<T> {
  const compression = compressionNamed(request.headers['content-encoding'] ?? 'identity');
  if (!compression) {
    throw new Fault(
      'unsupported_media_type',
      `Content-Encoding must be one of ${compressionNames.join(', ')}, or absent`,
    );
  }
  if (Number(request.headers['content-length'] ?? 0) > limits.maxBodyBytes) {
    throw tooLarge(limits.maxBodyBytes);
  }
  const held = new HeldBytes(budget);
  try {
    return await use(await collect(request, limits.maxBodyBytes, held), compression);
  } finally {
    held.release();
  }
}

/** The bytes of the budget that one request holds. */
export class HeldBytes {
  private readonly budget: ByteBudget;
  private bytes = 0;

  constructor(budget: ByteBudget) {
    this.budget = budget;
  }

  take(bytes: number): void {
    this.budget.take(bytes);
    this.bytes += bytes;
  }

  release(): void {
    this.budget.give(this.bytes);
    this.bytes = 0;
  }
}

function collect(request: IncomingMessage, maxBytes: number, held: HeldBytes): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const settle = (error?: Error): void => {
      request.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose);
      // Without a listener, a late error of the socket would end the process.
      request.on('error', () => undefined).resume();
      if (error) {
        reject(error);
      } else {
        const [only, ...others] = chunks;
        resolve(only && others.length === 0 ? only : joined(chunks));
      }
    };
    const onData = (chunk: Buffer): void => {
      bytes += chunk.length;
      try {
        if (bytes > maxBytes) {
          throw tooLarge(maxBytes);
        }
        held.take(chunk.length);
        chunks.push(chunk);
      } catch (error) {
        settle(error as Fault);
      }
    };
    const onEnd = (): void => settle();
    const onError = (): void => settle(cutShort());
    const onClose = (): void => settle(cutShort());
    request.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose);
  });
}

/** Chunks in one piece, in memory of its own. Their own memory is freed. */
export function joined(chunks: readonly Buffer[]): Buffer {
  const piece = Buffer.concat(chunks);
  freeMemory(chunks.filter(({ buffer, length }) => buffer.byteLength === length));
  return piece;
}

export function tooLarge(maxBytes: number): Fault {
  return new Fault(
    'payload_too_large',
    `the body is larger than ${maxBytes} bytes; send smaller batches`,
  );
}

function cutShort(): Fault {
  return new Fault('bad_request', 'the client closed the connection before it sent the whole body');
}
