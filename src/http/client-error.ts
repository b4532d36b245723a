import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Fault } from '../contract/errors.ts';
import { jsonType, standingHeaders } from './answer.ts';
import { statusOf } from './request-fault.ts';
import { isUnder, surfaceOf, type Surface } from './surface.ts';
import { largeRequestPage } from './ui/large-request.ts';
import type { UnknownRoute } from './unknown-route.ts';

const known: Record<string, { status: number; message: string }> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: 'the headers are larger than 16 KiB' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'the request was not complete in time' },
};

/** Connections that got their answer, and may still send what is left of their request. */
const answered = new WeakSet<Socket>();
/** After an answer: the longest pause of the client, and the most bytes of the connection. */
const lingerMs = 5000;
const lingerBytes = 4 * 1024 * 1024;

interface Listener {
  surfaces: readonly [Surface, ...Surface[]];
  unknown: UnknownRoute;
  /** Whether people open pages here. */
  hasPages: boolean;
}

/**
 * Answers what never became a whole request: the HTTP parser refused it, or it did not arrive in
 * time. Node gives us no request then, so whose envelope it gets goes by what is known of the path:
 * that of the request whose body broke off, or the request line where it is in the packet that was
 * refused. Headers that grow too large over several packets, or never end, leave no path: the first
 * surface answers, and where people open pages, a page.
 */
export function answerClientError(
  error: Error & { code?: string; rawPacket?: unknown },
  socket: Socket,
  listener: Listener,
): void {
  if (answered.has(socket) && socket.bytesRead < lingerBytes) {
    // Closing now would reset the connection, and the client might lose the answer.
    return;
  }
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  answered.add(socket);
  socket.setTimeout(lingerMs, () => socket.destroy());
  socket.end(answerText(error, socket, listener));
}

function answerText(
  error: Error & { code?: string; rawPacket?: unknown },
  socket: Socket,
  { surfaces, unknown, hasPages }: Listener,
): string {
  const requestId = randomUUID();
  const line = requestLine(error.rawPacket);
  const path = pathUnderWay(socket) ?? line?.path ?? '';
  const { status, fault, allow } = answerTo(error.code ?? '', line, unknown);
  const isApi = surfaces.some(({ basePath }) => isUnder(basePath, path));
  const page = hasPages && status === 431 && !isApi ? largeRequestPage : undefined;
  const surface = surfaceOf(surfaces, path);
  const body = page?.body ?? JSON.stringify(surface.error(fault, { status, requestId, path }));
  const headers = {
    ...standingHeaders,
    ...(allow !== undefined && { allow }),
    'x-request-id': requestId,
    'content-type': jsonType,
    ...page?.headers,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  };
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n${body}`;
}

/** Node keeps the answer under way at the socket; nothing public leads from one to the other. */
function pathUnderWay(
  socket: Socket & { _httpMessage?: ServerResponse | null },
): string | undefined {
  return socket._httpMessage?.req?.url?.split('?', 1)[0];
}

interface RequestLine {
  method: string;
  path: string;
}

function requestLine(packet: unknown): RequestLine | undefined {
  const [, method, path] =
    (Buffer.isBuffer(packet) &&
      /^([!#$%&'*+.^`|~\w-]+) (\/[^ ?]*)/.exec(packet.toString('latin1', 0, 2048))) ||
    [];
  return method === undefined || path === undefined ? undefined : { method, path };
}

/** A method that the parser does not know is answered like one that the path does not have. */
function answerTo(
  code: string,
  line: RequestLine | undefined,
  unknown: UnknownRoute,
): { status: number; fault: Fault; allow?: string } {
  if (code === 'HPE_INVALID_METHOD' && line) {
    const { fault, ...rest } = unknown(line.method, line.path);
    return { status: statusOf(fault), fault, ...rest };
  }
  const { status, message } = known[code] ?? {
    status: 400,
    message: 'this is not a valid HTTP request',
  };
  return { status, fault: new Fault('bad_request', message) };
}
