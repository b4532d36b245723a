import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { eventually } from '../test/kit/eventually.ts';
import { openTestTelemetry } from '../test/kit/telemetry.ts';
import { firstMs, services, settled, startAlertBench, verdict } from './alert-bench.ts';
import { bundled } from './bundled.ts';
import { arrivalCount, arrivals, forgetArrivals, ownProcess } from './peers/own-process.ts';
import { startAlertmanager, type Peer } from './peers/prometheus-process.ts';
import { measureCpu } from './cpu-time.ts';

/** Alerts that change at once, and so deliveries of one round. */
const count = 4000;
/**
 * Both programs are long-running servers: the first rounds of each warm it up and are not counted.
 */
const warmUps = 3;
const rounds = 5;
const minuteMs = 60_000;

/** One round: what arrived in how long, and the CPU that the sender used from the events on. */
interface Round {
  perSecond: number;
  cpuUs: number;
}

/**
 * Deliveries a second. Both sides send to the same receiver, a process of its own, in rounds that
 * take turns, so that what else the machine does falls on both; each is a process of its own over
 * as many rounds. Alertmanager is given alerts over its API and sends them from memory, unsigned,
 * each as a group of its own. Sightline has alerts of which every one begins to fire or ends: their
 * states, history and outbox are written, and each delivery is signed and marked. A round counts
 * from the first arrival; it ends with the last one, for Sightline not before the last mark is on
 * the disk.
 */
export async function deliveries(): Promise<void> {
  const receiver = await ownProcess('receiver-process.ts');
  const alertmanager = await startAlertmanager(`${receiver.url}/hook`);
  const sightline = await startSightline(`${receiver.url}/hook`);
  console.log(
    `${alertmanager.version}; rounds of ${count} deliveries, medians of ${rounds} after ${warmUps} that warm up`,
  );
  const results: Record<'theirs' | 'ours', Round[]> = { theirs: [], ours: [] };
  for (let round = 0; round < warmUps + rounds; round++) {
    await forgetArrivals(receiver.url);
    const theirs = await theirRound(alertmanager, receiver.url, round);
    await forgetArrivals(receiver.url);
    const ours = await ourRound(sightline, receiver.url);
    if (round < warmUps) {
      continue;
    }
    results.theirs.push(theirs);
    results.ours.push(ours);
  }
  sightline.disconnect();
  await alertmanager.stop();
  receiver.stop();
  const text = (values: Round[]): string =>
    `${Math.round(median(values.map((one) => one.perSecond)))}/s ` +
    `(${values.map((one) => Math.round(one.perSecond)).join(', ')}), ` +
    `CPU ${median(values.map((one) => one.cpuUs)).toFixed(0)} µs a delivery`;
  console.log(`Alertmanager: ${text(results.theirs)}\nSightline: ${text(results.ours)}`);
  verdict(
    'signed deliveries/s, durable, against Alertmanager',
    median(results.ours.map((one) => one.perSecond)) /
      median(results.theirs.map((one) => one.perSecond)),
    { atLeast: 1 },
    'x',
  );
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

async function theirRound(alertmanager: Peer, receiverUrl: string, round: number): Promise<Round> {
  const before = await alertmanager.metric('process_cpu_seconds_total');
  const alerts = Array.from({ length: count }, (_, index) => ({
    labels: { alertname: 'bench', service: `round-${round}-${index}` },
    annotations: { summary: 'x' },
  }));
  for (let start = 0; start < alerts.length; start += 1000) {
    await fetch(`${alertmanager.url}/api/v2/alerts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(alerts.slice(start, start + 1000)),
    });
  }
  const [firstAtMs, lastAtMs] = await allArrived(receiverUrl);
  const after = await alertmanager.metric('process_cpu_seconds_total');
  return {
    perSecond: (count / (lastAtMs - firstAtMs)) * 1000,
    cpuUs: ((after - before) * 1e6) / count,
  };
}

/** What the process of Sightline tells of a round. */
interface Told {
  markedAtMs: number;
  cpuUs: number;
}

async function ourRound(sightline: ChildProcess, receiverUrl: string): Promise<Round> {
  const report = await new Promise<Told>((resolve) => {
    sightline.once('message', (message) => resolve(message as Told));
    sightline.send('round');
  });
  const [firstAtMs, lastAtMs] = await allArrived(receiverUrl);
  return {
    perSecond: (count / (Math.max(lastAtMs, report.markedAtMs) - firstAtMs)) * 1000,
    cpuUs: report.cpuUs / count,
  };
}

async function allArrived(receiverUrl: string): Promise<[firstAtMs: number, lastAtMs: number]> {
  await eventually(
    async () => {
      const arrived = await arrivalCount(receiverUrl);
      if (arrived < count) {
        throw new Error(`only ${arrived} of ${count} deliveries arrived`);
      }
    },
    60_000,
    100,
  );
  const came = await arrivals(receiverUrl);
  return [came[0]![0], came.at(-1)![0]];
}

/** As it is shipped, in a process of its own, with every alert known and calm. */
async function startSightline(webhookUrl: string): Promise<ChildProcess> {
  const child = fork(await bundled(fileURLToPath(import.meta.url)), ['sightline', webhookUrl]);
  await new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve());
    child.once('exit', (code) => reject(new Error(`the process of Sightline ended with ${code}`)));
  });
  return child;
}

/**
 * In every other round each alert has something to count and fires; in those between nothing, and
 * it ends.
 */
async function sightline(webhookUrl: string): Promise<void> {
  const engine = await openTestTelemetry();
  let nowMs = firstMs + minuteMs + 6000;
  const bench = await startAlertBench({
    engine,
    clock: { now: () => nowMs },
    alerts: services(count).map((alert) => ({ ...alert, threshold: 1 })),
    webhookUrl,
  });
  await bench.alerting.tick();
  let firing = false;
  process.on('message', () => void round());
  process.once(
    'disconnect',
    () =>
      void bench
        .close()
        .then(() => engine.close())
        .then(() => process.exit(0)),
  );
  process.send!('ready');

  async function round(): Promise<void> {
    firing = !firing;
    const startMs = nowMs - 6000;
    if (firing) {
      await engine.insert(
        'otel_logs',
        Array.from({ length: count }, (_, index) => ({
          Timestamp: new Date(startMs + 1000).toISOString().replace('T', ' ').replace('Z', ''),
          ServiceName: `svc-${index}`,
          SeverityText: 'ERROR',
          Body: 'x',
        })),
      );
    }
    await settled(engine);
    nowMs += minuteMs;
    const cpu = measureCpu();
    await bench.alerting.tick();
    await bench.alerting.delivered();
    process.send!({
      markedAtMs: performance.timeOrigin + performance.now(),
      cpuUs: cpu().total,
    } satisfies Told);
  }
}

if (process.send && process.argv[2] === 'sightline') {
  await sightline(process.argv[3]!);
}
