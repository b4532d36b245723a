import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Registry } from 'prom-client';
import type { Clock, Log } from '../ports/ambient.ts';
import { jsonType } from './answer.ts';
import type { Site } from './ui/site.ts';

export interface HealthOptions {
  version: string;
  /** What has to answer before traffic makes sense, by the name that `/ready` reports. */
  checks: Readonly<Record<string, () => Promise<void>>>;
  /** Figures that `/ready` shows besides, such as lost parts; nothing is shown of zeros. */
  details?: () => Readonly<Record<string, number>>;
  /** Absent: `/metrics` is not served here. */
  metrics?: Registry | undefined;
  /** The web interface, which has a screen at `/health`. */
  site?: Site | undefined;
  clock: Clock;
  log: Log;
}

const checkTimeoutMs = 3000;
const freshMs = 1000;

/** `/health`, `/ready` and `/metrics`: without authentication, for orchestrators and Prometheus. */
export function healthRoutes(app: FastifyInstance, options: HealthOptions): void {
  const health = JSON.stringify({ status: 'ok', version: options.version });
  const { site } = options;
  app.get('/health', (request, reply) => {
    if (site) {
      reply.header('vary', 'Accept');
    }
    if (site && isForPerson(request)) {
      site.answer(request, reply, '/health');
      return reply;
    }
    return reply.header('content-type', jsonType).send(health);
  });

  const ready = readiness(options);
  app.get('/ready', async (_request, reply) => {
    const failing = await ready();
    if (failing.length > 0) {
      reply.code(503).header('retry-after', '5');
    }
    return reply.header('content-type', jsonType).send(
      JSON.stringify({
        ...(failing.length === 0 ? { status: 'ready' } : { status: 'unavailable', failing }),
        ...nonzero(options.details?.() ?? {}),
      }),
    );
  });

  const { metrics } = options;
  if (metrics) {
    app.get('/metrics', async (_request, reply) =>
      reply.header('content-type', metrics.contentType).send(await metrics.metrics()),
    );
  }
}

/** A browser that loads a page asks for HTML; probes ask for anything. */
const isForPerson = ({ headers }: FastifyRequest): boolean =>
  headers.accept?.includes('text/html') === true;

const nonzero = (figures: Readonly<Record<string, number>>): object =>
  Object.fromEntries(Object.entries(figures).filter(([, figure]) => figure > 0));

/**
 * Names of what does not answer. Many askers share one answer for a second: the endpoint is open to
 * everybody.
 */
function readiness({ checks, clock, log }: HealthOptions): () => Promise<string[]> {
  let answer: Promise<string[]> | undefined;
  let askedAtMs = 0;

  const ask = async (): Promise<string[]> => {
    const answers = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => {
        try {
          await withDeadline(check(), checkTimeoutMs);
          return [];
        } catch (error) {
          log.warn({ err: error, check: name }, 'not ready');
          return [name];
        }
      }),
    );
    return answers.flat();
  };

  return () => {
    const now = clock.now();
    if (answer && Math.abs(now - askedAtMs) < freshMs) {
      return answer;
    }
    askedAtMs = now;
    answer = ask();
    return answer;
  };
}

async function withDeadline(work: Promise<void>, timeoutMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
  });
  try {
    await Promise.race([work, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
