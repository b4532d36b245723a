import { Counter, Gauge, type Registry } from 'prom-client';
import { createIngest, type Ingest } from '../core/otlp/ingest.ts';
import { createIngestionAuth, type Authenticate } from '../http/otlp/ingestion-auth.ts';
import { RequestEncoder } from '../http/otlp/request-encoder.ts';
import { createOtlpGrpc } from '../http/otlp/otlp-grpc.ts';
import { createOtlpHttp, type Receiver } from '../http/otlp/otlp-http.ts';
import { urlOf, type Addresses } from './address.ts';
import { migrateDatabase, type Foundation } from './foundation.ts';
import type { StopList } from './stop-list.ts';

/** A log takes small blocks for little more than their rows, and joins those that wait for a sync. */
const loggedLimits = { worthwhileRows: 1, maxAgeMs: 10, returnMs: 10 };

/** The OTLP receivers. */
export async function startIngest(
  base: Foundation,
  stops: StopList,
): Promise<{ addresses: Addresses; ingest: Ingest }> {
  const { config, log, clock, telemetry, query, metrics, tuning } = base;
  const ingest = createIngest({
    telemetry,
    encoder: new RequestEncoder(),
    clock,
    log,
    stored: (database, oldestMs) => query.inserted(database, oldestMs),
    limits: { ...(telemetry.intakeLog && loggedLimits), ...tuning.ingest },
  });
  stops.add('ingest', 'flush', () => ingest.stop());
  measure(metrics, ingest);
  const common = { ingest, authenticate: migratingAuth(base), host: config.host, log };
  const overHttp = createOtlpHttp({
    ...common,
    port: config.otlpHttpPort,
    corsOrigins: config.corsOrigins,
    ...(tuning.otlpHttp && { limits: tuning.otlpHttp }),
  });
  await overHttp.start();
  stops.add('OTLP/HTTP', 'traffic', (withinMs) => overHttp.stop(withinMs));
  const overGrpc = createOtlpGrpc({
    ...common,
    port: config.otlpGrpcPort,
    ...(tuning.otlpGrpc && { limits: tuning.otlpGrpc }),
  });
  await overGrpc.start();
  stops.add('OTLP/gRPC', 'traffic', (withinMs) => overGrpc.stop(withinMs));
  return {
    addresses: {
      otlpHttp: urlOf(config.host, portOf(overHttp)),
      otlpGrpc: urlOf(config.host, portOf(overGrpc)),
    },
    ingest,
  };
}

function measure(metrics: Registry, ingest: Ingest): void {
  metrics.registerMetric(
    new Gauge({
      name: 'sightline_ingest_pending_bytes',
      help: 'Bytes of telemetry received and not yet stored',
      registers: [],
      collect() {
        this.set(ingest.pendingBytes());
      },
    }),
  );
  let repeated = 0;
  metrics.registerMetric(
    new Counter({
      name: 'sightline_ingest_repeated_requests_total',
      help: 'Requests whose rows were stored already or waited to be stored',
      registers: [],
      collect() {
        this.inc(ingest.repeatedRequests() - repeated);
        repeated = ingest.repeatedRequests();
      },
    }),
  );
}

/** Knows ingestion keys, and makes the tables of a service that was created since the start. */
function migratingAuth({ log, clock, store, telemetry, databases }: Foundation): Authenticate {
  const authenticate = createIngestionAuth({ identity: store.identity, clock });
  /** By database. Many senders may begin at once, and each migration takes many statements. */
  const running = new Map<string, Promise<void>>();
  const migrate = async (database: string): Promise<void> => {
    try {
      await migrateDatabase(telemetry, database, log);
      databases.add(database);
    } finally {
      running.delete(database);
    }
  };
  return async (key) => {
    const target = await authenticate(key);
    if (target && !databases.has(target.database)) {
      const { database } = target;
      const migration = running.get(database) ?? migrate(database);
      running.set(database, migration);
      await migration;
    }
    return target;
  };
}

function portOf({ address }: Receiver): number {
  if (!address) {
    throw new Error('the receiver is not listening');
  }
  return address.port;
}
