import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Receiver {
  url: string;
  stop(): Promise<void>;
}

/**
 * A webhook receiver on this machine that says what arrives, so that the demo's alert has somewhere
 * to go.
 */
export async function startReceiver(say: (line: string) => void): Promise<Receiver> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      say(
        `webhook ${String(request.headers['webhook-id'] ?? 'without id')}: ` +
          `${Buffer.concat(chunks).toString('utf8').slice(0, 2000)}`,
      );
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
