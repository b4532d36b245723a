import { describe, expect, it } from 'vitest';
import { setFuzz } from './fuzz.ts';

const fuzz = setFuzz();

describe('twenty thousand inputs made from the OpenAPI document', () => {
  it('are answered as it says, and never with a 5xx', async () => {
    const statuses = await fuzz(20_000, Number(process.env['FUZZ_SEED'] ?? 1));
    expect(statuses['200']).toBeGreaterThan(3000);
  }, 900_000);
});
