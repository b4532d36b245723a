import protobuf from 'protobufjs';
import { describe, expect, it } from 'vitest';
import { protobufDecoder } from './protobuf.ts';

const place = {
  name: 'place.proto',
  text:
    'syntax = "proto3"; package shop; message Line { string street = 1; } ' +
    'message Place { string city = 1; Line line = 2; }',
};
const order = `syntax = "proto3"; package shop; import "place.proto";
  // message Ghost { }
  enum Kind { NONE = 0; NEW = 1; }
  message Other { int32 a = 1; }
  message Order {
    enum State { OPEN = 0; }
    message Line { uint64 count = 1; message Deep { string word = 1; } }
    message Extra { bool on = 1; }
    uint64 id = 1; Place place = 2; repeated Line lines = 3; Kind kind = 4;
    optional int32 maybe = 5; oneof either { string one = 6; int64 two = 7; }
  }`;
const schema = { type: 'PROTOBUF' as const, text: order, references: [place] };

/** A message of the schema behind its indexes, as a producer writes it. */
function written(
  { text, references }: { text: string; references: readonly { text: string }[] },
  indexes: readonly number[],
  type: string,
  message: object,
): Buffer {
  const root = new protobuf.Root();
  for (const one of [...references.map((reference) => reference.text), text]) {
    for (const file of protobuf.parse(one, root, { keepCase: true }).imports ?? []) {
      root.addJSON(protobuf.common.get(file)?.nested ?? {});
    }
  }
  const messageType = root.lookupType(type);
  const zigZag = [indexes.length, ...indexes].map((value) => value * 2);
  return Buffer.concat([
    Buffer.from(indexes.length === 1 && indexes[0] === 0 ? [0] : zigZag),
    messageType.encode(messageType.fromObject(message)).finish(),
  ]);
}

describe('a Protobuf record as JSON', () => {
  it.each<[string, number[], string, object, object]>([
    [
      'the first message of the schema, by a count of none',
      [0],
      'shop.Other',
      { a: -7 },
      { a: -7 },
    ],
    [
      'the second, with a referenced type whose file has a message of the name of a nested one',
      [1],
      'shop.Order',
      {
        id: '18446744073709551615',
        place: { city: 'Ulm', line: { street: 'x' } },
        lines: [{ count: '9007199254740993' }],
        kind: 1,
        two: '-5',
      },
      {
        id: '18446744073709551615',
        place: { city: 'Ulm', line: { street: 'x' } },
        lines: [{ count: '9007199254740993' }],
        kind: 'NEW',
        two: '-5',
      },
    ],
    ['a nested message', [1, 0], 'shop.Order.Line', { count: 3 }, { count: '3' }],
    [
      'the second nested message, enums not counted',
      [1, 1],
      'shop.Order.Extra',
      { on: true },
      { on: true },
    ],
    ['a message nested twice', [1, 0, 0], 'shop.Order.Line.Deep', { word: 'ü' }, { word: 'ü' }],
  ])('%s', (_title, indexes, type, message, expected) => {
    expect(
      JSON.parse(protobufDecoder(schema)(written(schema, indexes, type, message)).toString()),
    ).toEqual(expected);
  });

  it('gives what was not sent as null or its default, and what may be absent not at all', () => {
    expect(
      JSON.parse(protobufDecoder(schema)(written(schema, [1], 'shop.Order', {})).toString()),
    ).toEqual({ id: '0', place: null, lines: [], kind: 'NONE' });
  });

  it.each([
    ['an index past the last message', [2], /schema does not contain its message type/],
    ['an index past the last nested message', [1, 2], /schema does not contain its message type/],
    ['a negative index', [-1], /schema does not contain its message type/],
  ])('refuses %s', (_title, indexes, reason) => {
    const header = Buffer.from([
      indexes.length * 2,
      ...indexes.map((index) => (index < 0 ? -2 * index - 1 : index * 2)),
    ]);
    expect(() => protobufDecoder(schema)(Buffer.concat([header, Buffer.from([8, 1])]))).toThrow(
      reason,
    );
  });

  it.each([
    ['nothing at all', [], /is truncated/],
    ['indexes that are cut off', [4, 2], /is truncated/],
    ['more indexes than there can be', [200, 1, 2], /are invalid/],
    ['an index without an end', [2, 255, 255, 255, 255, 255], /are invalid/],
    ['a message that is cut off', [0, 8], /index out of range/],
  ])('refuses %s', (_title, bytes, reason) => {
    expect(() => protobufDecoder(schema)(Buffer.from(bytes))).toThrow(reason);
  });

  it('knows the types that Google defines, in the form of their mapping to JSON', () => {
    const text = `syntax = "proto3";
      import "google/protobuf/timestamp.proto";
      import "google/protobuf/duration.proto";
      import "google/protobuf/wrappers.proto";
      import "google/protobuf/struct.proto";
      message Visit {
        google.protobuf.Timestamp at = 1;
        repeated google.protobuf.Timestamp all = 2;
        map<string, google.protobuf.Timestamp> by = 3;
        google.protobuf.Duration took = 4;
        google.protobuf.UInt64Value size = 5;
        google.protobuf.StringValue note = 6;
        google.protobuf.Struct more = 7;
        Inner inner = 8;
        message Inner { google.protobuf.Timestamp at = 1; }
      }`;
    const visit = { text, references: [] };
    const at = { seconds: 1_700_000_000, nanos: 123_456_000 };
    const message = {
      at,
      all: [{ seconds: -1 }],
      by: { x: { seconds: 0, nanos: 1 } },
      took: { seconds: 0, nanos: -500_000_000 },
      size: { value: '18446744073709551615' },
      inner: { at },
      more: {
        fields: {
          a: { numberValue: 1.5 },
          b: { listValue: { values: [{ boolValue: false }, { nullValue: 0 }] } },
          c: { structValue: { fields: { d: { stringValue: 'x' } } } },
        },
      },
    };
    expect(
      JSON.parse(
        protobufDecoder({ type: 'PROTOBUF', ...visit })(
          written(visit, [0], 'Visit', message),
        ).toString(),
      ),
    ).toEqual({
      at: '2023-11-14T22:13:20.123456Z',
      all: ['1969-12-31T23:59:59Z'],
      by: { x: '1970-01-01T00:00:00.000000001Z' },
      took: '-0.500s',
      size: '18446744073709551615',
      note: null,
      more: { a: 1.5, b: [false, null], c: { d: 'x' } },
      inner: { at: '2023-11-14T22:13:20.123456Z' },
    });
  });

  it('says which type is missing where a reference was not given', () => {
    expect(() => protobufDecoder({ ...schema, references: [] })).toThrow(/no such.*Place/);
  });
});
