import { expect, test } from 'vitest';
import { encodeRecord, readRecords, type LoggedBlock } from './record.ts';

const block = (number: number): LoggedBlock => ({
  origin: `segment/${number}`,
  database: 'shop',
  table: 'otel_logs',
  format: 'Native',
  columns: ['Timestamp', 'Body'],
  rows: number,
  days: [20_413],
  data: [Buffer.from(`data of block ${number}`), Buffer.from([0, number, 255])],
});
const blocks = [block(1), block(2), block(3)];
const mark = Buffer.from('0123456789abcdef', 'hex');
const records = blocks.map((each) => Buffer.concat(encodeRecord(each, mark)));
const file = Buffer.concat(records);
const read = (bytes: Buffer) => {
  const { blocks: found, ...rest } = readRecords(bytes, mark);
  return { rows: found.map(({ rows }) => rows), ...rest };
};

test('records are read as they were written', () => {
  const found = readRecords(file, mark);
  expect(found.blocks).toEqual(
    blocks.map((each) => ({ ...each, data: [Buffer.concat(each.data)] })),
  );
  expect([found.damaged, found.tornBytes]).toEqual([[], 0]);
});

test('a file that ends at any byte has the records before it', () => {
  const ends = [0, 1, 2, 3].map((count) => Buffer.concat(records.slice(0, count)).length);
  for (let end = 0; end <= file.length; end++) {
    const whole = ends.filter((each) => each <= end).length - 1;
    expect(read(file.subarray(0, end))).toEqual({
      rows: [1, 2, 3].slice(0, whole),
      damaged: [],
      tornBytes: end - ends[whole]!,
    });
  }
});

test('a changed byte costs the record that has it, and no other', () => {
  const [first, second] = records;
  const range = { offset: first!.length, bytes: second!.length };
  for (let at = range.offset; at < range.offset + range.bytes; at++) {
    const changed = Buffer.from(file);
    changed[at] = changed[at]! ^ 0x41;
    expect(read(changed), `byte ${at}`).toEqual({ rows: [1, 3], damaged: [range], tornBytes: 0 });
  }
});

test('what follows the last record is space, whether it was used before or not', () => {
  const used = Buffer.concat(encodeRecord(block(9), Buffer.alloc(8, 7)));
  for (const space of [Buffer.alloc(100), used]) {
    expect(read(Buffer.concat([file, space]))).toEqual({
      rows: [1, 2, 3],
      damaged: [],
      tornBytes: 0,
    });
  }
});

test('a record in the data of a damaged one counts only with the mark of the file', () => {
  const forged = Buffer.concat(encodeRecord(block(9), Buffer.alloc(8, 7)));
  const outer = Buffer.concat(encodeRecord({ ...block(4), data: [forged] }, mark));
  expect(read(Buffer.concat([file, outer.subarray(0, -1)]))).toEqual({
    rows: [1, 2, 3],
    damaged: [],
    tornBytes: outer.length - 1,
  });
});
