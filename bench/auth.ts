import { cpus, loadavg } from 'node:os';
import { getAlert } from '../src/contract/alert/alert.ts';
import { basicAuthenticator } from '../src/http/auth/basic.ts';
import { KeyUsage } from '../src/http/auth/key-usage.ts';
import { startApi } from '../test/kit/api.ts';

/**
 * What authentication with an organization API key costs, warm; the whole request is a row of
 * bench/api.ts. `npx tsx bench/auth.ts`
 */
const targetUs = 50;
const perBatch = 10_000;

const api = await startApi();
const log = { debug() {}, info() {}, warn() {}, error() {}, child: () => log };
const usage = new KeyUsage(api.store.identity, api.clock, log);
const { authenticate } = basicAuthenticator({
  identity: api.store.identity,
  clock: api.clock,
  usage,
});
const { authorization, organizationId, serviceId } = api.managed;
const incoming = {
  authorization,
  address: '127.0.0.1',
  params: { organizationId, serviceId },
  method: 'GET',
  headers: {},
  operation: getAlert,
  requestId: 'r',
};
const times: number[] = [];
for (let batch = 0; batch < 12; batch++) {
  const cpu = process.cpuUsage();
  for (let index = 0; index < perBatch; index++) {
    await authenticate(incoming);
  }
  const { user, system } = process.cpuUsage(cpu);
  times.push((user + system) / perBatch);
}
// The first two warm it up.
const medianUs = times.slice(2).sort((a, b) => a - b)[5]!;
console.log(`${cpus().length} cores, load ${loadavg()[0]!.toFixed(1)}, node ${process.version}`);
console.log(
  `${medianUs <= targetUs ? 'PASS' : 'MISS'} authentication: ${medianUs.toFixed(1)} µs CPU a ` +
    `request, warm (target ≤ ${targetUs})`,
);
await usage.stop();
await api.stop();
