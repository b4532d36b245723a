import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface TcpProxy {
  readonly port: number;
  /** Bytes passed on so far, both ways. */
  readonly bytes: number;
  /**
   * `pass` as a cable does; `refuse`: connections are cut and new ones closed at once; `swallow`:
   * connections stay, and nothing gets through, as with a cable pulled out.
   */
  set(mode: 'pass' | 'refuse' | 'swallow'): void;
  close(): Promise<void>;
}

/** Stands between a client and a server on this machine, and can be told to fail. */
export async function tcpProxy(targetPort: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let mode: 'pass' | 'refuse' | 'swallow' = 'pass';
  let bytes = 0;
  const relay = (from: Socket, to: Socket): void => {
    sockets.add(from);
    from.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (mode !== 'swallow' && !to.write(chunk)) {
        from.pause();
        to.once('drain', () => from.resume());
      }
    });
    from.on('error', () => undefined);
    from.on('close', () => {
      sockets.delete(from);
      if (mode !== 'swallow') {
        to.destroy();
      }
    });
  };
  const server = createServer((client) => {
    if (mode === 'refuse') {
      return void client.destroy();
    }
    const upstream = connect(targetPort, '127.0.0.1');
    relay(client, upstream);
    relay(upstream, client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    get bytes() {
      return bytes;
    },
    set(wanted) {
      // What was swallowed leaves a gap in the stream: such connections are of no use any more.
      const cut = wanted === 'refuse' || (wanted === 'pass' && mode === 'swallow');
      mode = wanted;
      if (cut) {
        for (const socket of sockets) {
          socket.destroy();
        }
      }
    },
    async close() {
      for (const socket of sockets) {
        socket.destroy();
      }
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
