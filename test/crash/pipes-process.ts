import { setTimeout as pause } from 'node:timers/promises';
import { createConnectors } from '../../src/adapters/connectors/registry.ts';
import type { Telemetry } from '../../src/ports/telemetry.ts';
import { startOtlp } from '../otlp/kit.ts';
import { pipeWorld } from '../pipes/pipe-world.ts';
import type { PipesProcessOptions } from './pipes-child.ts';

/**
 * A process with the pipes of a folder, to be killed, halted or measured. Started by
 * pipes-child.ts.
 */
const options = JSON.parse(process.argv[2] ?? '{}') as PipesProcessOptions;
const world = await pipeWorld({
  folder: options.folder,
  databaseUrl: options.databaseUrl,
  clickHouseUrl: options.clickHouseUrl,
  cluster: options.cluster,
  connectors: createConnectors({
    endpoint: options.streamService,
    kafkaSessionMs: options.kafkaSessionMs,
  }),
  holder: options.holder ?? 'only',
  tickMs: 200,
  leaseMs: options.leaseMs ?? 4000,
  ...(options.holdInserts === true || options.insertStallMs !== undefined
    ? { wrapTelemetry: slowedDown }
    : {}),
});
world.pipes.start();
const otlp = options.receivesOtlp === true ? await startOtlp(world.engine) : undefined;
process.stdout.write(`ready ${otlp?.httpUrl ?? ''}\n`);
process.on('SIGTERM', () => {
  void world.close().finally(() => process.exit(0));
});
if (process.env['SIGHTLINE_TEST_LOG']) {
  setInterval(() => process.stderr.write(world.logged.splice(0).join('\n')), 500);
}

/**
 * Inserts take their time, or never come to an end: what is killed then dies between what it
 * intended and what it stored.
 */
function slowedDown(engine: Telemetry): Telemetry {
  return new Proxy(engine, {
    get(target, name) {
      if (name === 'insert' && options.holdInserts === true) {
        return () =>
          new Promise(() => {
            process.stdout.write('holding\n');
          });
      }
      if (name === 'insert') {
        return (...args: Parameters<Telemetry['insert']>) =>
          pause(options.insertStallMs).then(() => target.insert(...args));
      }
      const member = Reflect.get(target, name) as unknown;
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
}
