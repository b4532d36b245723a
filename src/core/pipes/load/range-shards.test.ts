import { expect, test } from 'vitest';
import { ShardAway, type TelemetryShard, type TelemetryShards } from '../../../ports/telemetry.ts';
import type { PreparedTable } from '../tables/prepare-shards.ts';
import { RangeShards } from './range-shards.ts';

const shard = (name: string) => ({ name }) as TelemetryShard;
const [one, two, three] = [shard('one:9000'), shard('two:9000'), shard('three:9000')];

/** A cluster of which some shards respond; the last of those that may be chosen is. */
const cluster = (present: TelemetryShard[]) =>
  ({
    present: () => present,
    named: (name: string | null) => [one, two, three].find((each) => each.name === name),
    choose: (_: string, among: readonly TelemetryShard[]) => among.at(-1),
  }) as unknown as TelemetryShards;
const table = (shards: TelemetryShard[], former?: TelemetryShard): PreparedTable => ({
  shards,
  placement: { slots: undefined, former },
});
const unused = () => Promise.reject(new Error('not asked'));

test('a new range goes to a shard that responds and has the table', async () => {
  const shards = new RangeShards(cluster([one, two]), table([one, two, three]), unused);
  expect(await shards.choose({}, 'key')).toBe(two);
});

test('a range that was begun stays with its shard, which may be away', async () => {
  const shards = new RangeShards(cluster([one]), table([one, two]), unused);
  expect(await shards.choose({ begun: { shard: 'two:9000' } }, 'key')).toBe(two);
});

test('a range begun before there were shards belongs to the server of that time', async () => {
  const shards = new RangeShards(cluster([one, two]), table([one, two], one), unused);
  expect(await shards.choose({ begun: { shard: null } }, 'key')).toBe(one);
  expect(await shards.choose({}, 'key')).toBe(two);
});

test('a range of a shard that the cluster no longer has goes to another', async () => {
  const shards = new RangeShards(cluster([one, two]), table([one, two]), unused);
  expect(await shards.choose({ begun: { shard: 'gone:9000' } }, 'key')).toBe(two);
});

test('a shard that was away at the start gets its table before its first range', async () => {
  let prepared = 0;
  const shards = new RangeShards(cluster([one, three]), table([one]), () => {
    prepared += 1;
    return Promise.resolve(table([one, three]));
  });
  expect(await shards.choose({}, 'key')).toBe(three);
  expect(await shards.choose({}, 'other key')).toBe(three);
  expect(prepared).toBe(1);
});

test('without a shard the range waits', async () => {
  const shards = new RangeShards(cluster([]), table([one]), unused);
  await expect(shards.choose({}, 'key')).rejects.toBeInstanceOf(ShardAway);
});
