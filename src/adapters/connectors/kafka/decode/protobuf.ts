import protobuf from 'protobufjs';
import { jsonText } from '../../json-text.ts';
import type { Schema } from './schema-registry.ts';
import { addImported, mapWellKnown } from './well-known-types.ts';

/**
 * Makes a decoder for one schema. A payload starts with the indexes of the message type within the
 * schema; the message follows.
 */
export function protobufDecoder({ text, references }: Schema): (payload: Buffer) => Buffer {
  const root = new protobuf.Root();
  const parsed = [...references.map((reference) => reference.text), text].map((source) =>
    protobuf.parse(source, root, { keepCase: true }),
  );
  const given = new Set(references.map(({ name }) => name));
  addImported(
    root,
    parsed.flatMap(({ imports }) => imports ?? []).filter((file) => !given.has(file)),
  );
  root.resolveAll();
  const top = ownMessages(text).map((name) => root.lookupType(name));
  return (payload) => {
    const { indexes, offset } = readIndexes(payload);
    const type = typeAt(top, indexes);
    if (!type) {
      throw new Error('the schema does not contain its message type');
    }
    const message = type.toObject(type.decode(payload.subarray(offset)), {
      longs: String,
      enums: String,
      defaults: true,
      arrays: true,
      objects: true,
    });
    return Buffer.from(jsonText(mapWellKnown(type, message)));
  };
}

/**
 * Top-level messages of the schema itself, in its order. The indexes count only these, not messages
 * of its references.
 */
function ownMessages(text: string): string[] {
  const root = new protobuf.Root();
  const { package: name } = protobuf.parse(text, root, { keepCase: true });
  const scope =
    name === undefined || name === null ? root : (root.lookup(name) as protobuf.Namespace);
  return scope.nestedArray
    .filter((nested) => nested instanceof protobuf.Type)
    .map(({ fullName }) => fullName);
}

function typeAt(
  top: readonly protobuf.Type[],
  indexes: readonly number[],
): protobuf.Type | undefined {
  let types = top;
  let type: protobuf.Type | undefined;
  for (const index of indexes) {
    type = types[index];
    types =
      type?.nestedArray.filter(
        (nested): nested is protobuf.Type => nested instanceof protobuf.Type,
      ) ?? [];
  }
  return type;
}

/**
 * Reads a count and that many indexes, all zigzag numbers of variable length. A count of 0 stands
 * for the first message.
 */
function readIndexes(payload: Buffer): { indexes: number[]; offset: number } {
  const cursor = { offset: 0 };
  const count = readZigZag(payload, cursor);
  if (count < 0 || count > 16) {
    throw new Error('its message indexes are invalid');
  }
  const indexes = Array.from({ length: count }, () => readZigZag(payload, cursor));
  return { indexes: count === 0 ? [0] : indexes, offset: cursor.offset };
}

function readZigZag(payload: Buffer, cursor: { offset: number }): number {
  let value = 0;
  for (let shift = 0; shift < 35; shift += 7) {
    const byte = payload[cursor.offset++];
    if (byte === undefined) {
      throw new Error('it is truncated');
    }
    value |= (byte & 0x7f) << shift;
    if ((byte & 0x80) === 0) {
      return (value >>> 1) ^ -(value & 1);
    }
  }
  throw new Error('its message indexes are invalid');
}
