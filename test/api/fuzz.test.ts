import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDescription } from '../../src/http/surfaces/open.ts';
import { startApiWithEngine, type ApiWithEngine } from '../kit/api-with-engine.ts';
import { fuzzSurface } from '../kit/fuzz-surface.ts';

let world: ApiWithEngine;
beforeAll(async () => {
  world = await startApiWithEngine();
});
afterAll(() => world?.stop());

describe('inputs made from the OpenAPI document', () => {
  it('are answered as it says, and never with a 5xx', async () => {
    const statuses = await fuzzSurface({
      description: openDescription,
      url: world.api.url,
      headers: { authorization: `Bearer ${world.api.accessKey}` },
      inputs: 500,
      seed: 20_261_121,
    });
    expect(statuses['200']).toBeGreaterThan(100);
    expect(statuses['400']).toBeGreaterThan(50);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});
