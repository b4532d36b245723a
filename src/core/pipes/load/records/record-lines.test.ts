import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PackedRecords, RecordBatch, SourceRecord } from '../../../../ports/batch.ts';
import { recordPosition } from '../../kinds/virtual-fields.ts';
import { rowMapper } from './mapping.ts';
import { recordLines, type RecordLines } from './record-lines.ts';

const columns = [
  { name: 'a', type: 'Int64' },
  { name: 'place', type: 'String' },
];
const unchanged = rowMapper({}, [], columns);
const mapped = rowMapper(
  { _offset: recordPosition },
  [
    { sourceField: 'x.y', destinationField: 'a' },
    { sourceField: '_offset', destinationField: 'place' },
  ],
  columns,
);

/** A batch of packed records whose positions count on from `first`. */
function packedBatch(values: readonly (string | null)[], first = 0): RecordBatch {
  const records = values.map((value, index): SourceRecord => ({
    position: String(first + index),
    data: value === null ? null : Buffer.from(value),
  }));
  const spans: number[] = [];
  const parts: Buffer[] = [];
  let offset = 0;
  for (const { data } of records) {
    // A quote stands between the values: nothing may read on into it.
    const part = Buffer.concat([Buffer.from('"'), data ?? Buffer.alloc(0)]);
    parts.push(part);
    spans.push(...(data ? [offset + 1, offset + part.length] : [-1, -1]));
    offset += part.length;
  }
  const packed: PackedRecords = {
    count: values.length,
    data: Buffer.concat([...parts, Buffer.from('"')]),
    spans: Int32Array.from(spans),
    surrender: () => undefined,
    record: (index) => records[index]!,
  };
  return { kind: 'records', partition: 'p', next: 'n', bytes: offset, packed, records };
}

const textOf = ({ rows }: RecordLines): string => Buffer.concat(rows.pieces()).toString();

describe('records as rows', () => {
  it('are the same whether they are packed or objects', async () => {
    const value = fc.oneof(
      fc.constant(null),
      fc.constantFrom('', '[]', '{"x":', '{"x":{"y":1}}x', '{"x":{"y":1},"x.y":2}'),
      fc
        .record({ x: fc.dictionary(fc.constantFrom('y', 'z', 'ÿ'), fc.jsonValue()) })
        .map((one) => JSON.stringify(one)),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(value)), async (lists) => {
        const batches = lists.map((values, index) => packedBatch(values, 100 * index));
        const bytes = batches.reduce((sum, batch) => sum + batch.bytes, 0);
        const packed = await recordLines(mapped, batches, bytes);
        const objects = await recordLines(
          mapped,
          batches.map(({ packed: _packed, ...batch }) => batch),
          bytes,
        );
        expect(textOf(packed)).toBe(textOf(objects));
        expect(packed.refused).toEqual(objects.refused);
        for (let row = 0; row < packed.rows.rows; row++) {
          const { position } = packed.record(row);
          expect(position).toBe(objects.record(row).position);
          expect(packed.rows.row(row).toString()).toContain(`"place":"${position}"`);
        }
      }),
    );
  });

  it.each([
    ['unchanged', unchanged],
    ['mapped', mapped],
  ])('leave others their turn while hundreds of thousands are %s', async (_, mapper) => {
    const values = Array.from({ length: 50_000 }, (__, index) => `{"a":1,"x":{"y":${index}}}`);
    const batches = Array.from({ length: 8 }, () => packedBatch(values));
    let turns = 0;
    const count = (): void => {
      turns++;
      next = setImmediate(count);
    };
    let next = setImmediate(count);
    const lines = await recordLines(mapper, batches, 8 * values.length * 30);
    clearImmediate(next);
    expect(lines.rows.rows).toBe(8 * values.length);
    expect(turns).toBeGreaterThan(1);
  });
});
