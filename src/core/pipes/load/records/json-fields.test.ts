import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FieldFinder } from './json-fields.ts';
import { objectFault } from './json-scan.ts';

/** What was found for each path, as text. */
function foundIn(finder: FieldFinder, data: Buffer): (string | undefined)[] {
  const { slots } = finder;
  return Array.from({ length: slots.length / 2 }, (_, slot) =>
    slots[2 * slot]! < 0 ? undefined : data.toString('utf8', slots[2 * slot], slots[2 * slot + 1]),
  );
}

describe('wanted fields of a JSON object', () => {
  it('are the values that a parser finds, by path, wherever the object lies', () => {
    const paths = ['a', 'b.c', 'b.d e', 'b', 'missing', 'b.missing', 'ä', 'b.ä'];
    const finder = new FieldFinder(paths);
    fc.assert(
      fc.property(
        fc.record({
          a: fc.jsonValue(),
          b: fc.record({ c: fc.jsonValue(), 'd e': fc.jsonValue(), ä: fc.jsonValue() }),
          ä: fc.jsonValue(),
        }),
        fc.constantFrom(undefined, 1),
        fc.nat(5),
        fc.boolean(),
        (value, indent, before, hasView) => {
          const text = JSON.stringify(value, null, indent);
          // What stands around it would be found, were it looked at.
          const data = Buffer.from(`${'"'.repeat(before)}${text},"missing":1}`);
          const to = before + Buffer.byteLength(text);
          const view = new DataView(data.buffer, data.byteOffset, data.length);
          finder.find(data, before, to, hasView ? view : undefined);
          const { a, b, ä } = value;
          const wanted = [a, b.c, b['d e'], b, undefined, undefined, ä, b.ä];
          expect(foundIn(finder, data).map((one) => one && (JSON.parse(one) as unknown))).toEqual(
            wanted.map((one) => parsed(one)),
          );
        },
      ),
    );
  });

  it.each<[text: string, path: string, found: string | undefined]>([
    ['{"a.b":1}', 'a.b', '1'],
    ['{"a":{"b":2}}', 'a.b', '2'],
    ['{"a":1,"a":2}', 'a', '2'],
    ['{"\\u0061":1}', 'a', '1'],
    ['{"a\\\\b":1}', 'a\\b', '1'],
    ['{"a\\b":1}', 'a\\b', undefined],
    ['{"a\\"b":1}', 'a"b', '1'],
    ['{"aa":1,"b":2}', 'a', undefined],
    ['{"b":1,"a":2}', 'a', '2'],
    ['{"a":"}\\""}', 'a', '"}\\""'],
    ['{"a":{"a":[1,{"a":2}]}}', 'a', '{"a":[1,{"a":2}]}'],
    ['{"":1}', '', '1'],
    ['{"a":1.50e+3 }', 'a', '1.50e+3'],
    ['{"a" 1,"b":2}', 'b', undefined],
    ['{a:1}', 'a', undefined],
    ['{"a":}', 'a', ''],
  ])('%s has at %s the value %s', (text, path, found) => {
    const data = Buffer.from(text);
    expect(objectFault(data)).toBeUndefined();
    const finder = new FieldFinder([path]);
    finder.find(data);
    expect(foundIn(finder, data)).toEqual([found]);
  });

  it('are looked for inside the object alone, whatever it is', () => {
    const finder = new FieldFinder(['a', 'a.a', 'b']);
    const bytes = fc.array(fc.constantFrom(...Buffer.from('{}[]"\\ab:, 1')), { maxLength: 30 });
    fc.assert(
      fc.property(bytes, bytes, (middle, after) => {
        const inside = Buffer.from([0x7b, ...middle, 0x7d]);
        fc.pre(objectFault(inside) === undefined);
        finder.find(inside);
        const alone = [...finder.slots];
        finder.find(Buffer.from([...inside, ...after]), 0, inside.length);
        expect([...finder.slots]).toEqual(alone);
        expect(Math.max(...alone)).toBeLessThan(inside.length);
      }),
      { numRuns: 5000 },
    );
  });
});

const parsed = (value: unknown): unknown =>
  value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown);
