import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type ApiKit } from '../kit/api.ts';
import { http } from '../kit/http.ts';
import { nobodysId } from '../kit/stack-objects.ts';

let api: ApiKit;
const clock = {
  time: 1_800_000_000_000,
  now() {
    return this.time;
  },
};
let storeIsAway = false;
beforeAll(async () => {
  api = await startApi({
    clock,
    through: (store) => ({
      ...store,
      ping: () =>
        storeIsAway ? Promise.reject(new Error('away: postgres://user:canary@host')) : store.ping(),
    }),
  });
});
afterAll(() => api.stop());

describe('health', () => {
  it('says that the process is up', async () => {
    const { status, json } = await http('GET', `${api.url}/health`);
    expect(status).toBe(200);
    expect(json).toEqual({ status: 'ok', version: '0.0.0-test' });
  });

  it('is ready while everything answers, and names what does not, and nothing more', async () => {
    expect((await http('GET', `${api.url}/ready`)).json).toEqual({ status: 'ready' });
    storeIsAway = true;
    clock.time += 1000;
    const { status, json, headers } = await http('GET', `${api.url}/ready`);
    expect(status).toBe(503);
    expect(json).toEqual({ status: 'unavailable', failing: ['store'] });
    expect(headers.get('retry-after')).toBe('5');
    storeIsAway = false;
    clock.time += 1000;
    expect((await http('GET', `${api.url}/ready`)).status).toBe(200);
  });

  it('counts requests by route and status, never by path', async () => {
    await api.call('GET', `/alerts/${nobodysId}`);
    const { status, text, headers } = await http('GET', `${api.url}/metrics`);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^text\/plain/);
    expect(text).toContain(
      'sightline_http_request_duration_seconds_count{method="GET",route="/api/v2/alerts/:id",status="404"} 1',
    );
    expect(text).not.toContain(nobodysId);
  });
});
