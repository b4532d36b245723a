import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDescription } from '../../src/http/surfaces/open.ts';
import { startApiWithEngine, type ApiWithEngine } from '../kit/api-with-engine.ts';
import { fuzzSurface } from '../kit/fuzz-surface.ts';

let world: ApiWithEngine;
beforeAll(async () => {
  world = await startApiWithEngine();
});
afterAll(() => world?.stop());

describe('twenty thousand inputs made from the OpenAPI document', () => {
  it('are answered as it says, and never with a 5xx', async () => {
    const statuses = await fuzzSurface({
      description: openDescription,
      url: world.api.url,
      headers: { authorization: `Bearer ${world.api.accessKey}` },
      inputs: 20_000,
      seed: Number(process.env['FUZZ_SEED'] ?? 1),
    });
    expect(statuses['200']).toBeGreaterThan(4000);
  }, 900_000);
});
