import type { DecodedValue } from '../../../../ports/batch.ts';
import { SourceFailed, type ConnectorContext } from '../../../../ports/connector.ts';
import { avroContainerDecoder, avroDecoder } from '../../avro.ts';
import { decodingReason } from '../../decoding-reason.ts';
import { protobufDecoder } from './protobuf.ts';
import { schemaRegistry, type Schema, type SchemaRegistry } from './schema-registry.ts';

/** Converts a record's value to JSON. Returns a promise only while it fetches a schema. */
export type ValueDecoder = (value: Buffer | null) => DecodedValue | Promise<DecodedValue>;

/** Converts the bytes after the header to JSON text. Throws an error whose text may be shown. */
export type PayloadDecoder = (payload: Buffer) => Buffer;

const headerBytes = 5;
/**
 * Time after which a missing schema is fetched again, because it may have been registered since.
 * Fetching it for every record would flood the registry.
 */
const retryMs = 5000;

/** The decoder throws ConnectionLost if the registry does not respond. `closed` ends its requests. */
export function valueDecoder(
  context: ConnectorContext<'kafka'>,
  closed: AbortSignal,
): ValueDecoder {
  const { source } = context;
  const format = source.format ?? (source.schemaRegistry ? 'AvroConfluent' : 'JSONEachRow');
  if (format === 'JSONEachRow') {
    return source.schemaRegistry ? jsonAfterHeader : plainJson;
  }
  if (source.schemaRegistry) {
    const { egress, allowHttp } = context;
    const registry = schemaRegistry({ egress, allowHttp, registry: source.schemaRegistry, closed });
    return bySchema(registry, format === 'Protobuf' ? protobufDecoder : avroDecoder);
  }
  if (format === 'Avro') {
    return container();
  }
  throw new SourceFailed(`format ${format} requires schemaRegistry. Set it, or change format.`);
}

/** Whether values are JSON already, so that nothing needs decoding. */
export function isPlainJson({
  format,
  schemaRegistry,
}: ConnectorContext<'kafka'>['source']): boolean {
  return schemaRegistry === undefined && (format ?? 'JSONEachRow') === 'JSONEachRow';
}

export const plainJson: ValueDecoder = (value) => ({ data: value });

/** JSON written with a registry starts with a five-byte header; other JSON does not. */
const jsonAfterHeader: ValueDecoder = (value) =>
  value?.[0] === 0 ? { data: value.subarray(headerBytes), raw: value } : { data: value };

function container(): ValueDecoder {
  const decode = avroContainerDecoder();
  return (value) => decoded(value, decode);
}

/** A decoder, or the reason why records of the schema cannot be decoded. */
type SchemaDecoder = PayloadDecoder | string;

function bySchema(
  registry: SchemaRegistry,
  compile: (schema: Schema) => PayloadDecoder,
): ValueDecoder {
  const known = new Map<number, SchemaDecoder | Promise<SchemaDecoder>>();
  const fetchDecoder = async (id: number): Promise<SchemaDecoder> => {
    const schema = await registry(id);
    if (schema === undefined) {
      return `the schema registry has no schema ${id}`;
    }
    try {
      return compile(schema);
    } catch (error) {
      return `cannot use schema ${id}: ${error instanceof Error ? error.message : 'it is invalid'}`;
    }
  };
  return (value) => {
    if (value === null) {
      return { data: null };
    }
    if (value[0] !== 0 || value.length < headerBytes) {
      return { data: null, raw: value, refused: 'the record does not start with a schema id' };
    }
    const id = value.readInt32BE(1);
    const decoder = known.get(id);
    return decoder instanceof Promise || decoder === undefined
      ? wait(value, id, decoder)
      : decodedBy(decoder, value);
  };

  async function wait(
    value: Buffer,
    id: number,
    running: Promise<SchemaDecoder> | undefined,
  ): Promise<DecodedValue> {
    const request = running ?? fetchDecoder(id);
    known.set(id, request);
    const decoder = await request.catch((error: unknown) => {
      known.delete(id);
      throw error;
    });
    if (typeof decoder === 'string' && known.get(id) === request) {
      setTimeout(() => {
        known.delete(id);
      }, retryMs).unref();
    }
    known.set(id, decoder);
    return decodedBy(decoder, value);
  }
}

function decodedBy(decoder: SchemaDecoder, value: Buffer): DecodedValue {
  return typeof decoder === 'string'
    ? { data: null, raw: value, refused: decoder }
    : decoded(value, decoder, headerBytes);
}

function decoded(value: Buffer | null, decode: PayloadDecoder, from = 0): DecodedValue {
  if (value === null) {
    return { data: null };
  }
  try {
    return { data: decode(value.subarray(from)), raw: value };
  } catch (error) {
    return { data: null, raw: value, refused: decodingReason(error) };
  }
}
