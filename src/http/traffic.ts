import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { RequestDurations } from './request-durations.ts';

export interface Traffic {
  /**
   * Stops accepting connections, lets accepted requests finish, then closes; never longer than
   * `deadlineMs`.
   */
  stop(deadlineMs: number): Promise<void>;
}

/**
 * How long an open connection must have been quiet before it is taken to have no request under way.
 */
const quietMs = 250;

const state = Symbol('traffic');

interface Response extends ServerResponse {
  [state]?: { startedMs: number; route: string };
}

/** Under which route the answer's duration counts; `unknown` for paths that are nobody's. */
export function countAs(response: ServerResponse, route: string): void {
  const kept = (response as Response)[state];
  if (kept) {
    kept.route = route;
  }
}

/**
 * Counts requests so that stopping drops none, and measures them. Open connections are told
 * `Connection: close` with their next answer and are closed only after they were quiet for a
 * moment: a request that was on the wire when the stop began still gets its answer. One listener
 * for both purposes, the same function for every response: this runs on every request.
 */
export function watchTraffic(
  app: FastifyInstance,
  durations: RequestDurations | undefined,
): Traffic {
  const server = app.server as Server;
  const load = { underWay: 0, lastActivityMs: 0, stopping: false };

  function ended(this: Response): void {
    const nowMs = performance.now();
    load.underWay--;
    load.lastActivityMs = nowMs;
    const { startedMs, route } = this[state] ?? { startedMs: nowMs, route: 'unknown' };
    durations?.observe(this.req.method ?? '', route, this.statusCode, (nowMs - startedMs) / 1000);
  }

  server.prependListener('request', (_request, response: Response) => {
    const nowMs = performance.now();
    load.underWay++;
    load.lastActivityMs = nowMs;
    response[state] = { startedMs: nowMs, route: 'unknown' };
    if (load.stopping) {
      response.setHeader('connection', 'close');
    }
    response.on('close', ended);
  });

  return {
    async stop(deadlineMs) {
      const startedMs = performance.now();
      load.stopping = true;
      load.lastActivityMs = startedMs;
      // The listener alone: http.Server.close would at once cut connections that look idle to it.
      if (server.listening) {
        NetServer.prototype.close.call(server);
      }
      while (load.underWay > 0 || performance.now() - load.lastActivityMs < quietMs) {
        if (performance.now() - startedMs > deadlineMs) {
          break;
        }
        await new Promise((resolve) => {
          setTimeout(resolve, 20);
        });
      }
      server.closeIdleConnections();
      const forced = setTimeout(
        () => server.closeAllConnections(),
        Math.max(0, deadlineMs - (performance.now() - startedMs)),
      );
      if (load.underWay > 0) {
        server.closeAllConnections();
      }
      await app.close();
      clearTimeout(forced);
    },
  };
}
