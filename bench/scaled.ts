/**
 * What one process carries over PostgreSQL, which other processes can share, in place of SQLite:
 * requests and ticks of alerts, with the CPU of the process and of PostgreSQL.
 * `npx tsx bench/scaled.ts [api|alerts|hundred-thousand|deliveries]…`
 */
import { fork, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { noEngine, startTestApp } from '../test/kit/app.ts';
import { callerAt } from '../test/kit/callers.ts';
import { startPostgres, type PostgresPeer } from '../test/kit/postgres.ts';
import { alertInput, newSavedSearch, newWebhook } from '../test/kit/stack-objects.ts';
import { openTestTelemetry } from '../test/kit/telemetry.ts';
import {
  fillWindow,
  firstMs,
  measureTicks,
  services,
  settled,
  startAlertBench,
  tenThousand,
  type BenchAlert,
} from './alert-bench.ts';
import { cpuUs, load, reportCpu, type Request } from './api-load.ts';
import { bundled } from './bundled.ts';
import { measureCpu } from './cpu-time.ts';
import { arrivals, forgetArrivals, ownProcess } from './peers/own-process.ts';
import { processUse } from './process-use.ts';

const minuteMs = 60_000;
const seconds = 5;
const rounds = 3;
const deliveryCount = 4000;

if (process.send && process.argv[2] === 'serve') {
  await serve(process.argv[3]!);
} else {
  await main(process.argv.slice(2));
}

async function main(wanted: string[]): Promise<void> {
  const runs = (part: string): boolean => wanted.length === 0 || wanted.includes(part);
  const postgres = await startPostgres({ shared_buffers: '256MB' });
  console.log(`${cpus().length} cores, load ${loadavg()[0]!.toFixed(1)}, node ${process.version}`);
  try {
    if (runs('api')) {
      await api(postgres);
    }
    if (runs('alerts')) {
      await ticks(postgres, '10k alerts at 1m, 100 fire', tenThousand(), 1);
    }
    if (runs('hundred-thousand')) {
      await ticks(postgres, '100k alerts at 5m', services(100_000), 5);
    }
    if (runs('deliveries')) {
      await deliveries(postgres);
    }
    console.log(`load ${loadavg()[0]!.toFixed(1)} after`);
  } finally {
    await postgres.remove();
  }
}

/** CPU time of PostgreSQL and its connections so far, in microseconds. */
function postgresCpuUs({ data }: PostgresPeer): number {
  const [pid] = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
  return processUse(Number(pid)).cpuUs;
}

/**
 * Requests of 32 connections to a process as it is shipped, over SQLite and over PostgreSQL in turns,
 * so that what else the machine does falls on both.
 */
async function api(postgres: PostgresPeer): Promise<void> {
  const script = await bundled(fileURLToPath(import.meta.url));
  const sides = {
    SQLite: await startServer(script, ''),
    PostgreSQL: await startServer(script, await postgres.createDatabase()),
  };
  for (const index of [0, 1]) {
    const measured: Record<string, Load[]> = { SQLite: [], PostgreSQL: [] };
    for (let round = 0; round <= rounds; round++) {
      for (const [name, { child, served }] of Object.entries(sides)) {
        const one = await measuredLoad(postgres, child, served.url, served.requests[index]!);
        if (round > 0) {
          measured[name]!.push(one);
        }
      }
    }
    for (const [name, list] of Object.entries(measured)) {
      const middle = list.toSorted((a, b) => a.rate - b.rate)[Math.floor(rounds / 2)]!;
      console.log(
        `${sides.SQLite.served.requests[index]!.method} alert over ${name}: ` +
          `${middle.rate.toFixed(0)} requests/s, ${middle.own.toFixed(0)} µs CPU in the process ` +
          `and ${middle.store.toFixed(0)} in PostgreSQL (median of ${rounds} rounds of ` +
          `${seconds} s: ${list.map(({ rate }) => rate.toFixed(0)).join(', ')})`,
      );
    }
  }
  Object.values(sides).forEach(({ child }) => child.kill());
}

async function startServer(
  script: string,
  databaseUrl: string,
): Promise<{ child: ChildProcess; served: Served }> {
  const child = fork(script, ['serve', databaseUrl], { execArgv: [] });
  const served = await new Promise<Served>((resolve, reject) => {
    child.once('message', (message) => resolve(message as Served));
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
  return { child, served };
}

interface Load {
  rate: number;
  /** Microseconds of CPU for each request. */
  own: number;
  store: number;
}

async function measuredLoad(
  postgres: PostgresPeer,
  child: ChildProcess,
  url: string,
  request: Request,
): Promise<Load> {
  const [ownBefore, storeBefore] = [await cpuUs(child), postgresCpuUs(postgres)];
  const { rate, count } = await load(url, request, seconds);
  return {
    rate,
    own: ((await cpuUs(child)) - ownBefore) / count,
    store: (postgresCpuUs(postgres) - storeBefore) / count,
  };
}

interface Served {
  url: string;
  requests: Request[];
}

/** An empty URL: SQLite. */
async function serve(databaseUrl: string): Promise<void> {
  const { addresses, first } = await startTestApp({
    folder: mkdtempSync(join(tmpdir(), 'sightline-bench-scaled-')),
    roles: ['api'],
    config: {
      ...(databaseUrl !== '' && { databaseUrl }),
      rateLimit: { requests: 1e9, windowMs: 10_000 },
    },
    parts: { telemetry: noEngine },
    // Refuses nothing, however busy the machine is.
    tuning: { api: { eventLoopDelayMs: 0 } },
  });
  const { origin: url } = new URL(addresses.surfaces?.[0] ?? '');
  const { accessKey, workspace } = first!;
  const caller = callerAt(url, { teamId: workspace.id, userId: '', accessKey });
  const input = alertInput((await newWebhook(caller)).id, {
    savedSearchId: (await newSavedSearch(caller)).id,
    name: 'Checkout errors',
    groupBy: 'ServiceName',
  });
  const { json } = await caller.call('POST', '/alerts', { body: input });
  const headers = { authorization: `Bearer ${accessKey}` };
  reportCpu();
  process.send!({
    url,
    requests: [
      { method: 'GET', path: `/api/v2/alerts/${json.data.id}`, headers },
      { method: 'POST', path: '/api/v2/alerts', headers, body: JSON.stringify(input) },
    ],
  } satisfies Served);
}

/** Durable ticks over a million rows in each window. */
async function ticks(
  postgres: PostgresPeer,
  name: string,
  alerts: BenchAlert[],
  minutes: number,
): Promise<void> {
  const engine = await openTestTelemetry();
  const windows = 3;
  for (let window = 0; window < windows; window++) {
    await fillWindow(engine, firstMs + window * minutes * minuteMs);
  }
  await settled(engine);
  const databaseUrl = await postgres.createDatabase();
  const interval = `${minutes}m`;
  await measureTicks(
    `${name}, PostgreSQL`,
    engine,
    { alerts, interval, databaseUrl, storeCpuUs: () => postgresCpuUs(postgres) },
    windows,
  );
  console.log(`  load ${loadavg()[0]!.toFixed(1)}`);
  await engine.close();
}

/** Alerts that all begin to fire, or all end, in each round; each delivery is signed and marked. */
async function deliveries(postgres: PostgresPeer): Promise<void> {
  const receiver = await ownProcess('receiver-process.ts');
  const engine = await openTestTelemetry();
  let nowMs = firstMs + minuteMs + 6000;
  const bench = await startAlertBench({
    engine,
    clock: { now: () => nowMs },
    alerts: services(deliveryCount).map((alert) => ({ ...alert, threshold: 1 })),
    webhookUrl: `${receiver.url}/hook`,
    databaseUrl: await postgres.createDatabase(),
  });
  await bench.alerting.tick();
  const rates: { perSecond: number; own: number; store: number }[] = [];
  for (let round = 0; round < rounds * 2; round++) {
    if (round % 2 === 0) {
      const Timestamp = new Date(nowMs - 5000).toISOString().replace('T', ' ').replace('Z', '');
      await engine.insert(
        'otel_logs',
        Array.from({ length: deliveryCount }, (_, index) => ({
          Timestamp,
          ServiceName: `svc-${index}`,
          SeverityText: 'ERROR',
          Body: 'x',
        })),
      );
    }
    await settled(engine);
    await forgetArrivals(receiver.url);
    nowMs += minuteMs;
    const [cpu, storeBefore] = [measureCpu(), postgresCpuUs(postgres)];
    await bench.alerting.tick();
    await bench.alerting.delivered();
    const markedAtMs = performance.timeOrigin + performance.now();
    const came = await arrivals(receiver.url);
    if (came.length !== deliveryCount) {
      throw new Error(`${came.length} of ${deliveryCount} deliveries arrived`);
    }
    rates.push({
      perSecond: (deliveryCount / (markedAtMs - came[0]![0])) * 1000,
      own: cpu().total / deliveryCount,
      store: (postgresCpuUs(postgres) - storeBefore) / deliveryCount,
    });
  }
  // The first rounds warm up.
  const [best] = rates.slice(2).toSorted((a, b) => b.perSecond - a.perSecond);
  console.log(
    `signed deliveries over PostgreSQL: at best ${best!.perSecond.toFixed(0)}/s, ` +
      `${best!.own.toFixed(0)} µs CPU in the process with the engine and ` +
      `${best!.store.toFixed(0)} in PostgreSQL (rounds of ${deliveryCount}: ` +
      `${rates.map(({ perSecond }) => perSecond.toFixed(0)).join(', ')})`,
  );
  await bench.close();
  await engine.close();
  receiver.stop();
}
