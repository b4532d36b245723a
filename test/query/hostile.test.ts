import { existsSync } from 'node:fs';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ChartRequest } from '../../src/contract/query/chart.ts';
import { SearchRequest } from '../../src/contract/query/search.ts';
import { attack, openTarget, withoutEcho, type Target } from './hostile-target.ts';
import { hostileExpressions } from './hostile-corpus.ts';

let target: Target;
beforeAll(async () => {
  target = await openTarget();
});
afterAll(() => target.kit.close());

describe('hostile text', () => {
  it('the corpus has at least 300 different strings', () => {
    expect(new Set(hostileExpressions).size).toBeGreaterThanOrEqual(300);
  });

  it('the look for leaks takes out what the attack said, and nothing else', () => {
    expect(withoutEcho('unknown column "a DB::x"', 'a DB::x')).not.toContain('DB::');
    expect(
      withoutEcho('"DB::Exception: no such table in /tmp/engine/store"', "file('x')"),
    ).toContain('DB::Exception: no such table in /tmp/engine/store');
    expect(withoutEcho('"Code: 60" in /tmp/a', 'Code: 6')).toContain('/tmp/a');
  });

  it('in any field: refused or answered from the source’s own rows, with no change and no other access', async () => {
    for (const text of hostileExpressions) {
      await attack(target, text);
    }
    await target.expectUnchanged();
    expect(existsSync('/tmp/sightline-out')).toBe(false);
    expect(existsSync('/tmp/sightline-pwned')).toBe(false);
  }, 120_000);

  it('generated text: refused or answered, nothing changed', async () => {
    const { fragments } = target;
    await fc.assert(
      fc.asyncProperty(
        fc
          .array(fc.constantFrom(...fragments), { minLength: 1, maxLength: 12 })
          .map((parts) => parts.join('')),
        (text) => attack(target, text),
      ),
      { numRuns: 150 },
    );
    await target.expectUnchanged();
  }, 120_000);

  it('a source of one kind cannot be asked for another’s table', async () => {
    const request = ChartRequest.parse({
      startTime: 1_767_225_600_000,
      endTime: 1_767_229_200_000,
      series: [
        {
          sourceId: 'a'.repeat(24),
          aggFn: 'count',
          where: "Body IN ('otel_traces')",
          whereLanguage: 'sql',
        },
      ],
    });
    expect(
      await target.kit.query.series(request, (id) => Promise.resolve(target.kit.sources[id])),
    ).toEqual([]);
    expect(() => SearchRequest.parse({ sourceId: 'system.tables' })).toThrow();
  });
});
