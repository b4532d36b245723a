import { describe, expect, it } from 'vitest';
import { ColorBook, severityLook } from './series-colors.ts';

describe('ColorBook', () => {
  it('gives a name the same colour again, whatever came between', () => {
    const book = new ColorBook();
    book.add(['cart', 'checkout']);
    const before = book.look('cart');
    book.add(['payment', 'stock']);
    expect(book.look('cart')).toEqual(before);
  });

  it('gives eight names eight colours, and the ninth a dashed one', () => {
    const book = new ColorBook();
    const names = Array.from({ length: 9 }, (_, index) => `service ${index}`);
    book.add(names);
    const looks = names.map((name) => book.look(name));
    const solid = looks.filter(({ isDashed }) => !isDashed).map(({ color }) => color);
    expect(new Set(solid).size).toBe(8);
    expect(looks.filter(({ isDashed }) => isDashed)).toHaveLength(1);
  });

  it('does not depend on the order of a chart', () => {
    const [one, two] = [new ColorBook(), new ColorBook()];
    one.add(['a', 'b', 'i']);
    two.add(['i', 'b', 'a']);
    expect(['a', 'b', 'i'].map((name) => one.look(name))).toEqual(
      ['a', 'b', 'i'].map((name) => two.look(name)),
    );
  });
});

it('shows severities in their colours', () => {
  expect(severityLook('ERROR').color).toBe('var(--bar-error)');
  expect(severityLook('').color).toBe('var(--bar-other)');
});
