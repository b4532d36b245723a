import { eventually } from '../test/kit/eventually.ts';
import { openTestTelemetry } from '../test/kit/telemetry.ts';
import { startWebhookReceiver } from '../test/kit/webhook-receiver.ts';
import { firstMs, startAlertBench, verdict } from './alert-bench.ts';
import { arrivals, forgetArrivals, ownProcess } from './peers/own-process.ts';

/**
 * What one receiver that never comes to an end costs the others: the p95 of 300 deliveries from the
 * tick on, beside 64 more that go to a receiver that is well, to one that says nothing, and to one
 * that drips. `npx tsx bench/bad-receiver.ts`
 */
const good = 300;
const others = 64;
const rounds = 5;

const engine = await openTestTelemetry();
await engine.insert('otel_logs', [
  { Timestamp: '2026-03-14 12:00:30', ServiceName: 'checkout', Body: 'x' },
]);
const receiver = await ownProcess('receiver-process.ts');
const other = await startWebhookReceiver();

async function p95(): Promise<number> {
  await forgetArrivals(receiver.url);
  const alerts = Array.from({ length: good + others }, (_, index) => ({
    where: '',
    threshold: 1,
    ...(index % 5 === 0 && index / 5 < others && { webhookUrl: other.url }),
  }));
  const bench = await startAlertBench({
    engine,
    clock: { now: () => firstMs + 66_000 },
    alerts,
    webhookUrl: `${receiver.url}/hook`,
  });
  const beganMs = performance.timeOrigin + performance.now();
  await bench.alerting.tick();
  const came = await eventually(
    async () => {
      const arrived = await arrivals(receiver.url);
      if (arrived.length < good) {
        throw new Error(`only ${arrived.length} of ${good} deliveries arrived`);
      }
      return arrived;
    },
    30_000,
    0,
  ).finally(() => bench.close());
  return came.map(([atMs]) => atMs - beganMs).toSorted((a, b) => a - b)[
    Math.ceil(good * 0.95) - 1
  ]!;
}

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
const seconds: Record<'well' | 'hang' | 'drip', number[]> = { well: [], hang: [], drip: [] };
await p95();
for (let round = 0; round < rounds; round++) {
  for (const kind of ['well', 'hang', 'drip'] as const) {
    other.react(kind === 'well' ? 200 : kind);
    seconds[kind].push(await p95());
  }
}
const [well, hang, drip] = [median(seconds.well), median(seconds.hang), median(seconds.drip)];
console.log(
  `p95 of the others, median of ${rounds}: ${well.toFixed(0)} ms ` +
    `beside a receiver that is well, ${hang.toFixed(0)} ms beside one that hangs, ` +
    `${drip.toFixed(0)} ms beside one that drips`,
);
verdict(
  'p95 of the others beside a bad receiver',
  Math.max(hang, drip) / well,
  { atMost: 1.1 },
  'x',
);
receiver.stop();
await other.close();
await engine.close();
