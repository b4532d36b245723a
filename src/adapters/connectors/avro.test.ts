import avro from 'avsc';
import { describe, expect, it } from 'vitest';
import { avroContainer, avroDecoder } from './avro.ts';

const largest = Buffer.from([0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]);
const one = (type: unknown, payload: Buffer): string =>
  avroDecoder({ text: JSON.stringify({ type: 'record', name: 'R', fields: [{ name: 'v', type }] }), references: [] })(payload).toString();
const bytes = (type: unknown, value: unknown): Buffer => avro.Type.forSchema(type as avro.Schema, { wrapUnions: false as never }).toBuffer(value);

describe('an Avro record as JSON', () => {
  it.each<[string, unknown, Buffer, string]>([
    ['the largest long, every digit', 'long', largest, '9223372036854775807'],
    ['a union with null', ['null', 'string'], bytes(['null', 'string'], null), 'null'],
    ['a union with a value', ['null', 'string'], bytes(['null', 'string'], 'hi "x"'), '"hi \\"x\\""'],
    ['a union with a long', ['null', 'long'], Buffer.concat([Buffer.from([2]), largest]), '9223372036854775807'],
    ['microseconds', { type: 'long', logicalType: 'timestamp-micros' }, bytes('long', 1_700_000_000_123_456), '"2023-11-14T22:13:20.123456Z"'],
    ['microseconds before 1970', { type: 'long', logicalType: 'timestamp-micros' }, bytes('long', -1), '"1969-12-31T23:59:59.999999Z"'],
    ['milliseconds', { type: 'long', logicalType: 'timestamp-millis' }, bytes('long', 1_700_000_000_123), '"2023-11-14T22:13:20.123Z"'],
    ['a date', { type: 'int', logicalType: 'date' }, bytes('int', 19_000), '"2022-01-08"'],
    ['a decimal', { type: 'bytes', logicalType: 'decimal', precision: 9, scale: 2 }, bytes('bytes', Buffer.from([0x30, 0x39])), '"123.45"'],
    ['a negative decimal below one', { type: 'bytes', logicalType: 'decimal', precision: 9, scale: 2 }, bytes('bytes', Buffer.from([0xff])), '"-0.01"'],
    ['bytes that are no text', 'bytes', bytes('bytes', Buffer.from([0xff, 0xfe])), '"//4="'],
    ['a map', { type: 'map', values: 'int' }, bytes({ type: 'map', values: 'int' }, { a: 1 }), '{"a":1}'],
    ['an array', { type: 'array', items: 'double' }, bytes({ type: 'array', items: 'double' }, [1.5, Number.NaN]), '[1.5,"nan"]'],
  ])('%s', (_title, type, payload, expected) => {
    expect(one(type, payload)).toBe(`{"v":${expected}}`);
  });

  it('refuses a payload that ends too early', () => {
    expect(() => one('string', Buffer.from([10, 65]))).toThrow(/./);
  });

  it('refuses what is no container where there is no registry', () => {
    expect(() => avroContainer(Buffer.from('{"a":1}'))).toThrow(/not an Avro object container/);
  });
});
