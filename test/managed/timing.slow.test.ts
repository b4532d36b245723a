import { Agent, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type ApiKit } from '../kit/api.ts';

const samples = 10_000;

let api: ApiKit;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

/** Microseconds until the whole answer is there. */
function timed(agent: Agent, authorization: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const began = process.hrtime.bigint();
    request(
      {
        port: api.port,
        host: '127.0.0.1',
        path: `/v1/organizations/${api.managed.organizationId}/keys`,
        agent,
        headers: { authorization },
      },
      (response) => {
        response.resume();
        response.on('end', () => resolve(Number(process.hrtime.bigint() - began) / 1000));
      },
    )
      .on('error', reject)
      .end();
  });
}

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.floor(share * (sorted.length - 1))]!;

describe('timing', () => {
  it('an unknown key id and a wrong secret take the same time, over 10,000 samples each', async () => {
    const listed = await api.newKey(['admin']);
    // The longest list a key can have: reading it must not show.
    await api.managed.organization('PATCH', `/keys/${listed.id}`, {
      body: {
        ipAccessList: Array.from({ length: 255 }, (_, index) => ({
          source: `10.0.${index}.0/24`,
          description: 'x'.repeat(50),
        })),
      },
    });
    await api.managed.organization('GET', '/keys');
    const kinds = {
      unknown: api.keyOf({ ...api.managed, keyId: 'x'.repeat(20), keySecret: 'y'.repeat(44) }),
      wrong: api.keyOf({ ...api.managed, keySecret: 'y'.repeat(44) }),
      'wrong, long list': api.keyOf({ ...listed, keySecret: 'y'.repeat(44) }),
      disabled: await api.newKey(['admin']),
    };
    await api.managed.organization('PATCH', `/keys/${kinds.disabled.id}`, {
      body: { state: 'disabled' },
    });
    const times = Object.fromEntries(Object.keys(kinds).map((kind) => [kind, [] as number[]]));
    const clients = 4;
    const order = Object.entries(kinds);
    // Taken in turns, each lane beginning elsewhere, so that whatever else the machine does falls
    // on all alike.
    await Promise.all(
      Array.from({ length: clients }, async (_, client) => {
        const agent = new Agent({ keepAlive: true, maxSockets: 1 });
        for (let sample = -50; sample < samples / clients; sample++) {
          for (let turn = 0; turn < order.length; turn++) {
            const [kind, key] = order[(turn + client) % order.length]!;
            const us = await timed(agent, key.authorization);
            if (sample >= 0) {
              times[kind]!.push(us);
            }
          }
        }
        agent.destroy();
      }),
    );
    const medians = Object.entries(times).map(([kind, list]) => {
      const sorted = list.toSorted((a, b) => a - b);
      console.log(
        `${kind}: median ${quantile(sorted, 0.5).toFixed(0)} µs, ` +
          `middle half ${quantile(sorted, 0.25).toFixed(0)} to ` +
          `${quantile(sorted, 0.75).toFixed(0)} µs, p99 ${quantile(sorted, 0.99).toFixed(0)} µs`,
      );
      return {
        median: quantile(sorted, 0.5),
        half: quantile(sorted, 0.75) - quantile(sorted, 0.25),
      };
    });
    const spread =
      Math.max(...medians.map(({ median }) => median)) -
      Math.min(...medians.map(({ median }) => median));
    console.log(`spread of the medians: ${spread.toFixed(1)} µs`);
    // Well inside what any one request differs from the next.
    expect(spread).toBeLessThan(Math.min(...medians.map(({ half }) => half)) / 2);
  });
});
