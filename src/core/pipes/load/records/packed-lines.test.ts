import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PackedRecords } from '../../../../ports/batch.ts';
import { PackedLines } from './packed-lines.ts';

/** Values with something between them that must not come through. */
function pack(values: readonly (string | null)[], gaps: readonly number[] = []): PackedRecords {
  const spans = new Int32Array(values.length * 2);
  const parts: Buffer[] = [];
  let offset = 0;
  for (const [index, value] of values.entries()) {
    const gap = Buffer.alloc(gaps[index] ?? 5, '"');
    const text = Buffer.from(value ?? '');
    parts.push(gap, text);
    spans.set(
      value === null ? [-1, -1] : [offset + gap.length, offset + gap.length + text.length],
      index * 2,
    );
    offset += gap.length + text.length;
  }
  const data = Buffer.concat([...parts, Buffer.from('"')]);
  return {
    count: values.length,
    data,
    spans,
    surrender: () => undefined,
    record: (index) => ({
      position: String(index),
      data: values[index] === null ? null : data.subarray(spans[index * 2], spans[index * 2 + 1]),
    }),
  };
}

function linesOf(...packs: PackedRecords[]): PackedLines {
  const lines = new PackedLines();
  for (const pack of packs) {
    lines.add(pack);
  }
  return lines;
}

const textOf = (lines: PackedLines): string => Buffer.concat(lines.pieces()).toString();
const parsed = (lines: PackedLines): unknown[] =>
  textOf(lines)
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as unknown);

describe('packed records as lines', () => {
  it('are the objects in their order, with nothing of what stood between, and can be made again', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            value: fc.oneof(
              fc.dictionary(fc.string(), fc.jsonValue()).map((value) => JSON.stringify(value)),
              fc.constant(null),
              fc.constantFrom('', '{', '{"a":"x}', '[1]', '{}{}'),
            ),
            gap: fc.integer({ min: 1, max: 600 }),
          }),
        ),
        (given) => {
          const values = given.map(({ value }) => value);
          const good = values.flatMap((value, index) =>
            value !== null && /^\{.*\}$/s.test(value) && value !== '{}{}' && value !== '{"a":"x}'
              ? [{ value, index }]
              : [],
          );
          const packed = pack(
            values,
            given.map(({ gap }) => gap),
          );
          // An insert that failed is tried again on the same memory.
          for (let attempt = 0; attempt < 2; attempt++) {
            const lines = linesOf(packed);
            expect(parsed(lines)).toEqual(good.map(({ value }) => JSON.parse(value) as unknown));
            expect([lines.rows, lines.length]).toEqual([
              good.length,
              textOf(lines).length === 0 ? 0 : Buffer.concat(lines.pieces()).length,
            ]);
            expect(
              good.map((_, row) => [lines.row(row).toString(), lines.record(row).position]),
            ).toEqual(good.map(({ value, index }) => [value, String(index)]));
            expect(lines.refused.map(({ record }) => String(record.data))).toEqual(
              values.filter(
                (value, index) => value !== null && !good.some((one) => one.index === index),
              ),
            );
          }
        },
      ),
    );
  });

  it('of several packs are one behind the other', () => {
    const lines = linesOf(
      pack(['{"n":1}', '{"n":2}']),
      pack([]),
      pack([null]),
      pack(['{"n":3}', 'x', '{"n":4}']),
    );
    expect(parsed(lines)).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }]);
    expect([0, 1, 2, 3].map((row) => lines.row(row).toString())).toEqual([
      '{"n":1}',
      '{"n":2}',
      '{"n":3}',
      '{"n":4}',
    ]);
    expect(lines.refused.map(({ record, reason }) => [record.position, reason])).toEqual([
      ['1', 'the record is not a JSON object'],
    ]);
  });

  it('leave out wide gaps instead of writing blanks', () => {
    const lines = linesOf(pack(['{"n":1}', '{"n":2}'], [5, 100_000]));
    expect(parsed(lines)).toEqual([{ n: 1 }, { n: 2 }]);
    expect(lines.length).toBeLessThan(100);
  });
});
