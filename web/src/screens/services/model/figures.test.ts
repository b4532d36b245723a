import { describe, expect, it } from 'vitest';
import { entryCondition, figuresOf, linesOf, type SpanSource } from './figures.ts';

const source = {
  id: 'a'.repeat(24),
  kind: 'trace',
  name: 'Traces',
  from: { databaseName: 'd', tableName: 't' },
  timestampValueExpression: 'Timestamp',
} as SpanSource;

describe('the condition for requests', () => {
  it('takes what the source has: kinds, parents, both or none', () => {
    const kinds = `K IN ('Server', 'Consumer', 'SPAN_KIND_SERVER', 'SPAN_KIND_CONSUMER')`;
    const parents = `ifNull(toString(P), '') = ''`;
    expect(
      entryCondition({ ...source, spanKindExpression: 'K', parentSpanIdExpression: 'P' }),
    ).toBe(`${kinds} OR ${parents}`);
    expect(entryCondition({ ...source, parentSpanIdExpression: 'P' })).toBe(parents);
    expect(entryCondition(source)).toBe('');
  });
});

describe('figures', () => {
  it('of totals are in nanoseconds; a missing value stays missing', () => {
    const rows = [
      { group: ['cart'], 'series_0.data': 4, 'series_1.data': 1, 'series_2.data': 2 },
      { group: [''] },
    ];
    expect(figuresOf({ rows, groups: 2 }, 1000)).toEqual([
      { name: 'cart', calls: 4, errors: 1, p50: 2000, p95: undefined, p99: undefined },
      { name: '', calls: 0, errors: 0, p50: undefined, p95: undefined, p99: undefined },
    ]);
  });

  it('over time: calls in a second of the part that is over, and shares of errors', () => {
    const startMs = 1_767_225_615_000;
    const span = { startMs, endMs: startMs + 120_000 };
    const point = (ts_bucket: number, calls: number, errors: number) => ({
      ts_bucket,
      group: ['cart'],
      'series_0.data': calls,
      'series_1.data': errors,
      'series_3.data': 5,
    });
    const points = [point(1_767_225_600_000, 30, 3), point(1_767_225_660_000, 30, 0)];
    const lines = linesOf({ points, span, atMs: startMs + 60_000 }, 2).get('cart');
    // Buckets of 30 s: from second 0 (of which 15 are in range) to second 135.
    expect(lines?.calls).toEqual([2, 0, 2, null, null]);
    expect(lines?.errors).toEqual([0.1, null, 0, null, null]);
    expect(lines?.p95).toEqual([10, null, 10, null, null]);
    expect(lines?.p50).toEqual([null, null, null, null, null]);
  });
});
