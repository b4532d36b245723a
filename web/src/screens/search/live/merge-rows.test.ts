import { describe, expect, it } from 'vitest';
import { merged } from './merge-rows.ts';

const rowsOf = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    _id: `${String(from + count - index).padStart(19, '0')}.a`,
  }));

describe('rows of the live tail', () => {
  it('are there once each, newest first', () => {
    const known = rowsOf(0, 3);
    const found = [...rowsOf(3, 2), ...known.slice(0, 1)];
    expect(merged(found, known)).toEqual([...rowsOf(3, 2), ...known]);
    expect(merged(known, known)).toBe(known);
  });

  it('that come late stand at their time', () => {
    const [third, second, first] = rowsOf(0, 3);
    expect(merged([second!], [third!, first!])).toEqual([third, second, first]);
  });

  it('are the newest 5,000', () => {
    const kept = merged(rowsOf(4800, 500), rowsOf(0, 4800));
    expect(kept).toHaveLength(5000);
    expect(kept).toEqual(rowsOf(300, 5000));
  });
});
