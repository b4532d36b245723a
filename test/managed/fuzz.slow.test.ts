import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { managedDescription } from '../../src/http/surfaces/managed.ts';
import { startApiWithEngine, type ApiWithEngine } from '../kit/api-with-engine.ts';
import { fuzzSurface } from '../kit/fuzz-surface.ts';
import { newAlert, newSavedSearch } from '../kit/stack-objects.ts';
import { pipeInput } from './managed-call.ts';

let world: ApiWithEngine;
beforeAll(async () => {
  world = await startApiWithEngine();
});
afterAll(() => world?.stop());

describe('five thousand inputs made from the OpenAPI document of the managed surface', () => {
  it('are answered as it says, and never with a 5xx', async () => {
    const { managed, url } = world.api;
    const idsOf = (count: number, make: () => Promise<{ id: string }>): Promise<string[]> =>
      Promise.all(Array.from({ length: count }, async () => (await make()).id));
    const pipes = await idsOf(
      20,
      async () =>
        (
          await managed.call(
            'POST',
            `/organizations/${managed.organizationId}/services/${managed.serviceId}/pipes`,
            { body: pipeInput() },
          )
        ).json.result as { id: string },
    );
    const ids = [
      ...(await idsOf(20, async () =>
        newAlert(world.api, { savedSearchId: (await newSavedSearch(world.api)).id }),
      )),
      ...(await idsOf(20, () => newSavedSearch(world.api))),
    ];
    const params = { organizationId: managed.organizationId, serviceId: managed.serviceId };
    const statuses = await fuzzSurface({
      description: managedDescription,
      url,
      headers: { authorization: managed.authorization },
      params,
      existing: { ids, pipes },
      inputs: Number(process.env['FUZZ_INPUTS'] ?? 5000),
      seed: Number(process.env['FUZZ_SEED'] ?? 1),
    });
    expect(statuses['200']).toBeGreaterThan(1000);
  }, 900_000);
});
