import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { openTestTelemetry } from '../test/kit/telemetry.ts';
import {
  fillWindow,
  firstMs,
  measureTicks,
  settled,
  tenThousand,
  type Measured,
} from './alert-bench.ts';
import { bundled } from './bundled.ts';

const minuteMs = 60_000;
/** By then the runtime has compiled what a tick needs, as after some minutes of a server. */
const warmUp = 8;
const windows = warmUp + 17;

/**
 * A tick of ten thousand alerts of which a hundred fire, over a million rows in each window. Run as
 * it is shipped, in a process of its own.
 * @returns the median of its ticks once it is warm
 */
export async function warmTick(): Promise<Measured> {
  const child = fork(await bundled(fileURLToPath(import.meta.url)), ['ticks'], { execArgv: [] });
  return new Promise((resolve, reject) => {
    child.once('message', (measured) => resolve(measured as Measured));
    child.once('exit', (code) => reject(new Error(`the process of the ticks ended with ${code}`)));
  });
}

async function ticks(): Promise<void> {
  const engine = await openTestTelemetry();
  for (let window = 0; window < windows; window++) {
    await fillWindow(engine, firstMs + window * minuteMs);
  }
  await settled(engine);
  const name = 'Sightline, 10k alerts, 100 fire, 1M rows a window';
  const measured = await measureTicks(name, engine, { alerts: tenThousand(), warmUp }, windows);
  await engine.close();
  process.send!(measured, () => process.exit(0));
}

if (process.send && process.argv[2] === 'ticks') {
  await ticks();
}
