import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ConnectionLost, SourceFailed } from '../../../ports/connector.ts';
import { frame, FrameReader } from './wire/frame-reader.ts';
import { lsnText, parseLsn, parsePosition, positionText } from './wire/lsn.ts';
import { postgresError } from './postgres-errors.ts';
import { quoteName, quoteText } from './wire/quote.ts';
import { segmentPosition, segmentText, type TablePlan } from './snapshot/snapshot-plan.ts';
import { tsvColumn } from './rows/tsv-column.ts';
import { escapeTsv, jsonOfNotation, tsvOfJson, unescapeTsv } from './rows/tsv-text.ts';
import { TsvWriter } from './rows/tsv-writer.ts';
import { clickhouseColumn } from './types/column-of.ts';
import type { PgType } from './types/pg-column.ts';

describe('places in the log', () => {
  it.each([
    ['0/0', 0n],
    ['0/16B3748', 0x16b3748n],
    ['16/B374D848', 0x16b374d848n],
    ['FFFFFFFF/FFFFFFFF', 2n ** 64n - 1n],
  ])('%s is read and written', (text, lsn) => {
    expect(parseLsn(text)).toBe(lsn);
    expect(lsnText(lsn)).toBe(text);
  });
  it('a position inside a transaction comes back as it was', () => {
    for (const position of [
      { lsn: 5n, changes: 0 },
      { lsn: 2n ** 40n, changes: 1_000_000 },
    ]) {
      expect(parsePosition(positionText(position))).toEqual(position);
    }
  });
  it.each(['', '1', 'x/y', '0/1+', '0/1+-2', '0/1+1.5', '0/123456789'])(
    '%j is not a position',
    (text) => {
      expect(() => parsePosition(text)).toThrow(RangeError);
    },
  );
});

describe('names and texts in SQL', () => {
  it.each([
    ['a', '"a"'],
    ['a"b', '"a""b"'],
    ['a; DROP TABLE b', '"a; DROP TABLE b"'],
    ["a'b", '"a\'b"'],
  ])('%s is one name', (name, quoted) => {
    expect(quoteName(name)).toBe(quoted);
  });
  it('a quote in a text does not end it', () => {
    expect(quoteText("a'; DROP")).toBe("'a''; DROP'");
  });
  it.each(['', 'a\0b'])('%j is no name', (name) => {
    expect(() => quoteName(name)).toThrow(TypeError);
  });
});

describe('messages of the server', () => {
  const message = (type: number, payload: Buffer): Buffer => {
    const head = Buffer.alloc(5);
    head[0] = type;
    head.writeInt32BE(4 + payload.length, 1);
    return Buffer.concat([head, payload]);
  };
  it('are the same however they are cut on the way', () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 12 }),
        fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 60 }),
        (payloads, cuts) => {
          const all = Buffer.concat(
            payloads.map((payload) => message(frame.copyData, Buffer.from(payload))),
          );
          const reader = new FrameReader();
          const read: string[] = [];
          for (let offset = 0, cut = 0; offset < all.length; cut++) {
            const size = cuts[cut % cuts.length]!;
            reader.feed(all.subarray(offset, offset + size));
            offset += size;
            while (reader.next()) {
              read.push(reader.buffer.toString('hex', reader.start, reader.end));
            }
          }
          expect(read).toEqual(payloads.map((payload) => Buffer.from(payload).toString('hex')));
        },
      ),
    );
  });
  it('are the same although all reads share one memory', () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ maxLength: 90 }), { maxLength: 12 }),
        fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 60 }),
        (payloads, cuts) => {
          const all = Buffer.concat(
            payloads.map((payload) => message(frame.copyData, Buffer.from(payload))),
          );
          const memory = Buffer.alloc(30);
          const reader = new FrameReader();
          const read: string[] = [];
          for (let offset = 0, cut = 0; offset < all.length; cut++) {
            const size = all.copy(memory, 0, offset, offset + cuts[cut % cuts.length]!);
            offset += size;
            reader.feed(memory.subarray(0, size));
            while (reader.next()) {
              read.push(reader.buffer.toString('hex', reader.start, reader.end));
            }
            reader.keep();
            memory.fill(0xff);
          }
          expect(read).toEqual(payloads.map((payload) => Buffer.from(payload).toString('hex')));
        },
      ),
    );
  });
  it('are put together once, however many reads one takes', () => {
    const all = message(frame.copyData, Buffer.alloc(100_000, 7));
    const reader = new FrameReader();
    const held: number[] = [];
    for (let offset = 0; offset < all.length; offset += 1000) {
      reader.feed(all.subarray(offset, offset + 1000));
      held.push(reader.buffer.length);
      expect(reader.next()).toBe(offset + 1000 >= all.length);
    }
    expect(held).toEqual([1000, ...Array.from({ length: 99 }, () => 0), all.length]);
    expect(reader.end - reader.start).toBe(100_000);
  });
});

const type = (name: string, more: Partial<PgType> = {}): PgType => ({
  oid: 1,
  name,
  schema: 'pg_catalog',
  kind: 'base',
  ...more,
});
const column = (type: PgType, typmod = -1) =>
  tsvColumn(
    clickhouseColumn(
      { name: 'c', number: 1, type, typmod, dimensions: 0, notNull: false, generated: false },
      { allowNullable: true },
    ),
    type,
  );
const numeric = ((12 << 16) | 2) + 4;
const textArray = type('_text', { kind: 'array', element: type('text'), delimiter: ',' });

describe('values become fields of a line', () => {
  const cases: [PgType, string, string, number?][] = [
    [type('int4'), '-5', '-5'],
    [type('text'), 'a\tb\\c\nd\re', 'a\\tb\\\\c\\nd\\re'],
    [type('bool'), 't', 't'],
    [type('float8'), 'NaN', 'NaN'],
    [type('numeric'), '12.50', '12.50', numeric],
    [type('numeric'), 'NaN', '\\N', numeric],
    [type('timestamptz'), '2026-11-21 10:00:00.123456+00', '2026-11-21 10:00:00.123456'],
    [type('timestamptz'), 'infinity', '9999-12-31 23:59:59.999999'],
    [type('timestamp'), '0044-03-15 10:00:00 BC', '0001-01-01 00:00:00.000000'],
    [type('date'), '2026-11-21', '2026-11-21'],
    [type('date'), '1789-07-14', '1900-01-01'],
    [type('date'), '-infinity', '1900-01-01'],
    [type('bytea'), '\\x0aff', '0aff'],
    [textArray, '{a,"it\'s",NULL,"b\\\\c"}', "['a','it\\'s',NULL,'b\\\\c']"],
  ];
  it.each(cases)('%o: %j', (type, text, field, typmod) => {
    const writer = new TsvWriter(16);
    const bytes = Buffer.from(`??${text}`);
    writer.value(column(type, typmod), bytes, 2, bytes.length);
    expect(writer.take().toString()).toBe(field);
  });
  it.each(cases)('and from COPY, %o: %j', (pgType, text, field, typmod) => {
    const writer = new TsvWriter(16);
    const line = Buffer.from(`7\t${escapeTsv(text)}\t\\N`);
    writer.copyLine(
      line,
      0,
      line.length,
      [column(type('int4')), column(pgType, typmod), column(pgType, typmod)],
      Buffer.from('\t9\t0\n'),
    );
    // The engine reads a moment with its zone too: such a line needs no change.
    expect(writer.take().toString().replace('+00', '')).toBe(`7\t${field}\t\\N\t9\t0\n`);
    expect(writer.rows).toBe(1);
  });
  it('any text comes back as it was', () => {
    fc.assert(
      fc.property(
        fc
          .array(fc.constantFrom('a', 'ü', '\\', '\t', '\n', '\r', 't', 'N', "'", '\b', '\v'), {
            maxLength: 12,
          })
          .map((signs) => signs.join('')),
        (text) => {
          expect(unescapeTsv(escapeTsv(text))).toBe(text);
          expect(escapeTsv(text)).not.toMatch(/[\t\n\r]/);
        },
      ),
    );
  });
  it('an array goes to the engine and back to JSON', () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.string())), (items) => {
        expect(JSON.parse(jsonOfNotation(tsvOfJson(JSON.stringify(items))))).toEqual(items);
      }),
    );
  });
});

describe('positions in a table that is copied', () => {
  const plan: TablePlan = { generation: '1.1', id: 'ab12', segments: [] };
  it.each([17, 'end'] as const)('%s comes back', (offset) => {
    expect(segmentPosition(plan, segmentText(plan, offset))).toBe(offset);
  });
  it('those of another plan say nothing', () => {
    expect(segmentPosition(plan, 'cd34:17')).toBeUndefined();
  });
});

describe('an error of the server or the network', () => {
  const translated = (error: object, message = 'password=hunter2 failed') =>
    postgresError(Object.assign(new Error(message), error), {
      database: 'shop',
      username: 'reader',
      publication: 'p',
      slot: 's',
    });
  it.each([
    ['28P01', /rejected user "reader"/],
    ['3D000', /database "shop" does not exist/],
    ['42501', /lacks a privilege/],
    ['42P01', /table of the pipe no longer exists/],
    ['53400', /max_replication_slots/],
    ['58P01', /removed WAL.*slot "s"/],
  ])('%s fails the pipe with what to do', (code, message) => {
    expect(translated({ code })).toBeInstanceOf(SourceFailed);
    expect(translated({ code }).message).toMatch(message);
  });
  it.each(['ECONNREFUSED', 'ECONNRESET', '57P01', '57P03', '53300', '55006', '40001', ''])(
    '%s is tried again',
    (code) => {
      expect(translated({ code })).toBeInstanceOf(ConnectionLost);
    },
  );
  it('never repeats the words of the server', () => {
    for (const code of ['28P01', 'XX000', 'ECONNRESET', '42501']) {
      expect(translated({ code }).message).not.toMatch(/hunter2/);
    }
  });
});
