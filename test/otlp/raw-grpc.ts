import { connect, type ClientHttp2Session, type IncomingHttpHeaders } from 'node:http2';
import { key } from './kit.ts';

export interface RawGrpcCall {
  service?: 'logs' | 'trace' | 'metrics';
  /** The bytes of the message, compressed if `encoding` is set. */
  message: Uint8Array;
  /** grpc-encoding. */
  encoding?: string;
  headers?: Record<string, string>;
}

export interface RawGrpcAnswer {
  /** grpc-status; undefined if the stream ended without one. */
  code: number | undefined;
  headers: IncomingHttpHeaders;
  trailers: IncomingHttpHeaders;
  message: Buffer;
}

/** Export over gRPC by hand, for what client libraries cannot send. */
export class RawGrpc {
  readonly session: ClientHttp2Session;

  constructor(url: string) {
    this.session = connect(url);
    this.session.on('error', () => undefined);
  }

  call({ service = 'logs', message, encoding, headers }: RawGrpcCall): {
    answer: Promise<RawGrpcAnswer>;
    cancel(): void;
  } {
    const name = `${service[0]!.toUpperCase()}${service.slice(1)}Service`;
    const stream = this.session.request({
      ':method': 'POST',
      ':path': `/opentelemetry.proto.collector.${service}.v1.${name}/Export`,
      'content-type': 'application/grpc',
      te: 'trailers',
      authorization: key,
      ...(encoding !== undefined && { 'grpc-encoding': encoding }),
      ...headers,
    });
    const answer = new Promise<RawGrpcAnswer>((resolve) => {
      const chunks: Buffer[] = [];
      let first: IncomingHttpHeaders = {};
      let last: IncomingHttpHeaders = {};
      stream
        .on('response', (received) => (first = received))
        .on('trailers', (received) => (last = received))
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('error', () => undefined)
        .on('close', () => {
          const status = last['grpc-status'] ?? first['grpc-status'];
          resolve({
            code: status === undefined ? undefined : Number(status),
            headers: first,
            trailers: last,
            message: Buffer.concat(chunks).subarray(5),
          });
        });
    });
    stream.end(frame(message, encoding !== undefined));
    return { answer, cancel: () => stream.close(8) };
  }

  close(): void {
    this.session.close();
  }
}

function frame(message: Uint8Array, isCompressed: boolean): Buffer {
  const bytes = Buffer.alloc(5 + message.length);
  bytes[0] = isCompressed ? 1 : 0;
  bytes.writeUInt32BE(message.length, 1);
  bytes.set(message, 5);
  return bytes;
}
