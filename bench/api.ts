/**
 * The price of the API: requests a second of one alert read (authenticated) and of one alert created (durable), against a bare fastify route
 * that returns the same JSON and a bare one with the same single INSERT. Each server has a process of its own, the load (autocannon) another;
 * rounds alternate, so that what else the machine does falls on both. CPU is what the server process itself used. `npx tsx bench/api.ts [seconds a round] [rounds]`
 */
import { execFile, fork, type ChildProcess } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { fastify } from 'fastify';
import Database from 'libsql';
import { startApi } from '../test/kit/api.ts';
import { alertInput, newSavedSearch, newWebhook } from '../test/kit/stack-objects.ts';

interface Side {
  url: string;
  getPath: string;
  postPath: string;
  headers: Record<string, string>;
  body: string;
}

const self = fileURLToPath(import.meta.url);
const role = process.argv[2];

if (process.send && role === 'ours') await serveOurs();
else if (process.send && role === 'bare') await serveBare();
else await main(Number(process.argv[2] ?? 5), Number(process.argv[3] ?? 3));

async function main(seconds: number, rounds: number): Promise<void> {
  const ours = await start('ours');
  const bare = await start('bare', ours.side);
  const results: Record<string, Measured[]> = { 'GET ours': [], 'GET bare': [], 'POST ours': [], 'POST bare': [] };
  for (let round = 0; round <= rounds; round++) {
    for (const [name, { side, child }] of [['ours', ours], ['bare', bare]] as const) {
      for (const method of ['GET', 'POST'] as const) {
        const before = await cpuUs(child);
        const { rate, count } = await load(side, method, round === 0 ? 2 : seconds);
        if (round > 0) results[`${method} ${name}`]!.push({ rate, cpuUs: (await cpuUs(child) - before) / count });
      }
    }
  }
  for (const { child } of [ours, bare]) child.kill();
  for (const method of ['GET', 'POST']) {
    const [own, other] = [results[`${method} ours`]!, results[`${method} bare`]!];
    const [rate, bareRate, cpu, bareCpu] = [median(own.map((one) => one.rate)), median(other.map((one) => one.rate)), median(own.map((one) => one.cpuUs)), median(other.map((one) => one.cpuUs))];
    console.log(`${method} alert: ${rate.toFixed(0)} requests/s, bare ${bareRate.toFixed(0)}, ratio ${(rate / bareRate).toFixed(2)} (target ≥ 0.6); CPU ${cpu.toFixed(0)} µs a request, bare ${bareCpu.toFixed(0)}, ratio ${(bareCpu / cpu).toFixed(2)}`);
  }
}

interface Measured {
  rate: number;
  cpuUs: number;
}

function cpuUs(child: ChildProcess): Promise<number> {
  child.send('cpu');
  return new Promise((resolve) => { child.once('message', (used) => resolve(used as number)); });
}

function reportCpu(): void {
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send!(user + system);
  });
}

/** Requests a second, and how many; fails on any answer but 200. */
async function load({ url, getPath, postPath, headers, body }: Side, method: 'GET' | 'POST', seconds: number): Promise<{ rate: number; count: number }> {
  const wanted = method === 'GET' ? [url + getPath] : ['-b', body, url + postPath];
  const { stdout } = await promisify(execFile)(process.execPath, ['node_modules/autocannon/autocannon.js', '-j', '-n', '-c', '32', '-d', String(seconds), '-m', method, ...Object.entries({ ...headers, 'content-type': 'application/json' }).flatMap(([name, value]) => ['-H', `${name}=${value}`]), ...wanted], { maxBuffer: 64 * 1024 * 1024 });
  const { requests, non2xx, errors } = JSON.parse(stdout) as { requests: { average: number; total: number }; non2xx: number; errors: number };
  if (non2xx > 0 || errors > 0) throw new Error(`${method} ${url}: ${non2xx} answers were no success, ${errors} failed`);
  return { rate: requests.average, count: requests.total };
}

async function start(name: 'ours' | 'bare', like?: Side): Promise<{ side: Side; child: ChildProcess }> {
  const child = fork(self, [name, JSON.stringify(like ?? null)], { execArgv: ['--import', 'tsx'] });
  return { child, side: await new Promise<Side>((resolve, reject) => { child.once('message', (side) => resolve(side as Side)); child.once('exit', () => reject(new Error(`${name} did not start`))); }) };
}

/** All that a request meets in production: authentication, rate limit, metrics, audit trail. */
async function serveOurs(): Promise<void> {
  const api = await startApi({ rateLimit: { requests: 1e9, windowMs: 10_000 } });
  const input = alertInput((await newWebhook(api)).id, { savedSearchId: (await newSavedSearch(api)).id, name: 'Checkout errors', message: 'Look at the payment provider first', groupBy: 'ServiceName' });
  const { json } = await api.call('POST', '/alerts', { body: input });
  reportCpu();
  process.send!({ url: api.url, getPath: `/api/v2/alerts/${json.data.id}`, postPath: '/api/v2/alerts', headers: { authorization: `Bearer ${api.accessKey}` }, body: JSON.stringify(input) } satisfies Side);
}

async function serveBare(): Promise<void> {
  const like = JSON.parse(process.argv[3]!) as Side;
  const record = await (await fetch(like.url + like.getPath, { headers: like.headers })).json();
  const database = new Database(join(mkdtempSync(join(tmpdir(), 'sightline-bare-')), 'bare.db'));
  database.exec('pragma journal_mode = wal; pragma synchronous = full; create table documents (id integer primary key, body text not null)');
  const insert = database.prepare('insert into documents (body) values (?)');
  const app = fastify({ logger: false });
  app.get('/alerts/:id', async () => record);
  app.post('/alerts', async (request) => {
    insert.run([JSON.stringify(request.body)]);
    return record;
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  reportCpu();
  process.send!({ ...like, url, getPath: like.getPath.replace('/api/v2', ''), postPath: '/alerts' } satisfies Side);
}

function median(values: number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)]!;
}
