import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { treeOf, type Branch, type Value } from './attribute-tree.ts';

const value = (label: string): Value => ({ name: `LogAttributes.${label}`, label, value: label });
const namesOf = ({ values, branches }: Branch): string[] => [
  ...values.map(({ name }) => name),
  ...branches.flatMap(namesOf),
];

describe('tree of attributes', () => {
  it('groups names that begin alike, and joins parts that lead to one group', () => {
    const tree = treeOf(
      ['http.request.method', 'http.request.body.size', 'order', 'host.name'].map(value),
    );
    expect(tree.values.map(({ label }) => label)).toEqual(['order', 'host.name']);
    expect(tree.branches).toEqual([
      {
        title: 'http.request',
        values: [
          { ...value('http.request.method'), label: 'method' },
          { ...value('http.request.body.size'), label: 'body.size' },
        ],
        branches: [],
      },
    ]);
  });

  it('shows a value whose name begins the names of others', () => {
    const tree = treeOf(['http', 'http.method', 'http.route'].map(value));
    expect(tree.values.map(({ label }) => label)).toEqual(['http']);
    expect(tree.branches[0]?.values.map(({ label }) => label)).toEqual(['method', 'route']);
  });

  it('loses no value, whatever the names are', () => {
    const label = fc.string({ unit: fc.constantFrom('a', 'b', '.'), minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(fc.uniqueArray(label, { maxLength: 12 }), (labels) => {
        const names = namesOf(treeOf(labels.map(value)));
        expect(names.toSorted()).toEqual(labels.map((one) => `LogAttributes.${one}`).toSorted());
      }),
    );
  });
});
