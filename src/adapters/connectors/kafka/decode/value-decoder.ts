import type { ConnectorContext, SourceRecord } from '../../../../ports/connector.ts';
import { avroContainerDecoder, avroDecoder } from '../../avro.ts';
import { protobufDecoder } from './protobuf.ts';
import { schemaRegistry, type Schema } from './schema-registry.ts';

type Decoded = Pick<SourceRecord, 'data' | 'refused' | 'raw'>;

/** Makes JSON of a record's value. Only a schema that is not known yet makes it wait. */
export type ValueDecoder = (value: Buffer | null) => Decoded | Promise<Decoded>;

/** Turns bytes after the header into JSON text. Throws with a text that may be shown. */
export type PayloadDecoder = (payload: Buffer) => Buffer;

const headerBytes = 5;
/** A schema that was not there may be registered since: asked for again after so long, and not with each record of a flood of them. */
const askAgainMs = 5000;

/** @throws ConnectionLost from the decoder, when the registry is away: the record is read again. */
export function valueDecoder(context: ConnectorContext<'kafka'>): ValueDecoder {
  const { source } = context;
  const format = source.format ?? (source.schemaRegistry ? 'AvroConfluent' : 'JSONEachRow');
  if (format === 'JSONEachRow') {
    return source.schemaRegistry ? jsonAfterHeader : plainJson;
  }
  if (format === 'Avro' && !source.schemaRegistry) {
    return container();
  }
  return bySchema(context, format === 'Protobuf' ? protobufDecoder : avroDecoder);
}

/** Whether values are JSON as they stand: there is nothing to decode. */
export function isPlainJson({
  format,
  schemaRegistry,
}: ConnectorContext<'kafka'>['source']): boolean {
  return schemaRegistry === undefined && (format ?? 'JSONEachRow') === 'JSONEachRow';
}

const plainJson: ValueDecoder = (value) => ({ data: value });

/** JSON written with a registry has its five-byte header before it; JSON written without has none. */
const jsonAfterHeader: ValueDecoder = (value) =>
  value?.[0] === 0 ? { data: value.subarray(headerBytes), raw: value } : { data: value };

function container(): ValueDecoder {
  const decode = avroContainerDecoder();
  return (value) => decoded(value, decode);
}

function bySchema(
  context: ConnectorContext<'kafka'>,
  compile: (schema: Schema) => PayloadDecoder,
): ValueDecoder {
  const registry = schemaRegistry(context);
  const known = new Map<number, PayloadDecoder | string | Promise<PayloadDecoder | string>>();
  const find = async (id: number): Promise<PayloadDecoder | string> => {
    const schema = await registry(id);
    if (schema === undefined) {
      return `the schema registry knows no schema ${id}`;
    }
    try {
      return compile(schema);
    } catch (error) {
      return `schema ${id} cannot be used: ${error instanceof Error ? error.message : 'it is not understood'}`;
    }
  };
  return (value) => {
    if (value === null) {
      return { data: null };
    }
    if (value[0] !== 0 || value.length < headerBytes) {
      return { data: null, raw: value, refused: 'the record does not begin with a schema id' };
    }
    const id = value.readInt32BE(1);
    const ready = known.get(id);
    return ready instanceof Promise || ready === undefined
      ? wait(value, id, ready)
      : by(ready, value);
  };

  async function wait(
    value: Buffer,
    id: number,
    asked: Promise<PayloadDecoder | string> | undefined,
  ): Promise<Decoded> {
    const asking = asked ?? find(id);
    known.set(id, asking);
    const found = await asking.catch((error: unknown) => {
      known.delete(id);
      throw error;
    });
    if (typeof found === 'string' && known.get(id) === asking) {
      setTimeout(() => {
        known.delete(id);
      }, askAgainMs).unref();
    }
    known.set(id, found);
    return by(found, value);
  }
}

function by(found: PayloadDecoder | string, value: Buffer): Decoded {
  return typeof found === 'string'
    ? { data: null, raw: value, refused: found }
    : decoded(value, found, headerBytes);
}

function decoded(value: Buffer | null, decode: PayloadDecoder, from = 0): Decoded {
  if (value === null) {
    return { data: null };
  }
  try {
    return { data: decode(value.subarray(from)), raw: value };
  } catch (error) {
    return {
      data: null,
      raw: value,
      refused: `the record cannot be decoded: ${error instanceof Error ? error.message.slice(0, 300) : 'it does not follow its schema'}`,
    };
  }
}
