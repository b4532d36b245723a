import { deflateRawSync } from 'node:zlib';
import avro from 'avsc';
import { describe, expect, it } from 'vitest';
import { avroContainerDecoder, avroDecoder } from './avro.ts';

const largest = Buffer.from([0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]);
const one = (type: unknown, payload: Buffer): string =>
  avroDecoder({
    text: JSON.stringify({ type: 'record', name: 'R', fields: [{ name: 'v', type }] }),
    references: [],
  })(payload).toString();
const bytes = (type: unknown, value: unknown): Buffer =>
  avro.Type.forSchema(type as avro.Schema, { wrapUnions: false }).toBuffer(value);

describe('an Avro record as JSON', () => {
  it.each<[string, unknown, Buffer, string]>([
    ['the largest long, every digit', 'long', largest, '9223372036854775807'],
    ['a union with null', ['null', 'string'], bytes(['null', 'string'], null), 'null'],
    [
      'a union with a value',
      ['null', 'string'],
      bytes(['null', 'string'], 'hi "x"'),
      '"hi \\"x\\""',
    ],
    [
      'a union with a long',
      ['null', 'long'],
      Buffer.concat([Buffer.from([2]), largest]),
      '9223372036854775807',
    ],
    [
      'microseconds',
      { type: 'long', logicalType: 'timestamp-micros' },
      bytes('long', 1_700_000_000_123_456),
      '"2023-11-14T22:13:20.123456Z"',
    ],
    [
      'microseconds before 1970',
      { type: 'long', logicalType: 'timestamp-micros' },
      bytes('long', -1),
      '"1969-12-31T23:59:59.999999Z"',
    ],
    [
      'milliseconds',
      { type: 'long', logicalType: 'timestamp-millis' },
      bytes('long', 1_700_000_000_123),
      '"2023-11-14T22:13:20.123Z"',
    ],
    ['a date', { type: 'int', logicalType: 'date' }, bytes('int', 19_000), '"2022-01-08"'],
    [
      'a decimal',
      { type: 'bytes', logicalType: 'decimal', precision: 9, scale: 2 },
      bytes('bytes', Buffer.from([0x30, 0x39])),
      '"123.45"',
    ],
    [
      'a negative decimal below one',
      { type: 'bytes', logicalType: 'decimal', precision: 9, scale: 2 },
      bytes('bytes', Buffer.from([0xff])),
      '"-0.01"',
    ],
    ['bytes that are no text', 'bytes', bytes('bytes', Buffer.from([0xff, 0xfe])), '"//4="'],
    [
      'a map',
      { type: 'map', values: 'int' },
      bytes({ type: 'map', values: 'int' }, { a: 1 }),
      '{"a":1}',
    ],
    [
      'an array',
      { type: 'array', items: 'double' },
      bytes({ type: 'array', items: 'double' }, [1.5, Number.NaN]),
      '[1.5,"nan"]',
    ],
  ])('%s', (_title, type, payload, expected) => {
    expect(one(type, payload)).toBe(`{"v":${expected}}`);
  });

  it('refuses a payload that ends too early', () => {
    expect(() => one('string', Buffer.from([10, 65]))).toThrow(/./);
  });

  const container = (
    records: unknown[],
    codec = 'null',
    meta: Record<string, Buffer | undefined> = {},
  ): Buffer => {
    const sync = Buffer.alloc(16, 7);
    const schema = {
      type: 'record',
      name: 'R',
      fields: [{ name: 'v', type: 'string' }],
    } as avro.Schema;
    const all = {
      'avro.codec': Buffer.from(codec),
      'avro.schema': Buffer.from(JSON.stringify(schema)),
      ...meta,
    };
    const type = avro.Type.forSchema(schema);
    const block = Buffer.concat(records.map((record) => type.toBuffer(record)));
    const stored = codec === 'deflate' ? deflateRawSync(block) : block;
    const long = avro.Type.forSchema('long');
    const header = bytes(
      { type: 'map', values: 'bytes' },
      Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)),
    );
    return Buffer.concat([
      Buffer.from('Obj\u0001', 'latin1'),
      header,
      sync,
      ...(records.length === 0
        ? []
        : [long.toBuffer(records.length), long.toBuffer(stored.length), stored, sync]),
    ]);
  };
  const oneRecord = container([{ v: 'ü' }]);

  it.each(['null', 'deflate'])(
    'is read from a whole file of one record, block codec %s, one file after the other',
    (codec) => {
      const decode = avroContainerDecoder();
      for (const v of ['ü', 'again']) {
        expect(decode(container([{ v }], codec)).toString()).toBe(JSON.stringify({ v }));
      }
    },
  );

  it.each<[string, Buffer, RegExp]>([
    ['what is no container', Buffer.from('{"a":1}'), /not an Avro object container/],
    [
      'a file without a schema',
      container([{ v: 'x' }], 'null', { 'avro.schema': undefined }),
      /header has no avro.schema/,
    ],
    ['a file without a record', container([]), /contains 0 Avro records/],
    ['a file of two records', container([{ v: 'x' }, { v: 'y' }]), /contains 2 Avro records/],
    [
      'a file of two blocks',
      Buffer.concat([oneRecord, oneRecord.subarray(oneRecord.length - 21)]),
      /several blocks/,
    ],
    ['a file that is cut off in its header', oneRecord.subarray(0, 20), /is truncated/],
    [
      'a file that is cut off in its record',
      oneRecord.subarray(0, oneRecord.length - 17),
      /is truncated/,
    ],
    ['a codec that is not known', container([{ v: 'x' }], 'snappy'), /compressed with snappy/],
  ])('refuses %s where there is no registry', (_title, value, reason) => {
    expect(() => avroContainerDecoder()(value)).toThrow(reason);
  });
});
