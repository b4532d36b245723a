import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startApi, type ApiKit } from '../kit/api.ts';
import { http } from '../kit/http.ts';

let api: ApiKit;
const clock = {
  time: 1_800_000_000_000,
  now() {
    return this.time;
  },
};
beforeAll(async () => {
  api = await startApi({
    clock,
    rateLimit: { requests: 5, windowMs: 10_000 },
    trustedProxies: ['127.0.0.1'],
  });
});
afterAll(() => api.stop());
beforeEach(() => {
  clock.time = (Math.floor(clock.time / 10_000) + 1) * 10_000;
});

const limits = (headers: Headers) =>
  ['limit', 'remaining', 'reset', 'policy'].map((name) => headers.get(`x-ratelimit-${name}`));

describe('the rate limit', () => {
  it('counts down, then answers 429 with when to come back, and starts again with the next window', async () => {
    clock.time += 2500;
    for (let remaining = 4; remaining >= 0; remaining--) {
      const { status, headers } = await api.call('GET', '/team');
      expect(status).toBe(200);
      expect(limits(headers)).toEqual(['5', String(remaining), '8', '5;w=10']);
    }
    const { status, headers, json } = await api.call('GET', '/team');
    expect(status).toBe(429);
    expect(limits(headers)).toEqual(['5', '0', '8', '5;w=10']);
    expect(headers.get('retry-after')).toBe('8');
    expect(json).toMatchObject({ code: 'rate_limited', requestId: headers.get('x-request-id') });
    clock.time += 7500;
    expect((await api.call('GET', '/team')).status).toBe(200);
  });

  it('is one for each credential', async () => {
    const other = await api.newCaller(api.teamId);
    for (let call = 0; call < 6; call++) {
      await api.call('GET', '/team');
    }
    expect((await api.call('GET', '/team')).status).toBe(429);
    expect((await other.call('GET', '/team')).status).toBe(200);
  });

  it('without a credential is one for each address, and does not touch those who have one', async () => {
    const guess = (address: string) =>
      http('GET', `${api.url}/api/v2/team`, {
        headers: { authorization: 'Bearer guess', 'x-forwarded-for': address },
      });
    for (let call = 0; call < 5; call++) {
      expect((await guess('198.51.100.7')).status).toBe(401);
    }
    expect((await guess('198.51.100.7')).status).toBe(429);
    expect((await guess('198.51.100.8')).status).toBe(401);
    expect(
      (await api.call('GET', '/team', { headers: { 'x-forwarded-for': '198.51.100.7' } })).status,
    ).toBe(200);
  });

  it('covers unknown paths, and leaves health alone', async () => {
    const statuses = [];
    for (let call = 0; call < 6; call++) {
      statuses.push((await http('GET', `${api.url}/api/v2/nowhere`)).status);
    }
    expect(statuses).toEqual([404, 404, 404, 404, 404, 429]);
    for (let call = 0; call < 10; call++) {
      expect((await http('GET', `${api.url}/health`)).status).toBe(200);
    }
  });
});
