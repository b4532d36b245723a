import { readKeyValue, writeValue, type KeyValueRange } from './attribute-value.ts';
import type { RowWriter } from './row-writer.ts';
import type { WireReader } from '../wire/wire-reader.ts';

/**
 * Starts and ends of messages, in pairs. One flat array, because a record has many of them for a
 * short time.
 */
export type Ranges = number[];

const range: () => KeyValueRange = () => ({ keyStart: 0, keyEnd: 0, valueStart: 0, valueEnd: 0 });

/** KeyValue messages as a Map(String, String), in the order they came. */
export function writeAttributes(reader: WireReader, attributes: Ranges, out: RowWriter): void {
  out.size(attributes.length / 2);
  if (attributes.length === 0) {
    return;
  }
  const attribute = range();
  for (let index = 0; index < attributes.length; index += 2) {
    readKeyValue(reader, attributes[index]!, attributes[index + 1]!, attribute);
    out.utf8(reader.bytes, attribute.keyStart, attribute.keyEnd);
    writeValue(reader, attribute.valueStart, attribute.valueEnd, out);
  }
}

/** The value of one attribute as a string column; '' where there is none. */
export function writeAttribute(
  reader: WireReader,
  attributes: Ranges,
  key: string,
  out: RowWriter,
): void {
  const attribute = range();
  for (let index = 0; index < attributes.length; index += 2) {
    readKeyValue(reader, attributes[index]!, attributes[index + 1]!, attribute);
    if (
      attribute.keyEnd - attribute.keyStart !== key.length ||
      !spells(reader.bytes, attribute.keyStart, key)
    ) {
      continue;
    }
    writeValue(reader, attribute.valueStart, attribute.valueEnd, out);
    return;
  }
  out.size(0);
}

function spells(bytes: Uint8Array, start: number, ascii: string): boolean {
  for (let index = 0; index < ascii.length; index++) {
    if (bytes[start + index] !== ascii.charCodeAt(index)) {
      return false;
    }
  }
  return true;
}
