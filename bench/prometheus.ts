import { setTimeout as pause } from 'node:timers/promises';
import { openTestTelemetry } from '../test/kit/telemetry.ts';
import { firstMs, startAlertBench, verdict } from './alert-bench.ts';
import { deliveries } from './deliveries.ts';
import { arrivals, forgetArrivals, ownProcess } from './peers/own-process.ts';
import { startAlertmanager, startPrometheus, type Peer } from './peers/prometheus-process.ts';
import { until } from '../test/kit/eventually.ts';
import { warmTick } from './warm-tick.ts';

/**
 * Against Prometheus and Alertmanager (Debian packages prometheus and prometheus-alertmanager) on
 * this machine, in turn. `npx tsx bench/prometheus.ts
 * rules|latency|deliveries`; each takes less than three minutes.
 */
const minuteMs = 60_000;
/**
 * Ten thousand rules of which a hundred fire, evaluated without a pause: how many a second, and
 * what each costs.
 */
async function rules(): Promise<void> {
  const exporter = await ownProcess('exporter-process.ts', ['10000']);
  const peer = await startPrometheus({
    scrapeMs: 5000,
    evaluateMs: 100,
    target: exporter.address,
    groups: [],
  });
  console.log(`${peer.version}: a minute of samples for 10k series comes first`);
  await pause(minuteMs);
  const idle = await evaluated(peer, 8000);
  const results: { name: string; perSecond: number; cpuUs: number }[] = [];
  for (const [question, expression] of [
    [
      'increase over a minute',
      (index: number) => `increase(log_records_total{service="svc-${index}"}[1m]) >= 1000`,
    ],
    ['last sample only', (index: number) => `log_records_total{service="svc-${index}"} >= 1e9`],
  ] as const) {
    for (const groups of question === 'increase over a minute' ? [1, 16] : [16]) {
      const perGroup = 10_000 / groups;
      await peer.reload(
        Array.from({ length: groups }, (_, group) => ({
          name: `group ${group}`,
          rules: Array.from({ length: perGroup }, (_, index) => ({
            alert: `alert ${group * perGroup + index}`,
            expr: expression(group * perGroup + index),
          })),
        })),
      );
      await pause(4000);
      const { seconds, cpuSeconds, count } = await evaluated(peer, 10_000);
      const cpuUs = ((cpuSeconds - (idle.cpuSeconds / idle.seconds) * seconds) / count) * 1e6;
      const layout =
        groups === 1 ? 'one group (rules one after the other)' : `${groups} groups side by side`;
      results.push({
        name: `${question}, ${layout}`,
        perSecond: count / seconds,
        cpuUs,
      });
      console.log(
        `Prometheus, ${results.at(-1)!.name}: ${Math.round(count / seconds)} rules/s, ` +
          `CPU ${cpuUs.toFixed(1)} µs a rule`,
      );
    }
  }
  await peer.stop();
  exporter.stop();

  const own = await warmTick();
  const [alone, aside] = results as [(typeof results)[0], (typeof results)[0]];
  const perSecond = (10_000 / own.ms) * 1000;
  verdict(
    'alerts/s against Prometheus, one group',
    perSecond / alone.perSecond,
    { atLeast: 4 },
    'x',
  );
  verdict(
    'alerts/s against Prometheus at its best with the same question',
    perSecond / Math.max(alone.perSecond, aside.perSecond),
    { atLeast: 6 },
    'x',
  );
  verdict(
    'CPU an alert against Prometheus, one group',
    own.cpuUs / alone.cpuUs,
    { atMost: 0.25 },
    'x',
  );
  verdict(
    'CPU an alert against Prometheus at its best with the same question',
    own.cpuUs / Math.min(alone.cpuUs, aside.cpuUs),
    { atMost: 0.25 },
    'x',
  );
}

async function evaluated(
  peer: Peer,
  ms: number,
): Promise<{ seconds: number; cpuSeconds: number; count: number }> {
  const snapshot = async () => ({
    ms: performance.now(),
    cpu: await peer.metric('process_cpu_seconds_total'),
    count: await peer.metric('prometheus_rule_evaluations_total'),
  });
  const before = await snapshot();
  await pause(ms);
  const after = await snapshot();
  return {
    seconds: (after.ms - before.ms) / 1000,
    cpuSeconds: after.cpu - before.cpu,
    count: after.count - before.count,
  };
}

const breaches = 40;

/**
 * From the breach to the webhook. For Prometheus the breach is the moment at which the exporter
 * shows it; for Sightline, whose windows are judged when they have closed, the end of the window
 * that holds it. Both moments are random in the second of tick, scrape and evaluation.
 */
async function latency(): Promise<void> {
  const receiver = await ownProcess('receiver-process.ts');
  const theirs = await prometheusLatency(receiver.url);
  await forgetArrivals(receiver.url);
  const ours = await ownLatency(receiver.url);
  receiver.stop();
  console.log(
    `Prometheus and Alertmanager: ${summary(theirs)}\nSightline, tick 1 s, delay 0: ${summary(ours)}`,
  );
  verdict(
    'breach to webhook, p95, against Prometheus and Alertmanager',
    percentile(ours, 95) / percentile(theirs, 95),
    { atMost: 1 },
    'x',
  );
}

async function prometheusLatency(receiverUrl: string): Promise<number[]> {
  const exporter = await ownProcess('exporter-process.ts', ['100']);
  const alertmanager = await startAlertmanager(`${receiverUrl}/hook`);
  const rule = { alert: 'breach', expr: 'breached == 1', for: '0s' };
  const peer = await startPrometheus({
    scrapeMs: 1000,
    evaluateMs: 1000,
    target: exporter.address,
    alertmanager: new URL(alertmanager.url).host,
    groups: [{ name: 'one', rules: [rule] }],
  });
  console.log(`${peer.version}, ${alertmanager.version}`);
  await pause(3000);
  const delaysMs: number[] = [];
  for (let index = 0; index < breaches; index++) {
    await pause(Math.random() * 1000);
    const beganMs = Number(
      await (
        await fetch(`${exporter.url}/breach?service=breach-${index}`, { method: 'POST' })
      ).text(),
    );
    delaysMs.push((await arrivalOf(receiverUrl, `breach-${index}`)) - beganMs);
  }
  await peer.stop();
  await alertmanager.stop();
  exporter.stop();
  return delaysMs;
}

async function ownLatency(receiverUrl: string): Promise<number[]> {
  const engine = await openTestTelemetry();
  let offsetMs = firstMs - Date.now();
  const bench = await startAlertBench({
    engine,
    clock: { now: () => Date.now() + offsetMs },
    alerts: [{ where: 'SeverityText:"ERROR"', groupBy: 'ServiceName', threshold: 1 }],
    webhookUrl: `${receiverUrl}/hook`,
    tickMs: 1000,
    ingestDelayMs: 0,
  });
  await bench.alerting.start();
  const delaysMs: number[] = [];
  for (let index = 0; index < breaches; index++) {
    const endMs = firstMs + (index + 1) * minuteMs;
    await engine.insert('otel_logs', [
      {
        Timestamp: new Date(endMs - 1000).toISOString().replace('T', ' ').replace('Z', ''),
        ServiceName: `breach-${index}`,
        SeverityText: 'ERROR',
        Body: 'x',
      },
    ]);
    // The window ends between 0.3 and 1.3 s from now: at any moment between two ticks.
    const beganMs = Date.now() + 300 + Math.random() * 1000;
    offsetMs = endMs - beganMs;
    delaysMs.push((await arrivalOf(receiverUrl, `breach-${index}`)) - beganMs);
  }
  await bench.close();
  await engine.close();
  return delaysMs;
}

async function arrivalOf(receiverUrl: string, name: string): Promise<number> {
  const [atMs] = await until(
    `the arrival of ${name}`,
    async () => (await arrivals(receiverUrl)).find(([, one]) => one === name),
    20_000,
  );
  return atMs;
}

const percentile = (values: readonly number[], percent: number): number =>
  values.toSorted((a, b) => a - b)[
    Math.min(values.length - 1, Math.ceil((values.length * percent) / 100) - 1)
  ]!;
const summary = (values: readonly number[]): string =>
  `${values.length} breaches, p50 ${Math.round(percentile(values, 50))} ms, ` +
  `p95 ${Math.round(percentile(values, 95))} ms`;

const parts: Record<string, () => Promise<void>> = { rules, latency, deliveries };
for (const part of process.argv.length > 2 ? process.argv.slice(2) : Object.keys(parts)) {
  const run = parts[part];
  if (!run) {
    throw new Error(`${part} is none of ${Object.keys(parts).join(', ')}`);
  }
  await run();
}
