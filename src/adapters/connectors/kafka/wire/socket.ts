import { connect as connectTcp, type Socket } from 'node:net';
import { addAbortSignal } from 'node:stream';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';
import type { Egress } from '../../../../ports/egress.ts';
import { guardedLookup, guardedName, tlsIdentity } from '../../guarded-lookup.ts';
import type { FramePool } from './frame-pool.ts';
import { FrameReader } from './frame-reader.ts';

/**
 * Opens a socket to a broker, in clear or over TLS, to an address that the egress guard allows.
 * Each `data` event carries one whole response. A large response lies in memory of the pool. Once
 * `closed` is aborted, sockets end at once.
 */
export function openSocket(
  egress: Egress,
  memory: FramePool,
  closed: AbortSignal,
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
  return addAbortSignal(closed, socket).setKeepAlive(true, 60_000);
}
