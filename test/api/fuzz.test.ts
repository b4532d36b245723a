import { describe, expect, it } from 'vitest';
import { setFuzz } from './fuzz.ts';

const fuzz = setFuzz();

describe('six hundred inputs made from the OpenAPI document', () => {
  it('are answered as it says, and never with a 5xx', async () => {
    const statuses = await fuzz(600, 20_261_121);
    expect(statuses['200']).toBeGreaterThan(100);
    expect(statuses['400']).toBeGreaterThan(50);
  });
});
