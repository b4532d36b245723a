import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';
import type { Log } from '../ports/ambient.ts';

export interface MetricsServer {
  listen(address: { host: string; port: number }): Promise<AddressInfo>;
  stop(): Promise<void>;
}

/**
 * `GET /metrics` (Prometheus text) alone on an address, for networks where scrapers must not reach
 * the API's port.
 */
export function createMetricsServer(metrics: Registry, log: Log): MetricsServer {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url?.split('?')[0] !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    metrics.metrics().then(
      (text) =>
        response
          .writeHead(200, { 'content-type': metrics.contentType, 'cache-control': 'no-store' })
          .end(text),
      (error: unknown) => {
        log.error({ err: error }, 'cannot collect metrics');
        response.writeHead(500).end();
      },
    );
  });
  return {
    listen: ({ host, port }) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host, () => resolve(server.address() as AddressInfo));
      }),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
