import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDescription } from '../../src/http/surfaces/open.ts';
import { startApi, type ApiKit } from '../kit/api.ts';
import { fuzzSurface } from '../kit/fuzz-surface.ts';
import { openTestTelemetry, type TestTelemetry } from '../kit/telemetry.ts';

let api: ApiKit;
let engine: TestTelemetry;
beforeAll(async () => {
  engine = await openTestTelemetry({ database: 'telemetry' });
  api = await startApi({ telemetry: engine.telemetry });
});
afterAll(async () => {
  await api?.stop();
  await engine?.close();
});

describe('inputs made from the OpenAPI document', () => {
  it('are answered as it says, and never with a 5xx', async () => {
    const statuses = await fuzzSurface({
      description: openDescription, url: api.url, headers: { authorization: `Bearer ${api.accessKey}` }, inputs: 500, seed: 20_261_121,
      mayBeAway: () => false,
    });
    expect(statuses['200']).toBeGreaterThan(100);
    expect(statuses['400']).toBeGreaterThan(50);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});
