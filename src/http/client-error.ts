import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Fault } from '../contract/errors.ts';
import { jsonType, standingHeaders } from './answer.ts';
import { surfaceOf, type Surface } from './surface.ts';

const known: Record<string, { status: number; message: string }> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: 'the headers are larger than 16 KiB' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'the request was not complete in time' },
};

/**
 * Answers what never became a whole request: the HTTP parser refused it, or it did not arrive in
 * time. Node gives us no request then, so whose envelope it gets goes by what is known of the path:
 * that of the request whose body broke off, or the request line where it is in the packet that was
 * refused. Headers that grow too large over several packets, or never end, leave no path: the first
 * surface answers.
 */
export function answerClientError(
  error: Error & { code?: string; rawPacket?: unknown },
  socket: Socket,
  surfaces: readonly [Surface, ...Surface[]],
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, message } = known[error.code ?? ''] ?? {
    status: 400,
    message: 'this is not a valid HTTP request',
  };
  const requestId = randomUUID();
  const path = pathUnderWay(socket) ?? requestLinePath(error.rawPacket) ?? '';
  const surface = surfaceOf(surfaces, path);
  const body = JSON.stringify(
    surface.error(new Fault('bad_request', message), { status, requestId, path }),
  );
  const headers = {
    ...standingHeaders,
    'x-request-id': requestId,
    'content-type': jsonType,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  };
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')}\r\n${body}`,
  );
}

/** Node keeps the answer under way at the socket; nothing public leads from one to the other. */
function pathUnderWay(
  socket: Socket & { _httpMessage?: ServerResponse | null },
): string | undefined {
  return socket._httpMessage?.req?.url?.split('?', 1)[0];
}

function requestLinePath(packet: unknown): string | undefined {
  return Buffer.isBuffer(packet)
    ? /^[A-Z]+ (\/[^ ?]*)/.exec(packet.toString('latin1', 0, 2048))?.[1]
    : undefined;
}
