import {
  request as httpRequest,
  type Agent,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { request as httpsRequest, type Agent as HttpsAgent } from 'node:https';
import { isIP } from 'node:net';
import { pipeline } from 'node:stream';
import { EgressRefused } from '../../../ports/egress.ts';

/**
 * The engine's error about an answer with this status holds the number. No object service gives it:
 * it is for whoever asks the wrong server.
 */
export const refusedStatus = 421;

export const connectTimeoutMs = 5000;

/** Belong to one connection, not to the request or the answer. */
export const ownHeaders: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authorization',
  'proxy-authenticate',
  'te',
  'trailer',
  'upgrade',
]);

export interface ForwardTarget {
  agent: Agent | HttpsAgent;
  /** The address to connect to. */
  host: string;
  port: number;
  path: string;
  /** Names and values in turn. */
  headers: string[];
  /** The name in the certificate, if the connection has TLS. */
  certificateName?: string;
}

/** Sends a request on, and its answer back, to the letter. */
export function forwardRequest(
  request: IncomingMessage,
  response: ServerResponse,
  { certificateName, ...target }: ForwardTarget,
): void {
  const options = {
    ...target,
    method: request.method,
    setHost: false,
    timeout: connectTimeoutMs,
  };
  const onward =
    certificateName === undefined
      ? httpRequest(options)
      : httpsRequest({
          ...options,
          // An address has no server name: the certificate has to name the address.
          servername: isIP(certificateName) === 0 ? certificateName : '',
        });
  // Of the connection only; how long an answer may take, the engine says.
  onward.once('socket', (socket) => {
    if (socket.connecting) {
      socket.once('connect', () => onward.setTimeout(0));
    } else {
      onward.setTimeout(0);
    }
  });
  onward.once('timeout', () => onward.destroy(new Error('connection timed out')));
  onward.once('response', (answer) => {
    response.writeHead(
      answer.statusCode ?? 502,
      answer.statusMessage,
      withoutHeaders(answer.rawHeaders, ownHeaders),
    );
    // An answer that breaks off must not look whole.
    pipeline(answer, response, () => undefined);
  });
  onward.once('error', () => {
    if (response.headersSent) {
      response.destroy();
    } else {
      response.writeHead(502).end();
    }
  });
  response.once('close', () => onward.destroy());
  request.pipe(onward);
}

/** Answers a request whose target may not be reached. A client of Azure reads the error's name. */
export function refuse(response: ServerResponse, error: unknown): void {
  if (error instanceof EgressRefused) {
    response
      .writeHead(refusedStatus, 'EgressRefused', { 'x-ms-error-code': 'EgressRefused' })
      .end('connections to this address are not allowed');
  } else {
    response.writeHead(502).end();
  }
}

/** Names and values in turn, as they stood. */
export function withoutHeaders(raw: readonly string[], names: ReadonlySet<string>): string[] {
  return raw.filter((_, index) => !names.has(raw[index - (index % 2)]!.toLowerCase()));
}
