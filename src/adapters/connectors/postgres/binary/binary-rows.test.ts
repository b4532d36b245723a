import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TargetTable } from '../../../../ports/batch.ts';
import { clickhouseColumn } from '../types/column-of.ts';
import type { PgColumn, PgType } from '../types/pg-column.ts';
import { binaryColumn, type BinaryColumn } from './binary-column.ts';
import { BinaryRows } from './binary-rows.ts';
import { ConstantColumns } from './constant-columns.ts';
import { TableMemory } from './table-memory.ts';

const pgColumn = (name: string, more: Partial<PgType> = {}, typmod = -1): PgColumn => ({
  name: 'c',
  number: 1,
  type: { oid: 1, name, schema: 'pg_catalog', kind: 'base', ...more },
  typmod,
  dimensions: 0,
  notNull: false,
  generated: false,
});
const mapped = (column: PgColumn) => {
  const mapping = clickhouseColumn(column, { allowNullable: true });
  return { ...mapping, binary: binaryColumn(mapping, column.type) };
};
const numeric = (precision: number, scale: number): PgColumn =>
  pgColumn('numeric', {}, ((precision << 16) | scale) + 4);

function readerOf(columns: readonly PgColumn[]): BinaryRows {
  const all = columns.map(mapped);
  const target: TargetTable = {
    table: 't',
    engine: 'MergeTree',
    sortingKey: [],
    columns: [
      ...all.map(({ column }, index) => ({ ...column, name: `c${index}` })),
      { name: 'version', type: 'UInt64' },
      { name: 'deleted', type: 'UInt8' },
    ],
  };
  const binary = all.map((column) => column.binary as BinaryColumn);
  const [constants, memory] = [new ConstantColumns(9n), new TableMemory(1)];
  return new BinaryRows({ target, columns: binary, constants, rowsHint: 1, memory });
}

const header = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)]);
const end = Buffer.from([0xff, 0xff]);
const int = (bytes: 2 | 4, value: number): Buffer => {
  const buffer = Buffer.alloc(bytes);
  buffer.writeIntBE(value, 0, bytes);
  return buffer;
};
const rowOf = (fields: readonly (Buffer | null)[]): Buffer =>
  Buffer.concat([
    int(2, fields.length),
    ...fields.flatMap((field) => (field ? [int(4, field.length), field] : [int(4, -1)])),
  ]);
/** A length as the engine's Native format writes it. */
function sizeOf(length: number): Buffer {
  return length < 0x80
    ? Buffer.from([length])
    : Buffer.concat([Buffer.from([(length & 0x7f) | 0x80]), sizeOf(length >>> 7)]);
}
const recordsOf = (rows: BinaryRows): unknown[] =>
  rows
    .take('p')
    .records()
    .map(({ data }) => JSON.parse(String(data)) as unknown);

/** A numeric as the server sends it. */
function numericBytes(text: string): Buffer {
  const [, sign, whole = '', fraction = ''] = /^(-?)(\d+)\.?(\d*)$/.exec(text)!;
  const left = whole.padStart(Math.ceil(whole.length / 4) * 4, '0');
  const right = fraction.padEnd(Math.ceil(fraction.length / 4) * 4, '0');
  const digits = `${left}${right}`.match(/.{4}/g)!.map(Number);
  let weight = left.length / 4 - 1;
  while (digits[0] === 0) {
    digits.shift();
    weight--;
  }
  while (digits.at(-1) === 0) {
    digits.pop();
  }
  const head = [digits.length, digits.length === 0 ? 0 : weight];
  return Buffer.concat([
    ...head.map((value) => int(2, value)),
    Buffer.from(sign ? [0x40, 0] : [0, 0]),
    int(2, fraction.length),
    ...digits.map((digit) => int(2, digit)),
  ]);
}

describe('rows of a binary COPY', () => {
  it('are the same however they are cut into messages', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(
            fc.option(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })),
            fc.option(fc.string({ maxLength: 600, unit: 'grapheme' })),
          ),
          { maxLength: 30 },
        ),
        fc.array(fc.boolean(), { minLength: 1 }),
        (values, joins) => {
          const rows = readerOf([pgColumn('int4'), pgColumn('text')]);
          let message = header;
          const send = (): void => {
            const bytes = Buffer.concat([Buffer.from('..'), message]);
            rows.add(bytes, 2, bytes.length);
            message = Buffer.alloc(0);
          };
          for (const [index, [number, text]] of values.entries()) {
            const fields = [
              number === null ? null : int(4, number),
              text === null ? null : Buffer.from(text),
            ];
            message = Buffer.concat([message, rowOf(fields)]);
            if (joins[index % joins.length] !== true) {
              send();
            }
          }
          message = Buffer.concat([message, end]);
          send();
          expect(recordsOf(rows)).toEqual(
            values.map(([number, text]) => ({
              c0: number === null ? null : String(number),
              c1: text,
              version: '9',
              deleted: '0',
            })),
          );
        },
      ),
    );
  });

  it('are all there if one message holds thousands', () => {
    const rows = readerOf([pgColumn('int8')]);
    const count = 3000;
    const numbers = Array.from({ length: count }, (_, index) =>
      rowOf([Buffer.concat([int(4, -1), int(4, index)])]),
    );
    const bytes = Buffer.concat([header, ...numbers, end]);
    rows.add(bytes, 0, bytes.length);
    expect(rows.rows).toBe(count);
    const part = rows.take('p');
    expect(part.rows).toBe(count);
    expect(part.format).toBe('Native');
    expect(
      part.records().map(({ data }) => (JSON.parse(String(data)) as { c0: string }).c0),
    ).toEqual(Array.from({ length: count }, (_, index) => String(BigInt(index) - 2n ** 32n)));
  });

  it('stay as they are when the memory of their bytes is used again', () => {
    const rows = readerOf([pgColumn('int4'), pgColumn('text')]);
    const memory = Buffer.alloc(200);
    const add = (message: Buffer): void => {
      message.copy(memory);
      rows.add(memory.subarray(0, message.length), 0, message.length);
      rows.keep();
      memory.fill(0xff);
    };
    add(Buffer.concat([header, rowOf([int(4, 1), Buffer.from('one')])]));
    add(Buffer.concat([rowOf([int(4, 2), Buffer.from('two')]), end]));
    const own = { version: '9', deleted: '0' };
    expect(recordsOf(rows)).toEqual([
      { c0: '1', c1: 'one', ...own },
      { c0: '2', c1: 'two', ...own },
    ]);
  });

  it('leave nothing behind for the next COPY', () => {
    const rows = readerOf([pgColumn('int4'), pgColumn('text')]);
    const read = (fields: readonly (Buffer | null)[][]): unknown[] => {
      const bytes = Buffer.concat([header, ...fields.map(rowOf), end]);
      rows.add(bytes, 0, bytes.length);
      const records = recordsOf(rows);
      rows.reset();
      return records;
    };
    const own = { version: '9', deleted: '0' };
    expect(
      read([
        [null, null],
        [int(4, 1), Buffer.from('one')],
      ]),
    ).toEqual([
      { c0: null, c1: null, ...own },
      { c0: '1', c1: 'one', ...own },
    ]);
    expect(read([[int(4, 2), Buffer.from('two')]])).toEqual([{ c0: '2', c1: 'two', ...own }]);
    expect(rows.rows).toBe(0);
  });

  it.each([
    [4, 2],
    [9, 9],
    [12, 2],
    [15, 0],
    [18, 4],
    [38, 10],
    [76, 38],
  ])('keep every digit of numeric(%i, %i)', (precision, scale) => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** BigInt(precision)) + 1n, max: 10n ** BigInt(precision) - 1n }),
        (value) => {
          const digits = String(value < 0n ? -value : value).padStart(scale + 1, '0');
          const [whole, fraction] = [
            digits.slice(0, digits.length - scale),
            digits.slice(digits.length - scale),
          ];
          const text = `${value < 0n ? '-' : ''}${whole}${scale === 0 ? '' : `.${fraction}`}`;
          const rows = readerOf([numeric(precision, scale), pgColumn('numeric')]);
          const bytes = Buffer.concat([header, rowOf([numericBytes(text), numericBytes(text)])]);
          rows.add(bytes, 0, bytes.length);
          expect(recordsOf(rows)).toEqual([{ c0: text, c1: text, version: '9', deleted: '0' }]);
        },
      ),
    );
  });

  it('are not read in binary form if a column is an array, a map or a composite', () => {
    const element: PgType = { oid: 2, name: 'int4', schema: 'pg_catalog', kind: 'base' };
    expect(mapped(pgColumn('_int4', { kind: 'array', element })).binary).toBeUndefined();
    expect(mapped(pgColumn('hstore', { schema: 'public' })).binary).toBeUndefined();
    expect(mapped(pgColumn('pair', { kind: 'composite', fields: [] })).binary).toBeUndefined();
  });

  it('name the type that is expected, or ask for its text', () => {
    const text = `CASE WHEN "c" IS NOT NULL THEN pg_catalog.format('%s', "c") END`;
    expect(mapped(numeric(12, 2)).binary?.select).toBe('"c"::pg_catalog."numeric"(12, 2)');
    expect(mapped(pgColumn('timestamptz')).binary?.select).toBe('"c"::pg_catalog."timestamptz"');
    expect(mapped(pgColumn('inet')).binary?.select).toBe(text);
    // A cast to a type of another schema would need a right to use the schema.
    expect(mapped(pgColumn('mood', { kind: 'enum', schema: 'public' })).binary?.select).toBe(text);
  });
});

describe('texts of a binary COPY', () => {
  it('are the same whichever pieces of memory they fill', () => {
    const length = fc.oneof(
      fc.integer({ min: 0, max: 300 }),
      fc.integer({ min: 500, max: 5000 }),
      fc.integer({ min: 500_000, max: 600_000 }),
    );
    const copies = fc.array(fc.array(length, { maxLength: 40 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(copies, (each) => {
        const rows = readerOf([pgColumn('text')]);
        for (const lengths of each) {
          const texts = lengths.map((bytes, row) => Buffer.alloc(bytes, 0x61 + (row % 26)));
          const bytes = Buffer.concat([header, ...texts.map((text) => rowOf([text])), end]);
          rows.add(bytes, 0, bytes.length);
          const part = rows.take('p');
          const column = Buffer.concat(texts.flatMap((text) => [sizeOf(text.length), text]));
          expect(Buffer.concat(part.data).includes(column)).toBe(true);
          expect(
            part.records().map(({ data }) => (JSON.parse(String(data)) as { c0: string }).c0),
          ).toEqual(texts.map(String));
          rows.reset();
        }
      }),
      { numRuns: 30 },
    );
  });
});
