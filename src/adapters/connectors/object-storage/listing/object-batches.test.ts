import { describe, expect, it } from 'vitest';
import { ObjectBatches } from './object-batches.ts';

const batchesOf = (
  bounds: { bytesMax: number; filesMax: number },
  objects: readonly [name: string, bytes: number][],
): string[][] => {
  const batches = new ObjectBatches(bounds);
  const full = objects.flatMap(([name, bytes]) =>
    batches.add(name.endsWith('.csv') ? 'CSV' : 'JSONEachRow', {
      name,
      bytes,
      etag: 'x',
      modifiedAtMs: 0,
    }),
  );
  return [...full, ...batches.rest()].map((batch) => batch.objects.map(({ name }) => name));
};

describe('batches of objects', () => {
  it.each<[string, { bytesMax: number; filesMax: number }, [string, number][], string[][]]>([
    [
      'end at so many files',
      { bytesMax: 1000, filesMax: 2 },
      [
        ['a', 1],
        ['b', 1],
        ['c', 1],
        ['d', 1],
        ['e', 1],
      ],
      [['a', 'b'], ['c', 'd'], ['e']],
    ],
    [
      'end before so many bytes are passed',
      { bytesMax: 10, filesMax: 9 },
      [
        ['a', 4],
        ['b', 6],
        ['c', 1],
        ['d', 9],
        ['e', 1],
      ],
      [['a', 'b'], ['c', 'd'], ['e']],
    ],
    [
      'hold an object alone that is larger than all',
      { bytesMax: 10, filesMax: 9 },
      [
        ['a', 4],
        ['b', 60],
        ['c', 1],
      ],
      [['a'], ['b'], ['c']],
    ],
    [
      'have one format each',
      { bytesMax: 100, filesMax: 2 },
      [
        ['a.json', 1],
        ['b.csv', 1],
        ['c.json', 1],
        ['d.csv', 1],
        ['e.json', 1],
      ],
      [['a.json', 'c.json'], ['b.csv', 'd.csv'], ['e.json']],
    ],
  ])('%s', (_title, bounds, objects, expected) => {
    expect(batchesOf(bounds, objects)).toEqual(expected);
  });

  it('are given out with the file that fills them, not with the one after it', () => {
    const batches = new ObjectBatches({ bytesMax: 10, filesMax: 2 });
    const objectOf = (name: string, bytes: number) =>
      batches
        .add('CSV', { name, bytes, etag: 'x', modifiedAtMs: 0 })
        .map(({ objects }) => objects.map((object) => object.name));
    expect([
      objectOf('a', 1),
      objectOf('b', 1),
      objectOf('c', 9),
      objectOf('d', 9),
      objectOf('e', 1),
    ]).toEqual([[], [['a', 'b']], [], [['c']], [['d', 'e']]]);
  });

  it('hold no more names than fit into one query', () => {
    const names = Array.from({ length: 1000 }, (_, index): [string, number] => [
      `${'é'.repeat(100)}${index}`,
      1,
    ]);
    const batches = batchesOf({ bytesMax: 1e9, filesMax: 10_000 }, names);
    expect(batches.flat()).toHaveLength(1000);
    for (const batch of batches) {
      expect(batch.map(encodeURIComponent).join(',').length).toBeLessThan(160_000);
    }
  });
});
