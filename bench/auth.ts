import { fork } from 'node:child_process';
import { connect } from 'node:net';
import { cpus, loadavg } from 'node:os';
import { fastify } from 'fastify';
import { getAlert } from '../src/contract/alert.ts';
import { basicAuthenticator } from '../src/http/auth/basic.ts';
import { KeyUsage } from '../src/http/auth/key-usage.ts';
import { startApi } from '../test/kit/api.ts';
import { newAlert, newSavedSearch } from '../test/kit/stack-objects.ts';

/**
 * GET of one stack alert with an organization API key, against a bare fastify route that answers the same JSON; and what authentication itself
 * costs. Load comes from another process that only counts answers. `npx tsx bench/auth.ts`
 */
const rounds = 5;
const roundMs = 2000;
const connections = 32;

interface Load { port: number; path: string; authorization: string }

/** The other process: keeps requests in flight and counts answers. */
function client(): void {
  process.on('message', (load: Load) => {
    const request = Buffer.from(`GET ${load.path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${load.authorization}\r\n\r\n`);
    const mark = Buffer.from('HTTP/1.1 200');
    let done = 0;
    const sockets = Array.from({ length: connections }, () => {
      const socket = connect(load.port, '127.0.0.1', () => socket.write(request));
      let tail = Buffer.alloc(0);
      socket.on('data', (chunk) => {
        const data = Buffer.concat([tail, chunk]);
        let at = data.indexOf(mark);
        let end = 0;
        for (; at !== -1; at = data.indexOf(mark, end)) {
          end = at + mark.length;
          done++;
          socket.write(request);
        }
        tail = data.subarray(Math.max(end, data.length - mark.length + 1));
      });
      return socket;
    });
    setTimeout(() => {
      for (const socket of sockets) socket.destroy();
      process.send!(done);
    }, roundMs);
  });
}

async function server(): Promise<void> {
  const api = await startApi();
  const alert = await newAlert(api, { savedSearchId: (await newSavedSearch(api)).id });
  const path = `/v1/organizations/${api.managed.organizationId}/services/${api.managed.serviceId}/stack/alerts/${alert.id}`;
  const body = (await api.managed.stack('GET', `/alerts/${alert.id}`)).json;
  const bare = fastify({ logger: false });
  bare.get('/v1/organizations/:organizationId/services/:serviceId/stack/alerts/:id', async () => body);
  await bare.listen({ port: 0, host: '127.0.0.1' });
  const ports = { ours: api.port, bare: (bare.server.address() as { port: number }).port };

  const other = fork(import.meta.filename, ['client'], { execArgv: process.execArgv });
  const round = async (port: number): Promise<{ perSecond: number; cpuUs: number }> => {
    const cpu = process.cpuUsage();
    const began = performance.now();
    const done = await new Promise<number>((resolve) => {
      other.once('message', (count) => resolve(count as number));
      other.send({ port, path, authorization: api.managed.authorization } satisfies Load);
    });
    const { user, system } = process.cpuUsage(cpu);
    return { perSecond: (done * 1000) / (performance.now() - began), cpuUs: (user + system) / done };
  };

  const results: Record<keyof typeof ports, { perSecond: number; cpuUs: number }[]> = { ours: [], bare: [] };
  await round(ports.ours);
  await round(ports.bare);
  for (let index = 0; index < rounds; index++) for (const name of ['bare', 'ours'] as const) results[name].push(await round(ports[name]));
  other.kill();
  const [ours, plain] = [middle(results.ours), middle(results.bare)];
  console.log(`machine: ${cpus().length} × ${cpus()[0]?.model}, load ${loadavg()[0]!.toFixed(1)}, node ${process.version}; medians of ${rounds} rounds of ${roundMs} ms`);
  console.log(`bare fastify    ${plain.perSecond.toFixed(0)} requests/s, ${plain.cpuUs.toFixed(1)} µs CPU each`);
  console.log(`GET one alert   ${ours.perSecond.toFixed(0)} requests/s, ${ours.cpuUs.toFixed(1)} µs CPU each`);
  console.log(`ratio           ${(ours.perSecond / plain.perSecond).toFixed(2)} by requests/s, ${(plain.cpuUs / ours.cpuUs).toFixed(2)} by CPU (target ≥ 0.6)`);
  console.log(`authentication  ${(await authenticationUs(api)).toFixed(1)} µs CPU a request, warm (target ≤ 50)`);
  await bare.close();
  await api.stop();
}

async function authenticationUs(api: Awaited<ReturnType<typeof startApi>>): Promise<number> {
  const log = { debug() {}, info() {}, warn() {}, error() {}, child: () => log };
  const usage = new KeyUsage(api.store.identity, api.clock, log);
  const { authenticate } = basicAuthenticator({ identity: api.store.identity, clock: api.clock, usage });
  const incoming = { authorization: api.managed.authorization, address: '127.0.0.1', params: { organizationId: api.managed.organizationId, serviceId: api.managed.serviceId }, operation: getAlert, requestId: 'r' };
  const times: number[] = [];
  for (let batch = 0; batch < 12; batch++) {
    const cpu = process.cpuUsage();
    for (let index = 0; index < 10_000; index++) await authenticate(incoming);
    const { user, system } = process.cpuUsage(cpu);
    times.push((user + system) / 10_000);
  }
  await usage.stop();
  return times.slice(2).sort((a, b) => a - b)[5]!;
}

function middle(results: { perSecond: number; cpuUs: number }[]): { perSecond: number; cpuUs: number } {
  const sorted = (key: 'perSecond' | 'cpuUs') => results.map((result) => result[key]).sort((a, b) => a - b)[Math.floor(results.length / 2)]!;
  return { perSecond: sorted('perSecond'), cpuUs: sorted('cpuUs') };
}

if (process.argv[2] === 'client') client();
else if (process.argv[1] === import.meta.filename) await server();
