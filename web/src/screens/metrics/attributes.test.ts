import { describe, expect, it } from 'vitest';
import { attributesOf, readMap } from './attributes.ts';
import { formatOfUnit, functionOf } from './metric-kinds.ts';

describe('attributes of a metric', () => {
  it('reads maps as the engine writes them, whatever is in them', () => {
    expect(readMap("{'a':'1','b.c':'it\\'s, \\\\ {}','d':'two\\nlines'}")).toEqual(
      new Map([
        ['a', '1'],
        ['b.c', "it's, \\ {}"],
        ['d', 'two\nlines'],
      ]),
    );
    expect(readMap('{}').size).toBe(0);
  });

  it('counts the series of each value, and names keys as conditions do', () => {
    const found = attributesOf([
      ['cart', "{'state':'used','a key':'x'}"],
      ['cart', "{'state':'free'}"],
      ['', "{'state':'used'}"],
    ]);
    expect(found).toEqual([
      { name: 'a key', field: 'Attributes.`a key`', values: [{ value: 'x', series: 1 }] },
      { name: 'ServiceName', field: 'ServiceName', values: [{ value: 'cart', series: 2 }] },
      {
        name: 'state',
        field: 'Attributes.state',
        values: [
          { value: 'used', series: 2 },
          { value: 'free', series: 1 },
        ],
      },
    ]);
  });
});

describe('kinds of metrics', () => {
  it('have a format for the usual units, and show any other', () => {
    expect(formatOfUnit('By')).toEqual({ output: 'byte' });
    expect(formatOfUnit('ms')).toEqual({ output: 'duration', factor: 1e-3 });
    expect(formatOfUnit('{request}')).toEqual({ output: 'number', unit: 'request' });
    expect(formatOfUnit('toString')).toEqual({ output: 'number', unit: 'toString' });
    expect(formatOfUnit('')).toEqual({ output: 'number' });
  });

  it('take a function only if the type has it', () => {
    expect(functionOf('histogram', 'avg')).toBe('quantile');
    expect(functionOf('gauge', 'max')).toBe('max');
  });
});
