import { readKeyValue, writeValue, type KeyValueRange } from './attribute-value.ts';
import { BlockMemory } from '../block/block-memory.ts';
import { ByteWriter } from '../block/byte-writer.ts';
import type { MapColumn, WordColumn } from '../block/columns.ts';
import type { WireReader } from '../wire/wire-reader.ts';

/**
 * Starts and ends of messages, in pairs. One flat array, because a record has many of them for a
 * short time.
 */
export type Ranges = number[];

/**
 * Empties a list that is filled again for the next record. It keeps its memory so: setting its length
 * would free that, and costs a call of the runtime.
 */
export function clear(list: unknown[]): void {
  while (list.length > 0) {
    list.pop();
  }
}

/** Reused: there are many attributes, one at a time. */
const attribute: KeyValueRange = { keyStart: 0, keyEnd: 0, valueStart: 0, valueEnd: 0 };
const scratch = new ByteWriter(new BlockMemory());

/** KeyValue messages as a row's Map, in the order they came. */
export function writeAttributes(reader: WireReader, attributes: Ranges, column: MapColumn): void {
  const { keys, values } = column.items;
  for (let index = 0; index < attributes.length; index += 2) {
    readKeyValue(reader, attributes[index]!, attributes[index + 1]!, attribute);
    const { valueStart, valueEnd } = attribute;
    keys.utf8(reader.bytes, attribute.keyStart, attribute.keyEnd);
    writeValue(reader, valueStart, valueEnd, values);
  }
  column.close(attributes.length / 2);
}

/** The value of one attribute; '' where there is none. */
export function writeAttribute(
  reader: WireReader,
  attributes: Ranges,
  key: string,
  column: WordColumn,
): void {
  scratch.reset(true);
  for (let index = 0; index < attributes.length; index += 2) {
    readKeyValue(reader, attributes[index]!, attributes[index + 1]!, attribute);
    if (
      attribute.keyEnd - attribute.keyStart === key.length &&
      spells(reader.bytes, attribute.keyStart, key)
    ) {
      writeValue(reader, attribute.valueStart, attribute.valueEnd, scratch);
      break;
    }
  }
  column.utf8(scratch.buffer, textStart(scratch), scratch.pos);
}

/** Where the text of a string column's value begins, after its length. */
function textStart({ buffer, pos }: ByteWriter): number {
  let index = 0;
  while (index < pos && buffer[index]! >= 0x80) {
    index++;
  }
  return Math.min(index + 1, pos);
}

function spells(bytes: Uint8Array, start: number, ascii: string): boolean {
  for (let index = 0; index < ascii.length; index++) {
    if (bytes[start + index] !== ascii.charCodeAt(index)) {
      return false;
    }
  }
  return true;
}
