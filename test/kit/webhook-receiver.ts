import {
  createServer,
  type IncomingHttpHeaders,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  text: string;
  /** The body as JSON; undefined where it is none. */
  json: unknown;
  /** Of the clock that was given, else of the process. */
  atMs: number;
}

/**
 * What the receiver does with a request: a status, a reset, silence, or anything with the raw
 * response.
 */
export type Reaction =
  | number
  | 'reset'
  | 'hang'
  | 'drip'
  | { status: number; headers?: Record<string, string>; body?: string }
  | ((response: ServerResponse, request: Received) => void);

export interface WebhookReceiver {
  url: string;
  received: Received[];
  /** For all requests from now on. */
  react(reaction: Reaction): void;
  /** For the next requests, one each, then as before. */
  reactOnce(...reactions: Reaction[]): void;
  /** Resolves when so many have come. */
  waitFor(count: number, deadlineMs?: number): Promise<Received[]>;
  /** Nobody listens; `up` takes the same port again. */
  down(): Promise<void>;
  up(): Promise<void>;
  close(): Promise<void>;
}

/** A real HTTP receiver that keeps what it gets. */
export async function startWebhookReceiver(
  options: { tls?: { key: string; cert: string }; now?: () => number } = {},
): Promise<WebhookReceiver> {
  const now = options.now ?? Date.now;
  const received: Received[] = [];
  let reaction: Reaction = 200;
  const once: Reaction[] = [];
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      const entry: Received = {
        path: request.url ?? '',
        headers: request.headers,
        text,
        json: parsed(text),
        atMs: now(),
      };
      received.push(entry);
      act(once.shift() ?? reaction, response, entry);
    });
  };
  let server: Server;
  const sockets = new Set<Socket>();
  const listen = (port: number): Promise<number> =>
    new Promise((resolve, reject) => {
      server = options.tls ? createTlsServer(options.tls, listener) : createServer(listener);
      server.on('connection', (socket: Socket) => {
        sockets.add(socket);
        socket.on('close', () => sockets.delete(socket));
      });
      server.on('error', reject);
      server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
    });
  const down = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) {
        socket.destroy();
      }
    });
  const port = await listen(0);
  return {
    url: `${options.tls ? 'https' : 'http'}://127.0.0.1:${port}/hook`,
    received,
    react: (next) => {
      reaction = next;
    },
    reactOnce: (...next) => {
      once.push(...next);
    },
    async waitFor(count, deadlineMs = 10_000) {
      const until = Date.now() + deadlineMs;
      while (received.length < count) {
        if (Date.now() > until) {
          throw new Error(`${received.length} of ${count} requests came within ${deadlineMs} ms`);
        }
        await pause(5);
      }
      return received;
    },
    down,
    up: async () => void (await listen(port)),
    close: down,
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function act(reaction: Reaction, response: ServerResponse, request: Received): void {
  if (typeof reaction === 'function') {
    reaction(response, request);
  } else if (typeof reaction === 'number') {
    response.writeHead(reaction).end('ok');
  } else if (typeof reaction === 'object') {
    response.writeHead(reaction.status, reaction.headers).end(reaction.body ?? '');
  } else if (reaction === 'reset') {
    response.socket?.resetAndDestroy();
  } else if (reaction === 'drip') {
    drip(response);
  }
}

/** A byte now and then, without an end. */
function drip(response: ServerResponse): void {
  response.writeHead(200);
  const timer = setInterval(() => response.write('.'), 20);
  response.on('close', () => clearInterval(timer));
}
