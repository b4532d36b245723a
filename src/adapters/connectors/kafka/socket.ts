import { isIP, connect as connectTcp, type LookupFunction, type Socket } from 'node:net';
import { checkServerIdentity, connect as connectTls, type ConnectionOptions } from 'node:tls';
import type { Egress } from '../../../ports/egress.ts';
import type { FramePool } from './frame-pool.ts';
import { FrameReader } from './frame-reader.ts';

/** A look-up that answers only addresses that may be reached. `host` is asked for whatever name the socket was given. */
export function guardedLookup(egress: Egress, host: string): LookupFunction {
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
    const [first, ...rest] = await egress.resolve(host);
    if (all) {
      answer(
        null,
        [first, ...rest].map(({ address, family }) => ({ address, family })),
      );
    } else {
      answer(null, first.address, first.family);
    }
  } catch (error) {
    answer(error as NodeJS.ErrnoException, []);
  }
}

/** Never an address: a socket asks its look-up for names only, and each of ours must ask. */
export const guardedName = 'guarded.invalid';

/** Options for TLS to `host` over a socket that was given `guardedName`: the certificate must be the host's. */
export function tlsIdentity(
  host: string,
): Pick<ConnectionOptions, 'servername' | 'checkServerIdentity'> {
  return {
    ...(isIP(host) === 0 ? { servername: host } : {}),
    checkServerIdentity: (_name, certificate) => checkServerIdentity(host, certificate),
  };
}

/** A socket to a broker, in clear or over TLS, to an address that the guard answered. Each `data` event is one answer, whole, in memory of the pool where it is large. */
export function openSocket(
  egress: Egress,
  memory: FramePool,
  {
    host,
    port,
    ssl,
    onConnect,
  }: { host: string; port: number; ssl: ConnectionOptions; onConnect: () => void },
): Socket {
  const frames = new FrameReader(
    memory,
    (frame) => {
      socket.emit('data', frame);
    },
    (reason) => {
      socket.destroy(reason);
    },
  );
  const onread = { buffer: () => frames.space(), callback: (bytes: number) => frames.read(bytes) };
  const target = { host: guardedName, port, lookup: guardedLookup(egress, host), onread };
  const socket: Socket = (ssl as ConnectionOptions | undefined)
    ? connectTls({ ...ssl, ...target, ...tlsIdentity(host) }, onConnect)
    : connectTcp(target, onConnect);
  return socket.setKeepAlive(true, 60_000);
}
