import type { FastifyInstance } from 'fastify';
import { Histogram, type Registry } from 'prom-client';

/** Duration of every request, by method, route (never the path with its ids) and status. */
export function measureRequests(app: FastifyInstance, registry: Registry): void {
  const durations = new Histogram({
    name: 'sightline_http_request_duration_seconds',
    help: 'Duration of API requests',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  });
  app.addHook('onResponse', (request, reply, done) => {
    durations.observe({ method: request.method, route: request.routeOptions.url ?? 'unknown', status: reply.statusCode }, reply.elapsedTime / 1000);
    done();
  });
}
