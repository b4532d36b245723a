/**
 * The price of the API: requests a second of one alert read on each surface (authenticated) and of
 * one alert created (durable), against a bare fastify route that returns the same JSON and a bare
 * one with the same single INSERT. Each server has a process of its own, the load (autocannon)
 * another; rounds alternate, so that what else the machine does falls on both. CPU is what the
 * server process itself used. `npx tsx bench/api.ts [seconds a round] [rounds]`
 */
import { fork, type ChildProcess } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fastify } from 'fastify';
import Database from 'libsql';
import { startApi } from '../test/kit/api.ts';
import { alertInput, newSavedSearch, newWebhook } from '../test/kit/stack-objects.ts';
import { cpuUs, load, reportCpu, type Request } from './api-load.ts';
import { bundled } from './bundled.ts';

interface Side {
  url: string;
  requests: Record<Row, Request>;
}

type Row = (typeof rows)[number];

const rows = ['GET alert', 'GET stack alert', 'POST alert'] as const;
const target = 0.6;
const self = fileURLToPath(import.meta.url);
const role = process.argv[2];

if (process.send && role === 'ours') {
  await serveOurs();
} else if (process.send && role === 'bare') {
  await serveBare();
} else {
  await main(Number(process.argv[2] ?? 4), Number(process.argv[3] ?? 3));
}

async function main(seconds: number, rounds: number): Promise<void> {
  const script = await bundled(self);
  const ours = await start(script, 'ours');
  const bare = await start(script, 'bare', ours.side);
  const results = new Map<string, Measured[]>();
  for (let round = 0; round <= rounds; round++) {
    for (const row of rows) {
      for (const [name, { side, child }] of [
        ['ours', ours],
        ['bare', bare],
      ] as const) {
        const before = await cpuUs(child);
        const { rate, count } = await load(side.url, side.requests[row], round === 0 ? 2 : seconds);
        if (round > 0) {
          results.set(`${row} ${name}`, [
            ...(results.get(`${row} ${name}`) ?? []),
            { rate, cpuUs: ((await cpuUs(child)) - before) / count },
          ]);
        }
      }
    }
  }
  for (const { child } of [ours, bare]) {
    child.kill();
  }
  console.log(
    `${cpus().length} cores, load ${loadavg()[0]!.toFixed(1)}, node ${process.version}; ` +
      `medians of ${rounds} rounds of ${seconds} s`,
  );
  for (const row of rows) {
    const [own, other] = [results.get(`${row} ours`)!, results.get(`${row} bare`)!];
    const [rate, bareRate, cpu, bareCpu] = [
      median(own.map((one) => one.rate)),
      median(other.map((one) => one.rate)),
      median(own.map((one) => one.cpuUs)),
      median(other.map((one) => one.cpuUs)),
    ];
    const verdict = rate / bareRate >= target ? 'PASS' : 'MISS';
    console.log(
      `${verdict} ${row}: ${rate.toFixed(0)} requests/s, bare ${bareRate.toFixed(0)}, ` +
        `ratio ${(rate / bareRate).toFixed(2)} (target ≥ ${target}); ` +
        `CPU ${cpu.toFixed(0)} µs a request, bare ${bareCpu.toFixed(0)}, ` +
        `ratio ${(bareCpu / cpu).toFixed(2)}`,
    );
  }
}

interface Measured {
  rate: number;
  cpuUs: number;
}

async function start(
  script: string,
  name: 'ours' | 'bare',
  like?: Side,
): Promise<{ side: Side; child: ChildProcess }> {
  const child = fork(script, [name, JSON.stringify(like ?? null)], { execArgv: [] });
  return {
    child,
    side: await new Promise<Side>((resolve, reject) => {
      child.once('message', (side) => resolve(side as Side));
      child.once('exit', () => reject(new Error(`${name} did not start`)));
    }),
  };
}

/** All that a request meets in production: authentication, rate limit, metrics, audit trail. */
async function serveOurs(): Promise<void> {
  const api = await startApi({ rateLimit: { requests: 1e9, windowMs: 10_000 } });
  const input = alertInput((await newWebhook(api)).id, {
    savedSearchId: (await newSavedSearch(api)).id,
    name: 'Checkout errors',
    message: 'Look at the payment provider first',
    groupBy: 'ServiceName',
  });
  const { json } = await api.call('POST', '/alerts', { body: input });
  const bearer = { authorization: `Bearer ${api.accessKey}` };
  const { organizationId, serviceId, authorization } = api.managed;
  reportCpu();
  process.send!({
    url: api.url,
    requests: {
      'GET alert': { method: 'GET', path: `/api/v2/alerts/${json.data.id}`, headers: bearer },
      'GET stack alert': {
        method: 'GET',
        path: `/v1/organizations/${organizationId}/services/${serviceId}/stack/alerts/${json.data.id}`,
        headers: { authorization },
      },
      'POST alert': {
        method: 'POST',
        path: '/api/v2/alerts',
        headers: bearer,
        body: JSON.stringify(input),
      },
    },
  } satisfies Side);
}

async function serveBare(): Promise<void> {
  const like = JSON.parse(process.argv[3]!) as Side;
  const answer = async ({ path, headers }: Request) =>
    (await fetch(like.url + path, { headers })).json();
  const [record, stackRecord] = [
    await answer(like.requests['GET alert']),
    await answer(like.requests['GET stack alert']),
  ];
  const database = new Database(join(mkdtempSync(join(tmpdir(), 'sightline-bare-')), 'bare.db'));
  database.exec(
    'pragma journal_mode = wal; pragma synchronous = full; ' +
      'create table documents (id integer primary key, body text not null)',
  );
  const insert = database.prepare('insert into documents (body) values (?)');
  const app = fastify({ logger: false });
  app.get('/api/v2/alerts/:id', async () => record);
  app.get(
    '/v1/organizations/:organizationId/services/:serviceId/stack/alerts/:id',
    async () => stackRecord,
  );
  app.post('/api/v2/alerts', async (request) => {
    insert.run([JSON.stringify(request.body)]);
    return record;
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  reportCpu();
  process.send!({ ...like, url } satisfies Side);
}

function median(values: number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)]!;
}
