import { setTimeout as pause } from 'node:timers/promises';
import { createConnectors } from '../../src/adapters/connectors/registry.ts';
import { createLog } from '../../src/adapters/ambient/log.ts';
import { openTelemetry } from '../../src/app/stores.ts';
import { egressGuard } from '../../src/adapters/webhook/egress-guard.ts';
import type { Telemetry } from '../../src/ports/telemetry.ts';
import { startTestApp, testConfig } from '../kit/app.ts';

/** What a server on a disk that loses its power is told. */
export interface PowerOptions {
  folder: string;
  accessKey: string;
  ingestionKey: string;
  keyId: string;
  keySecret: string;
  /** Address of the Kinesis-compatible service. */
  streamService: string;
  /** Longest pause between the end of a pipe's insert and the record of its position. */
  lateMs: number;
}

/**
 * The whole server in a process of its own, on a data directory that the test takes the power from.
 * It prints its addresses as one line of JSON.
 */
const options = JSON.parse(process.argv[2] ?? '{}') as PowerOptions;
const config = {
  ...testConfig(options.folder),
  secretKey: '07'.repeat(32),
  bootstrapAccessKey: options.accessKey,
  bootstrapIngestionKey: options.ingestionKey,
  bootstrapKeyId: options.keyId,
  bootstrapKeySecret: options.keySecret,
};
const log = createLog({
  level: process.env['SIGHTLINE_TEST_LOG'] ? 'info' : 'silent',
  destination: process.stderr,
});
const egress = egressGuard({ allow: config.egressAllow });
const telemetry = await openTelemetry(config, log, { guard: egress });
const app = await startTestApp({
  folder: options.folder,
  roles: ['api', 'ingest', 'pipes'],
  config,
  log,
  parts: {
    egress,
    telemetry: lateAnswers(telemetry),
    connectors: createConnectors({ endpoint: options.streamService, kafkaSessionMs: 3000 }),
  },
  tuning: { pipes: { tickMs: 100, leaseMs: 2000 } },
});
process.stdout.write(`${JSON.stringify(app.addresses)}\n`);
process.on('SIGTERM', () => {
  void app
    .stop()
    .then(() => telemetry.close())
    .finally(() => process.exit(0));
});

/** Inserts of pipes are answered late: most cuts fall between the rows and their position. */
function lateAnswers(engine: Telemetry): Telemetry {
  return new Proxy(engine, {
    get(target, name) {
      if (name === 'insert') {
        return async (...args: Parameters<Telemetry['insert']>) => {
          await target.insert(...args);
          if (args[3]?.purpose === 'pipe') {
            await pause(Math.random() * options.lateMs);
          }
        };
      }
      const member = Reflect.get(target, name) as unknown;
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
}
