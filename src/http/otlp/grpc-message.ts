import type { ServerHttp2Stream } from 'node:http2';
import { joined, type HeldBytes } from './request-body.ts';

/** The status a call ends with, unless it succeeds. */
export class GrpcStatus extends Error {
  readonly code: number;
  readonly trailers: Record<string, string>;

  constructor(code: number, message: string, trailers: Record<string, string> = {}) {
    super(message);
    this.code = code;
    this.trailers = trailers;
  }
}

export interface MessageLimits {
  /** Of one message, as it is sent. */
  maxMessageBytes: number;
}

const prefixBytes = 5;

/**
 * Reads the only message of a unary call: a byte that says whether it is compressed, its length, and
 * its bytes. @throws GrpcStatus, or the Fault of the budget.
 */
export function readMessage(
  stream: ServerHttp2Stream,
  { maxMessageBytes }: MessageLimits,
  held: HeldBytes,
): Promise<{ bytes: Buffer; isCompressed: boolean }> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const stop = (error: unknown): void => {
      stream.off('data', onData).off('end', onEnd);
      chunks.length = 0;
      reject(error);
    };
    const onData = (chunk: Buffer): void => {
      bytes += chunk.length;
      chunks.push(chunk);
      try {
        held.take(chunk.length);
        if (bytes >= prefixBytes) {
          checkLength(lengthOf(chunks), bytes - prefixBytes, maxMessageBytes);
        }
      } catch (error) {
        stop(error);
      }
    };
    const onEnd = (): void => {
      const isWhole = bytes >= prefixBytes && lengthOf(chunks) === bytes - prefixBytes;
      const [first, ...others] = chunks;
      if (!first || !isWhole) {
        stop(new GrpcStatus(13, 'the message is cut short'));
        return;
      }
      const isCompressed = first[0] === 1;
      resolve({ bytes: joined([first.subarray(prefixBytes), ...others]), isCompressed });
    };
    stream.on('data', onData).once('end', onEnd);
  });
}

/** The length in the prefix, which can be spread over several chunks. */
function lengthOf(chunks: Buffer[]): number {
  const [first] = chunks;
  if (first && first.length >= prefixBytes) {
    return first.readUInt32BE(1);
  }
  const joined = Buffer.concat(chunks);
  chunks.splice(0, chunks.length, joined);
  return joined.readUInt32BE(1);
}

function checkLength(length: number, received: number, maxBytes: number): void {
  if (length > maxBytes) {
    throw new GrpcStatus(8, `the message is larger than ${maxBytes} bytes; send smaller batches`);
  }
  if (received > length) {
    throw new GrpcStatus(13, 'the call has more than one message');
  }
}
