import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { Client } from 'pg';
import { expect, it } from 'vitest';
import { frame } from './frame-reader.ts';
import { RawConnection } from './raw-connection.ts';
import { openReceiver } from './receiver.ts';

const rows = 2000;
const rowBytes = 8 * 1024;

/** A server that sends this to its first client as fast as it can. */
async function serve(bytes: Buffer): Promise<{ port: number; close(): void }> {
  const server = createServer((socket) => {
    socket.write(bytes);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { port, close: () => server.close() };
}

it('lets other work have its turn after each piece that it receives', async () => {
  const message = Buffer.alloc(1 + rowBytes, 7);
  message[0] = frame.copyData;
  message.writeInt32BE(rowBytes, 1);
  const server = await serve(Buffer.concat(Array.from({ length: rows }, () => message)));
  const receiver = openReceiver();
  const raw = new RawConnection(new Client({ stream: () => receiver.socket }), receiver);
  receiver.socket.connect(server.port, '127.0.0.1');
  const pieces = { sinceTurn: 0, most: 0 };
  let turn = setImmediate(function next() {
    pieces.sinceTurn = 0;
    turn = setImmediate(next);
  });
  for (let received = 0; received < rows;) {
    await raw.more();
    pieces.most = Math.max(pieces.most, ++pieces.sinceTurn);
    while (raw.frames.next()) {
      expect(raw.frames.end - raw.frames.start).toBe(rowBytes - 4);
      received++;
    }
  }
  clearImmediate(turn);
  raw.close();
  server.close();
  expect(pieces.most).toBe(1);
});
