import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDescription } from '../../src/http/surfaces/open.ts';
import { startApi, type ApiKit } from '../kit/api.ts';
import { fuzzSurface } from '../kit/fuzz-surface.ts';

let api: ApiKit;
beforeAll(async () => { api = await startApi(); });
afterAll(() => api.stop());

describe('inputs made from the OpenAPI document', () => {
  it('are answered as it says, and never with a 5xx', async () => {
    const statuses = await fuzzSurface({
      description: openDescription, url: api.url, headers: { authorization: `Bearer ${api.accessKey}` }, inputs: 500, seed: 20_261_121,
      mayBeAway: (operationId) => ['querySeries', 'search', 'listSourceFields', 'previewAlert'].includes(operationId),
    });
    expect(statuses['200']).toBeGreaterThan(100);
    expect(statuses['400']).toBeGreaterThan(50);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});
