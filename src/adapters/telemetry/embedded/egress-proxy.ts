import {
  Agent,
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { EgressRefused, type Egress, type EgressAddress } from '../../../ports/egress.ts';
import {
  connectTimeoutMs,
  forwardRequest,
  ownHeaders,
  refuse,
  refusedStatus,
  withoutHeaders,
} from './forward-request.ts';

interface Target {
  host: string;
  port: number;
  /** As it was asked for, to the letter: the signature covers it. */
  path: string;
}

/**
 * A forward proxy for the embedded engine, on the loopback interface: it connects to addresses that
 * the guard answered, and to nothing else. So wherever a redirect or a changed name would lead the
 * engine, it comes no further than here.
 */
export class EgressProxy {
  readonly #egress: Pick<Egress, 'resolve'>;
  readonly #server: Server;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 256 });
  readonly #tunnels = new Set<Duplex>();

  private constructor(egress: Pick<Egress, 'resolve'>) {
    this.#egress = egress;
    this.#server = createServer(
      { keepAliveTimeout: 60_000, requestTimeout: 0 },
      (request, response) => void this.#forward(request, response),
    );
    this.#server.on(
      'connect',
      (request: IncomingMessage, socket: Duplex, head: Buffer) =>
        void this.#tunnel(request, socket, head),
    );
  }

  static async open(egress: Pick<Egress, 'resolve'>): Promise<EgressProxy> {
    const proxy = new EgressProxy(egress);
    await new Promise<void>((resolve, reject) => {
      proxy.#server.once('error', reject);
      proxy.#server.listen(0, '127.0.0.1', resolve);
    });
    // The engine keeps the process, not its proxy.
    proxy.#server.unref();
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
    this.#agent.destroy();
    for (const tunnel of this.#tunnels) {
      tunnel.destroy();
    }
  }

  /** Plain http: the request names the whole address. */
  async #forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const target = plainTarget(request.url ?? '', request.headers.host);
    if (!target) {
      return void response.writeHead(400).end();
    }
    const address = await this.#addressOf(target.host).catch((error: unknown) => {
      refuse(response, error);
    });
    if (!address) {
      return;
    }
    forwardRequest(request, response, {
      agent: this.#agent,
      host: address.address,
      port: target.port,
      path: target.path,
      headers: withoutHeaders(request.rawHeaders, ownHeaders),
    });
  }

  /** TLS: what goes through is between the engine and the service. */
  async #tunnel(request: IncomingMessage, near: Duplex, head: Buffer): Promise<void> {
    near.on('error', () => near.destroy());
    // The port is always there, and an IPv6 address has no brackets.
    const target = authorityTarget(
      (request.url ?? '').replace(/^([0-9a-f:.]*:[0-9a-f:.]*):(\d+)$/i, '[$1]:$2'),
      443,
    );
    if (!target) {
      return void near.end('HTTP/1.1 400 Bad Request\r\n\r\n');
    }
    try {
      const { address } = await this.#addressOf(target.host);
      const far = connect({ host: address, port: target.port });
      this.#join(near, far, head);
    } catch (error) {
      near.end(
        error instanceof EgressRefused
          ? `HTTP/1.1 ${refusedStatus} Egress refused\r\n\r\n`
          : 'HTTP/1.1 502 Bad Gateway\r\n\r\n',
      );
    }
  }

  #join(near: Duplex, far: Socket, head: Buffer): void {
    this.#tunnels.add(near);
    let open = false;
    far.setTimeout(connectTimeoutMs, () => far.destroy(new Error('connection timed out')));
    far.once('connect', () => {
      open = true;
      far.setTimeout(0);
      near.write('HTTP/1.1 200 Connection established\r\n\r\n');
      if (head.length > 0) {
        far.write(head);
      }
      near.pipe(far).pipe(near);
    });
    far.once('error', () => {
      if (open) {
        near.destroy();
      } else {
        near.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
      }
    });
    far.once('close', () => {
      if (open) {
        near.destroy();
      }
    });
    near.once('close', () => {
      far.destroy();
      this.#tunnels.delete(near);
    });
  }

  async #addressOf(host: string): Promise<EgressAddress> {
    const [first] = await this.#egress.resolve(host);
    return first;
  }
}

/**
 * The engine writes an IPv6 address without brackets here, so that it cannot be told from its port;
 * in the header it has them.
 */
function plainTarget(url: string, hostHeader: string | undefined): Target | undefined {
  const [, authority = '', path = ''] = /^http:\/\/([^/?#]+)(.*)$/is.exec(url) ?? [];
  const target = authorityTarget(
    /^[^[]*:[^[]*:/.test(authority) ? (hostHeader ?? '') : authority,
    80,
  );
  return target && { ...target, path: path.startsWith('/') ? path : `/${path}` };
}

/** `host:port`, and no user name. */
function authorityTarget(authority: string, port: number): Target | undefined {
  const [, host, given] = /^(\[[0-9a-f:.]+\]|[^\s:@[\]\\]+)(?::(\d{1,5}))?$/i.exec(authority) ?? [];
  return host === undefined
    ? undefined
    : { host, port: given === undefined ? port : Number(given), path: '/' };
}
