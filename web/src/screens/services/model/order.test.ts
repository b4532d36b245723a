import { describe, expect, it } from 'vitest';
import type { Figures } from './figures.ts';
import { badness, ordered } from './order.ts';

const one = (name: string, calls: number, errors: number, p95?: number): Figures => ({
  name,
  calls,
  errors,
  p50: undefined,
  p95,
  p99: undefined,
});
const names = (list: readonly Figures[]): string[] => list.map(({ name }) => name);

describe('the order of services', () => {
  const list = [
    one('calm', 1000, 0, 5),
    one('slow', 1000, 0, 900),
    one('once', 1, 1, 1),
    one('broken', 1000, 500, 20),
    one('idle', 0, 0),
  ];

  it('is worst first: errors that count, then slow ones', () => {
    const worst = ordered(list, { column: undefined, isUp: false });
    expect(names(worst)).toEqual(['broken', 'once', 'slow', 'calm', 'idle']);
  });

  it('is by a column, greatest or least first, and without a value last', () => {
    const by = (column: 'p95' | 'errors' | 'calls' | 'name', isUp: boolean) =>
      names(ordered(list, { column, isUp }));
    expect(by('p95', false)).toEqual(['slow', 'broken', 'calm', 'once', 'idle']);
    expect(by('p95', true)).toEqual(['once', 'calm', 'broken', 'slow', 'idle']);
    expect(by('errors', false)).toEqual(['once', 'broken', 'calm', 'slow', 'idle']);
    expect(by('name', true)).toEqual(['broken', 'calm', 'idle', 'once', 'slow']);
    expect(by('name', false)).toEqual(['slow', 'once', 'idle', 'calm', 'broken']);
  });

  it('trusts a share of few requests less', () => {
    expect(badness({ calls: 1, errors: 1 })).toBeCloseTo(0.2065, 4);
    expect(badness({ calls: 1000, errors: 500 })).toBeCloseTo(0.4691, 4);
    expect(badness({ calls: 0, errors: 0 })).toBe(0);
    expect(badness({ calls: 100, errors: 0 })).toBe(0);
  });
});
