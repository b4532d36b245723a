import * as fc from 'fast-check';
import { afterAll, beforeAll, it } from 'vitest';
import { attack, openTarget, type Target } from './hostile-target.ts';
import { hostileExpressions } from './hostile-corpus.ts';

let target: Target;
beforeAll(async () => {
  target = await openTarget();
});
afterAll(() => target.kit.close());

/** 20,000 texts through five places each: 100,000 cases. */
it('a hundred thousand hostile cases: only refusals of the 4xx kind, nothing changed, nothing reached', async () => {
  const fragment = fc.constantFrom(...target.fragments);
  const pieces = fc.array(
    fc.oneof(
      { weight: 4, arbitrary: fragment },
      {
        weight: 1,
        arbitrary: fc.constantFrom(...hostileExpressions).map((text) => text.slice(0, 60)),
      },
      { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }) },
    ),
    { minLength: 1, maxLength: 16 },
  );
  await fc.assert(
    fc.asyncProperty(
      pieces.map((parts) => parts.join('')),
      (text) => attack(target, text),
    ),
    { numRuns: 20_000 },
  );
  await target.expectUnchanged();
}, 1_200_000);
