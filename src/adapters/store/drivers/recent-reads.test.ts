import { describe, expect, test } from 'vitest';
import { RecentReads, type Row } from './recent-reads.ts';

const byId = {};
const same = (row: Row) => row;

function table(rows: Record<string, Row>) {
  const state = { rows, version: 1, reads: 0 };
  const recent = new RecentReads({ storedVersion: () => state.version, pollMs: 0, entriesMax: 3 });
  return {
    state,
    recent,
    find: (id: string, statement: object = byId) =>
      recent.first(
        statement,
        { id },
        () => {
          state.reads++;
          return state.rows[id];
        },
        same,
      ),
  };
}

describe('recent reads', () => {
  test('a row is read once, and so is that there is none', () => {
    const { state, find } = table({ a: { name: 'A' } });
    expect([find('a'), find('a'), find('b'), find('b')]).toEqual([
      { name: 'A' },
      { name: 'A' },
      undefined,
      undefined,
    ]);
    expect(state.reads).toBe(2);
  });

  test('what is shared cannot be changed, not even deep inside', () => {
    const { recent } = table({});
    const shared = recent.first(
      byId,
      { id: 'a' },
      () => ({ body: '{"tiles":[{"x":1}]}' }),
      ({ body }) => JSON.parse(body as string) as { tiles: { x: number }[] },
    );
    const tiles = shared?.tiles ?? [];
    expect(tiles).toEqual([{ x: 1 }]);
    expect(() => Object.assign(tiles[0] ?? {}, { x: 2 })).toThrow(TypeError);
    expect(() => tiles.push({ x: 3 })).toThrow(TypeError);
  });

  test('after a commit of this process nothing is remembered', () => {
    const { state, recent, find } = table({ a: { name: 'A' } });
    find('a');
    state.rows = { a: { name: 'changed' }, b: { name: 'new' } };
    recent.clear();
    expect([find('a'), find('b')]).toEqual([{ name: 'changed' }, { name: 'new' }]);
  });

  test('nor after a commit of another process', () => {
    const { state, find } = table({ a: { name: 'A' } });
    find('a');
    state.rows = {};
    state.version = 2;
    expect(find('a')).toBeUndefined();
  });

  test('statements and values are told apart', () => {
    const { recent } = table({});
    recent.first(byId, { a: 'x', b: 'yz' }, () => ({ id: 1 }), same);
    expect(recent.first(byId, { a: 'xy', b: 'z' }, () => ({ id: 2 }), same)).toEqual({ id: 2 });
    expect(recent.first({}, { a: 'x', b: 'yz' }, () => ({ id: 3 }), same)).toEqual({ id: 3 });
  });

  test('the memory it takes is bounded: by rows, and by the size of each', () => {
    const long = { text: 'x'.repeat(20_000) };
    const { state, find } = table({ long });
    expect([find('long'), find('long')]).toEqual([long, long]);
    expect(state.reads).toBe(2);
    for (const id of ['a', 'b', 'c', 'd', 'a']) {
      find(id);
    }
    expect(state.reads).toBe(7);
  });
});
