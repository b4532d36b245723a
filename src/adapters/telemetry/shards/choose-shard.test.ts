import { expect, test } from 'vitest';
import { chooseShard } from './choose-shard.ts';

const shardsNamed = (...names: string[]) => names.map((name) => ({ name }));
const two = shardsNamed('a:9000', 'b:9000');
const three = shardsNamed('a:9000', 'b:9000', 'c:9000');
const tokens = Array.from({ length: 3000 }, (_, index) => `token ${index}`);

test('every token has one shard, whatever the order of the shards, and each shard a fair share', () => {
  const shares = new Map<string, number>();
  for (const token of tokens) {
    const name = chooseShard(token, three)!.name;
    expect(chooseShard(token, three.toReversed())!.name).toBe(name);
    shares.set(name, (shares.get(name) ?? 0) + 1);
  }
  expect(shares.size).toBe(3);
  expect(Math.min(...shares.values())).toBeGreaterThan(850);
});

test('a new shard takes tokens from the others, and no token moves between those', () => {
  const moved = tokens.filter(
    (token) => chooseShard(token, two)!.name !== chooseShard(token, three)!.name,
  );
  expect(moved.length).toBeGreaterThan(850);
  expect(new Set(moved.map((token) => chooseShard(token, three)!.name))).toEqual(
    new Set(['c:9000']),
  );
});

test('without a shard there is none to choose', () => {
  expect(chooseShard('token', [])).toBeUndefined();
});
