import { afterAll, beforeAll, expect } from 'vitest';
import { openDescription } from '../../src/http/surfaces/open.ts';
import { startApiWithEngine, type ApiWithEngine } from '../kit/api-with-engine.ts';
import { fuzzSurface } from '../kit/fuzz-surface.ts';

/** To be called once at the head of a file: sends inputs, and counts answers by their status. */
export function setFuzz(): (inputs: number, seed: number) => Promise<Record<string, number>> {
  let world: ApiWithEngine;
  beforeAll(async () => {
    world = await startApiWithEngine();
  });
  afterAll(() => world?.stop());
  return async (inputs, seed) => {
    const statuses = await fuzzSurface({
      description: openDescription,
      url: world.api.url,
      headers: { authorization: `Bearer ${world.api.accessKey}` },
      inputs,
      seed,
    });
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    return statuses;
  };
}
