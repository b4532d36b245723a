import { expect, test } from 'vitest';
import type { TargetTable } from '../../../../ports/batch.ts';
import { binaryColumn, type BinaryColumn } from '../binary/binary-column.ts';
import type { BinaryRows } from '../binary/binary-rows.ts';
import { clickhouseColumn } from '../types/column-of.ts';
import type { PgColumn } from '../types/pg-column.ts';
import { TableBlocks } from './table-blocks.ts';

const mebibyte = 2 ** 20;
const columns: PgColumn[] = ['int8', 'text'].map((name, index) => ({
  name: `c${index}`,
  number: index + 1,
  type: { oid: 1, name, schema: 'pg_catalog', kind: 'base' },
  typmod: -1,
  dimensions: 0,
  notNull: true,
  generated: false,
}));
const mappings = columns.map((column) => clickhouseColumn(column, { allowNullable: false }));
const target: TargetTable = {
  table: 't',
  engine: 'ReplacingMergeTree',
  sortingKey: ['c0'],
  columns: [
    ...mappings.map(({ column }) => column),
    { name: 'version', type: 'UInt64' },
    { name: 'deleted', type: 'UInt8' },
  ],
};
const blocksOf = (bytes: number): TableBlocks =>
  new TableBlocks({
    target,
    columns: mappings.map(
      (mapping, index) => binaryColumn(mapping, columns[index]!.type) as BinaryColumn,
    ),
    version: 9n,
    bytes,
  });

/** A block with rows of this text, and what goes to the engine. */
function fill(block: BinaryRows, rows: number, text: string): readonly Buffer[] {
  const row = Buffer.alloc(18 + text.length);
  row.writeInt16BE(2, 0);
  row.writeInt32BE(8, 2);
  row.writeInt32BE(text.length, 14);
  row.write(text, 18);
  const header = Buffer.alloc(19);
  const bytes = Buffer.concat([header, ...Array.from({ length: rows }, () => row)]);
  block.add(bytes, 0, bytes.length);
  return block.take('p').data;
}

const bytesOf = (data: readonly Buffer[]): string => Buffer.concat(data).toString('base64');
const lengthOf = (data: readonly Buffer[]): number =>
  data.reduce((sum, { length }) => sum + length, 0);

test('a block that is given back is filled again, in the same memory', () => {
  const blocks = blocksOf(mebibyte);
  const first = blocks.take(1000);
  const data = bytesOf(fill(first, 1000, 'one'));
  blocks.give(first);
  const again = blocks.take(1000);
  expect(again).toBe(first);
  expect(bytesOf(fill(again, 1000, 'one'))).toBe(data);
  expect(blocks.take(1000)).not.toBe(first);
});

test('the blocks of a table share large pieces of memory, so that few are made', () => {
  const blocks = blocksOf(16 * mebibyte);
  const data = Array.from({ length: 8 }, () => fill(blocks.take(1000), 1000, 'x'.repeat(500)));
  const large = data.flat().filter(({ buffer }) => buffer.byteLength > 64 * 1024);
  const pieces = new Set(large.map(({ buffer }) => buffer));
  expect([...pieces].map(({ byteLength }) => byteLength >= 16 * mebibyte)).toEqual([true]);
});

test('the memory is freed when the table is stored, unless the engine may still read a block', () => {
  const [stored, unclear] = [blocksOf(mebibyte), blocksOf(mebibyte)];
  const [block, other] = [stored.take(1000), unclear.take(1000)];
  const [data, kept] = [fill(block, 1000, 'stored'), fill(other, 1000, 'may still be read')];
  const keptBytes = bytesOf(kept);
  const texts = lengthOf(data);
  unclear.close();
  stored.give(block);
  stored.close();
  expect(lengthOf(data)).toBeLessThan(texts / 2);
  expect(bytesOf(kept)).toBe(keptBytes);
});
