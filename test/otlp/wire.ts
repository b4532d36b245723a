import { PbfReader, PbfWriter } from 'pbf';

/** A message written by hand, field by field: independent of the code under test. */
export type Field =
  | [number: number, type: 'message', value: Field[]]
  | [number: number, type: 'string', value: string]
  | [number: number, type: 'bytes', value: Uint8Array]
  | [number: number, type: 'varint' | 'sint', value: number]
  | [number: number, type: 'varint64' | 'fixed64', value: bigint]
  | [number: number, type: 'fixed32' | 'double', value: number]
  | [number: number, type: 'packedFixed64' | 'packedVarint64', value: bigint[]]
  | [number: number, type: 'packedDouble', value: number[]];

export function wire(...fields: Field[]): Uint8Array {
  const writer = new PbfWriter();
  for (const [number, type, value] of fields) {
    switch (type) {
      case 'message':
        bytes(writer, number, wire(...value));
        break;
      case 'string':
        bytes(writer, number, Buffer.from(value));
        break;
      case 'bytes':
        bytes(writer, number, value);
        break;
      case 'varint':
        writer.writeTag(number, 0);
        writer.writeVarint(value);
        break;
      case 'sint':
        writer.writeTag(number, 0);
        writer.writeSVarint(value);
        break;
      case 'varint64':
        writer.writeTag(number, 0);
        append(writer, varint(value));
        break;
      case 'fixed64':
        writer.writeTag(number, 1);
        append(writer, fixed(value));
        break;
      case 'fixed32':
        writer.writeTag(number, 5);
        writer.writeFixed32(value);
        break;
      case 'double':
        writer.writeTag(number, 1);
        writer.writeDouble(value);
        break;
      case 'packedFixed64':
        bytes(writer, number, Buffer.concat(value.map(fixed)));
        break;
      case 'packedVarint64':
        bytes(writer, number, Buffer.concat(value.map(varint)));
        break;
      case 'packedDouble':
        bytes(writer, number, Buffer.from(new Float64Array(value).buffer));
        break;
    }
  }
  return Buffer.from(writer.finish());
}

/** An attribute with any one-field value. */
export const attribute = (number: number, name: string, value: Field[]): Field => [
  number,
  'message',
  [
    [1, 'string', name],
    [2, 'message', value],
  ],
];

/** google.rpc.Status, or a partial success: a number and a text. */
export function readNumberAndText(message: Uint8Array): {
  number: number;
  text: string;
  rest: Record<number, Uint8Array>;
} {
  const reader = new PbfReader(message);
  const read = { number: 0, text: '', rest: {} as Record<number, Uint8Array> };
  for (let field = reader.nextField(); field !== 0; field = reader.nextField()) {
    if (field === 1) {
      read.number = reader.readVarint();
    } else if (field === 2) {
      read.text = reader.readString();
    } else {
      read.rest[field] = reader.readBytes();
    }
  }
  return read;
}

function bytes(writer: PbfWriter, number: number, value: Uint8Array): void {
  writer.writeTag(number, 2);
  writer.writeBytes(value);
}

function append(writer: PbfWriter, value: Uint8Array): void {
  writer.realloc(value.length);
  writer.buf.set(value, writer.pos);
  writer.pos += value.length;
}

function fixed(value: bigint): Buffer {
  const buffer = Buffer.alloc(8);
  buffer.writeBigUInt64LE(BigInt.asUintN(64, value));
  return buffer;
}

function varint(value: bigint): Buffer {
  const out: number[] = [];
  let rest = BigInt.asUintN(64, value);
  while (rest > 0x7fn) {
    out.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  return Buffer.from([...out, Number(rest)]);
}
