import { inflateRawSync } from 'node:zlib';
import avro from 'avsc';
import { jsonText } from './json-text.ts';

/** The text of a schema, and of those it refers to. */
interface Schema {
  text: string;
  references: readonly { text: string }[];
}

/** Reads 64-bit integers as bigint: a JavaScript number would lose digits above 2^53. */
const bigLong = avro.types.LongType.__with({
  fromBuffer: (buffer: Buffer) => buffer.readBigInt64LE(),
  toBuffer: (value: bigint) => {
    const buffer = Buffer.alloc(8);
    buffer.writeBigInt64LE(value);
    return buffer;
  },
  fromJSON: BigInt,
  toJSON: String,
  isValid: (value: unknown) => typeof value === 'bigint',
  compare: (one: bigint, other: bigint) => Number(one > other) - Number(one < other),
});

const iso = (ms: bigint | number): string => new Date(Number(ms)).toISOString();

/**
 * A logical type that converts values of type `V` when they are read. Values are never written.
 */
function readAs<V>(read: (value: V, attributes: { scale?: number }) => unknown): LogicalTypeClass {
  return class extends avro.types.LogicalType {
    readonly #attributes: { scale?: number };
    constructor(schema: avro.Schema, options?: object) {
      super(schema, options);
      const { scale } = schema as { scale?: number };
      this.#attributes = scale === undefined ? {} : { scale };
    }
    protected override _export(): void {
      /* Adds no attributes to the schema. */
    }
    protected override _fromValue(value: unknown): unknown {
      return read(value as V, this.#attributes);
    }
    protected override _toValue(value: unknown): unknown {
      return value;
    }
    protected override _resolve(): undefined {
      return undefined;
    }
  };
}

type LogicalTypeClass = new (schema: avro.Schema, options?: object) => avro.types.LogicalType;

const logicalTypes = {
  date: readAs((days: number) => new Date(days * 86_400_000).toISOString().slice(0, 10)),
  // The value below a logical type is a plain number, in which timestamps of this era fit.
  'timestamp-millis': readAs((ms: number) => iso(ms)),
  'timestamp-micros': readAs((micros: number) => microsText(BigInt(micros))),
  decimal: readAs((bytes: Buffer, { scale = 0 }) => decimalText(bytes, scale)),
};

function microsText(micros: bigint): string {
  const fraction = ((micros % 1000n) + 1000n) % 1000n;
  return `${iso((micros - fraction) / 1000n).slice(0, -1)}${String(fraction).padStart(3, '0')}Z`;
}

/**
 * Text of a decimal in two's complement, big-endian. Text, because a reader may parse a JSON number
 * as a float.
 */
function decimalText(bytes: Buffer, scale: number): string {
  let value = BigInt.asIntN(bytes.length * 8, BigInt(`0x${bytes.toString('hex') || '0'}`));
  const sign = value < 0n ? '-' : '';
  if (value < 0n) {
    value = -value;
  }
  const digits = String(value).padStart(scale + 1, '0');
  return sign + (scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`);
}

const schemaOptions = () => ({
  wrapUnions: false as const,
  logicalTypes,
  typeHook: (schema: avro.Schema) =>
    (schema as { type?: unknown } | string) === 'long' ? bigLong : undefined,
});

/** Makes a decoder for one schema of a registry. References come before their users. */
export function avroDecoder({ text, references }: Schema): (payload: Buffer) => Buffer {
  const registry = {};
  const options = { ...schemaOptions(), registry };
  for (const reference of references) {
    avro.Type.forSchema(JSON.parse(reference.text) as avro.Schema, options);
  }
  const type = avro.Type.forSchema(JSON.parse(text) as avro.Schema, options);
  return (payload) => Buffer.from(jsonText(type.fromBuffer(payload)));
}

const containerMagic = Buffer.from('Obj\u0001', 'latin1');
const syncBytes = 16;
/** Maximum size of one record after decompression. */
const recordBytesMax = 64 * 2 ** 20;

/** Makes a decoder for values that are Avro files of one record, each with its schema. */
export function avroContainerDecoder(): (value: Buffer) => Buffer {
  const headerType = avro.Type.forSchema({
    type: 'record',
    name: 'Header',
    fields: [
      { name: 'magic', type: { type: 'fixed', name: 'Magic', size: 4 } },
      { name: 'meta', type: { type: 'map', values: 'bytes' } },
      { name: 'sync', type: { type: 'fixed', name: 'Sync', size: syncBytes } },
    ],
  });
  const long = avro.Type.forSchema('long');
  // Keep the last schema, because most producers write only one.
  let latest: { schema: string; type: avro.Type } | undefined;
  return (value) => {
    if (!value.subarray(0, 4).equals(containerMagic)) {
      throw new Error(
        'it is not an Avro object container file, and the pipe has no schema registry',
      );
    }
    const header = part<{ meta: Record<string, Buffer> }>(headerType, value, 0);
    const schema = header.value.meta['avro.schema']?.toString();
    if (schema === undefined) {
      throw new Error('its header has no avro.schema');
    }
    if (latest?.schema !== schema) {
      latest = {
        schema,
        type: avro.Type.forSchema(JSON.parse(schema) as avro.Schema, schemaOptions()),
      };
    }
    const count =
      header.offset === value.length
        ? { value: 0, offset: 0 }
        : part<number>(long, value, header.offset);
    const size = count.value === 1 ? part<number>(long, value, count.offset) : undefined;
    const end = size === undefined ? value.length : size.offset + size.value;
    if (size === undefined || end + syncBytes < value.length) {
      throw new Error(
        `it contains ${size === undefined ? count.value : 'several blocks of'} Avro records instead of one`,
      );
    }
    if (size.value < 0 || end + syncBytes > value.length) {
      throw new Error('it is truncated');
    }
    return Buffer.from(
      jsonText(
        latest.type.fromBuffer(
          decompressed(
            value.subarray(size.offset, end),
            header.value.meta['avro.codec']?.toString() ?? 'null',
          ),
        ),
      ),
    );
  };
}

function part<T>(type: avro.Type, value: Buffer, start: number): { value: T; offset: number } {
  const read = type.decode(value, start) as { value: T | undefined; offset: number };
  if (read.offset < 0 || read.value === undefined) {
    throw new Error('it is truncated');
  }
  return { value: read.value, offset: read.offset };
}

function decompressed(block: Buffer, codec: string): Buffer {
  switch (codec) {
    case 'null':
      return block;
    case 'deflate':
      return inflateRawSync(block, { maxOutputLength: recordBytesMax });
    default:
      throw new Error(
        `its block is compressed with ${codec}, but only null and deflate are supported`,
      );
  }
}
