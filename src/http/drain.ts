import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import type { FastifyInstance } from 'fastify';

export interface Drain {
  /** Stops accepting connections, lets accepted requests finish, then closes; never longer than `deadlineMs`. */
  stop(deadlineMs: number): Promise<void>;
}

/** How long an open connection must have been quiet before it is taken to have no request under way. */
const quietMs = 250;

/**
 * Counts requests so that stopping drops none. Open connections are told `Connection: close` with their next answer and are closed only
 * after they were quiet for a moment: a request that was on the wire when the stop began still gets its answer.
 */
export function drain(app: FastifyInstance): Drain {
  const server = app.server as Server;
  const load = { underWay: 0, lastActivityMs: 0, stopping: false };

  server.prependListener('request', (_request, response) => {
    load.underWay++;
    load.lastActivityMs = performance.now();
    if (load.stopping) response.setHeader('connection', 'close');
    response.once('close', () => { load.underWay--; load.lastActivityMs = performance.now(); });
  });

  return {
    async stop(deadlineMs) {
      const startedMs = performance.now();
      load.stopping = true;
      load.lastActivityMs = startedMs;
      // The listener alone: http.Server.close would at once cut connections that look idle to it.
      if (server.listening) NetServer.prototype.close.call(server);
      while (load.underWay > 0 || performance.now() - load.lastActivityMs < quietMs) {
        if (performance.now() - startedMs > deadlineMs) break;
        await new Promise((resolve) => { setTimeout(resolve, 20); });
      }
      server.closeIdleConnections();
      const forced = setTimeout(() => server.closeAllConnections(), Math.max(0, deadlineMs - (performance.now() - startedMs)));
      if (load.underWay > 0) server.closeAllConnections();
      await app.close();
      clearTimeout(forced);
    },
  };
}
