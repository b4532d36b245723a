import {
  Agent,
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Egress } from '../../../ports/egress.ts';
import { forwardRequest, ownHeaders, refuse, withoutHeaders } from './forward-request.ts';

/** A relay that nobody asked for or connected to this long is closed. */
const idleMs = 3_600_000;
const replacedHeaders: ReadonlySet<string> = new Set([...ownHeaders, 'host']);

interface Relay {
  server: Server;
  url: Promise<string>;
  usedAtMs: number;
}

/**
 * Stands on the loopback interface for services that the engine fetches from without asking its
 * proxy, one port for each. It connects to addresses that the guard answered, with the name of the
 * service in the request and in TLS, so that the engine never resolves the name itself.
 */
export class EgressRelay {
  readonly #egress: Pick<Egress, 'resolve'>;
  readonly #relays = new Map<string, Relay>();
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 256 });
  readonly #tlsAgent: HttpsAgent;
  readonly #sweep = setInterval(() => void this.#closeIdle(), 60_000).unref();

  /** `ca`: the authority of the services' certificates, if it is not one that Node knows. */
  constructor(egress: Pick<Egress, 'resolve'>, ca?: string) {
    this.#egress = egress;
    this.#tlsAgent = new HttpsAgent({
      keepAlive: true,
      maxSockets: 256,
      ...(ca !== undefined && { ca }),
    });
  }

  /** The origin to give the engine in place of `origin`, such as `https://host:8443`. */
  originFor(origin: string): Promise<string> {
    const known = this.#relays.get(origin);
    if (known) {
      known.usedAtMs = performance.now();
      return known.url;
    }
    const service = new URL(origin);
    const server = createServer(
      { keepAliveTimeout: 60_000, requestTimeout: 0 },
      (request, response) => void this.#forward(service, request, response),
    );
    const url = new Promise<string>((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, '127.0.0.1', () =>
        resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
      );
    });
    // The engine keeps the process, not its relays.
    server.unref();
    this.#relays.set(origin, { server, url, usedAtMs: performance.now() });
    return url;
  }

  close(): void {
    clearInterval(this.#sweep);
    for (const { server } of this.#relays.values()) {
      server.close();
      server.closeAllConnections();
    }
    this.#relays.clear();
    this.#agent.destroy();
    this.#tlsAgent.destroy();
  }

  async #forward(service: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '';
    if (!path.startsWith('/')) {
      return void response.writeHead(400).end();
    }
    const name = service.hostname.replace(/^\[(.*)\]$/, '$1');
    const withTls = service.protocol === 'https:';
    const address = await this.#egress.resolve(name).catch((error: unknown) => {
      refuse(response, error);
    });
    if (!address) {
      return;
    }
    forwardRequest(request, response, {
      agent: withTls ? this.#tlsAgent : this.#agent,
      host: address[0].address,
      port: Number(service.port || (withTls ? 443 : 80)),
      path,
      headers: ['Host', service.host, ...withoutHeaders(request.rawHeaders, replacedHeaders)],
      ...(withTls && { certificateName: name }),
    });
  }

  async #closeIdle(): Promise<void> {
    for (const [origin, relay] of this.#relays) {
      const connections = await new Promise<number>((resolve) =>
        relay.server.getConnections((_, count) => resolve(count)),
      );
      if (connections > 0) {
        relay.usedAtMs = performance.now();
      } else if (performance.now() - relay.usedAtMs > idleMs) {
        this.#relays.delete(origin);
        relay.server.close();
      }
    }
  }
}
