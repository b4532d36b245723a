import { Agent as PlainAgent } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import { connect as connectTcp, type NetConnectOpts } from 'node:net';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';
import type { Duplex } from 'node:stream';
import type { Egress } from '../../ports/egress.ts';
import { guardedLookup, guardedName, tlsIdentity } from './guarded-lookup.ts';

const socketsMax = 256;

export interface GuardedAgents {
  httpAgent: PlainAgent;
  httpsAgent: TlsAgent;
}

/**
 * HTTP agents that connect only to addresses which the egress guard allows. The guard checks each
 * connection, so a DNS change between two connections cannot lead to another address.
 */
export function guardedAgents(egress: Egress): GuardedAgents {
  return { httpAgent: new GuardedPlainAgent(egress), httpsAgent: new GuardedTlsAgent(egress) };
}

class GuardedPlainAgent extends PlainAgent {
  readonly #egress: Egress;

  constructor(egress: Egress) {
    super({ keepAlive: true, maxSockets: socketsMax });
    this.#egress = egress;
  }

  override createConnection(options: NetConnectOpts & { host?: string }): Duplex {
    return connectTcp({
      ...options,
      host: guardedName,
      lookup: guardedLookup(this.#egress, options.host ?? ''),
    } as NetConnectOpts);
  }
}

class GuardedTlsAgent extends TlsAgent {
  readonly #egress: Egress;

  constructor(egress: Egress) {
    super({ keepAlive: true, maxSockets: socketsMax });
    this.#egress = egress;
  }

  override createConnection(options: ConnectionOptions): Duplex {
    const host = options.host ?? '';
    return connectTls({
      ...options,
      host: guardedName,
      lookup: guardedLookup(this.#egress, host),
      ...tlsIdentity(host),
    });
  }
}
