import { inflateRawSync } from 'node:zlib';
import avro from 'avsc';
import { jsonText } from './json-text.ts';

/** A schema and those it names, as text. */
interface Schema {
  text: string;
  references: readonly { text: string }[];
}

/** 64-bit integers as they are: a number of JavaScript would lose digits past 2^53. */
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
  compare: (one: bigint, other: bigint) => (one < other ? -1 : one > other ? 1 : 0),
});

const iso = (ms: bigint | number): string => new Date(Number(ms)).toISOString();

/** Wraps a way to read an underlying value; what we read is never written again. */
function readAs(
  read: (value: never, attributes: { scale?: number }) => unknown,
): typeof avro.types.LogicalType {
  class Reading extends avro.types.LogicalType {
    #scale: number | undefined;
    protected override _export(): void {
      /* nothing of its own to write into a schema */
    }
    protected override _fromValue(value: unknown): unknown {
      return read(value as never, this.#scale === undefined ? {} : { scale: this.#scale });
    }
    protected override _toValue(value: unknown): unknown {
      return value;
    }
    protected override _resolve(): undefined {
      return undefined;
    }
    protected setScale(schema: { scale?: number }): void {
      this.#scale = schema.scale;
    }
    constructor(schema: avro.Schema, options?: unknown) {
      super(schema, options as never);
      this.setScale(schema as { scale?: number });
    }
  }
  return Reading as unknown as typeof avro.types.LogicalType;
}

const logicalTypes = {
  date: readAs((days: number) => new Date(days * 86_400_000).toISOString().slice(0, 10)),
  // What lies beneath a logical type is read as a plain number: moments of this era fit.
  'timestamp-millis': readAs((ms: number) => iso(ms)),
  'timestamp-micros': readAs((micros: number) => microsText(BigInt(micros))),
  decimal: readAs((bytes: Buffer, { scale = 0 }) => decimalText(bytes, scale)),
};

function microsText(micros: bigint): string {
  const fraction = ((micros % 1000n) + 1000n) % 1000n;
  return `${iso((micros - fraction) / 1000n).slice(0, -1)}${String(fraction).padStart(3, '0')}Z`;
}

/** Two's complement, big end first. Text, because a number of JSON may be read as a float. */
function decimalText(bytes: Buffer, scale: number): string {
  let value = BigInt.asIntN(bytes.length * 8, BigInt(`0x${bytes.toString('hex') || '0'}`));
  const sign = value < 0n ? '-' : '';
  if (value < 0n) {
    value = -value;
  }
  const digits = String(value).padStart(scale + 1, '0');
  return sign + (scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`);
}

const options = () => ({
  wrapUnions: false as const,
  logicalTypes,
  typeHook: (schema: avro.Schema) =>
    (schema as { type?: unknown } | string) === 'long' ? bigLong : undefined,
});

/** A decoder for one schema of a registry; named types it refers to come first. */
export function avroDecoder({ text, references }: Schema): (payload: Buffer) => Buffer {
  const registry = {};
  const made = { ...options(), registry } as unknown as Parameters<typeof avro.Type.forSchema>[1];
  for (const reference of references) {
    avro.Type.forSchema(JSON.parse(reference.text) as avro.Schema, made);
  }
  const type = avro.Type.forSchema(JSON.parse(text) as avro.Schema, made);
  return (payload) => Buffer.from(jsonText(type.fromBuffer(payload)));
}

const containerMagic = Buffer.from('Obj\u0001', 'latin1');
const syncBytes = 16;
/** Of one record, decompressed. */
const recordBytesMax = 64 * 2 ** 20;

/** A decoder for values that are whole Avro files of one record: the schema is in each. */
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
  // Most producers write one schema.
  let latest: { schema: string; type: avro.Type } | undefined;
  return (value) => {
    if (!value.subarray(0, 4).equals(containerMagic)) {
      throw new Error('it is not an Avro object container, and no schema is known otherwise');
    }
    const header = part<{ meta: Record<string, Buffer> }>(headerType, value, 0);
    const schema = header.value.meta['avro.schema']?.toString();
    if (schema === undefined) {
      throw new Error('its header has no avro.schema');
    }
    if (latest?.schema !== schema) {
      latest = {
        schema,
        type: avro.Type.forSchema(
          JSON.parse(schema) as avro.Schema,
          options() as unknown as Parameters<typeof avro.Type.forSchema>[1],
        ),
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
        `it holds ${size === undefined ? count.value : 'several blocks of'} records; one record of the source is one row`,
      );
    }
    if (size.value < 0 || end + syncBytes > value.length) {
      throw new Error('it ends too early');
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

function part<T>(type: avro.Type, value: Buffer, at: number): { value: T; offset: number } {
  const read = type.decode(value, at) as { value: T | undefined; offset: number };
  if (read.offset < 0 || read.value === undefined) {
    throw new Error('it ends too early');
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
        `its block is compressed with ${codec}; inside a record null and deflate are read`,
      );
  }
}
