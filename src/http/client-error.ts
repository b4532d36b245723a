import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { Fault } from '../contract/errors.ts';
import { jsonType, standingHeaders } from './answer.ts';
import { surfaceOf, type Surface } from './surface.ts';

const known: Record<string, { status: number; message: string }> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: 'the headers are larger than 16 KiB' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'the request was not complete in time' },
};

/** Answers what never became a request: the HTTP parser refused it, or it did not arrive in time. */
export function answerClientError(error: Error & { code?: string; rawPacket?: unknown }, socket: Socket, surfaces: readonly [Surface, ...Surface[]]): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, message } = known[error.code ?? ''] ?? { status: 400, message: 'this is not a valid HTTP request' };
  const requestId = randomUUID();
  const path = Buffer.isBuffer(error.rawPacket) ? /^[A-Z]+ (\/[^ ?]*)/.exec(error.rawPacket.toString('latin1', 0, 2048))?.[1] ?? '' : '';
  const surface = surfaceOf(surfaces, path);
  const body = JSON.stringify(surface.error(new Fault('bad_request', message), { status, requestId, path }));
  const headers = { ...standingHeaders, 'x-request-id': requestId, 'content-type': jsonType, 'content-length': String(Buffer.byteLength(body)), connection: 'close' };
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`);
}
