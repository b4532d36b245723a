import { hostname } from 'node:os';
import type { Ingest } from '../core/otlp/ingest.ts';
import type { NodeReport } from '../ports/store/node-store.ts';
import { diskSpace, keepsData } from './data/disk-space.ts';
import type { Foundation } from './foundation.ts';
import type { StopList } from './stop-list.ts';

const beatMs = 10_000;

/** Tells the processes that share the store that this one is alive, and what only it knows. */
export async function startHeartbeat(
  { config, clock, log, store, holder, version, tuning }: Foundation,
  stops: StopList,
  ingest: Ingest | undefined,
): Promise<void> {
  const dataDirectory = keepsData(config) ? config.dataDir : undefined;
  const startedAtMs = clock.now();
  const beat = async (): Promise<void> => {
    try {
      const report = await reportOf(ingest, dataDirectory);
      const { roles } = config;
      await store.nodes.beat({ id: holder, roles, version, startedAtMs, report });
    } catch (error) {
      log.warn({ err: error }, 'cannot record heartbeat; retrying');
    }
  };
  await beat();
  let beating: Promise<void> | undefined;
  const timer = setInterval(() => {
    beating ??= beat().finally(() => (beating = undefined));
  }, tuning.heartbeatMs ?? beatMs);
  stops.add('heartbeat', 'flush', async () => {
    clearInterval(timer);
    await beating;
    await store.nodes.leave(holder);
  });
}

async function reportOf(
  ingest: Ingest | undefined,
  dataDirectory: string | undefined,
): Promise<NodeReport> {
  return {
    host: hostname(),
    processId: process.pid,
    memoryBytes: process.memoryUsage.rss(),
    ...(dataDirectory !== undefined && { disk: await diskSpace(dataDirectory) }),
    ...(ingest && { ingest: ingest.reports() }),
  };
}
