import { Agent as PlainAgent } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import { connect as connectTcp, isIP, type LookupFunction, type NetConnectOpts } from 'node:net';
import { checkServerIdentity, connect as connectTls, type ConnectionOptions } from 'node:tls';
import type { Duplex } from 'node:stream';
import type { Egress } from '../../ports/egress.ts';

/** Never an address: a socket asks its look-up for names only, and each of ours must ask. */
const guardedName = 'guarded.invalid';
const socketsMax = 256;

export interface GuardedAgents {
  httpAgent: PlainAgent;
  httpsAgent: TlsAgent;
}

/** Agents whose every connection goes to an address that the guard answered, whatever the name stands for a moment later. */
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
    const identity = {
      ...(isIP(host) === 0 ? { servername: host } : {}),
      checkServerIdentity: (_: string, certificate: Parameters<typeof checkServerIdentity>[1]) =>
        checkServerIdentity(host, certificate),
    };
    return connectTls({
      ...options,
      host: guardedName,
      lookup: guardedLookup(this.#egress, host),
      ...identity,
    });
  }
}

function guardedLookup(egress: Egress, host: string): LookupFunction {
  return (_name, options, answer) => {
    void resolveInto(egress, host, options.all === true, answer);
  };
}

async function resolveInto(
  egress: Egress,
  host: string,
  all: boolean,
  answer: Parameters<LookupFunction>[2],
): Promise<void> {
  try {
    const addresses = await egress.resolve(host);
    if (all) {
      answer(
        null,
        addresses.map(({ address, family }) => ({ address, family })),
      );
    } else {
      answer(null, addresses[0].address, addresses[0].family);
    }
  } catch (error) {
    answer(error as NodeJS.ErrnoException, []);
  }
}
