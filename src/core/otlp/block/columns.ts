import type { BlockMemory } from './block-memory.ts';
import type { BlockReader } from './block-reader.ts';
import { ByteWriter } from './byte-writer.ts';
import { Dictionary } from './dictionary.ts';
import { IntegerList } from './integer-list.ts';

/**
 * A column of a block, in the engine's Native format. A value that many rows share is written once,
 * between `begin` and `end`, and then repeated.
 */
export interface Column {
  /** The engine's name of its type. */
  readonly type: string;
  begin(): void;
  end(): void;
  /** Appends the shared value `times` more. */
  repeat(times: number): void;
  /** Appends `count` values from the same column of another block. */
  append(from: BlockReader, count: number): void;
  /** Writes what the values of nested columns have in front of the whole column. */
  writePrefix(out: ByteWriter): void;
  writeValues(out: ByteWriter): void;
}

/** Bytes of a value; 0: a text. */
const widths = {
  String: 0,
  Bool: 1,
  UInt8: 1,
  UInt32: 4,
  Int32: 4,
  UInt64: 8,
  Float64: 8,
  'DateTime64(9)': 8,
};

export type PlainType = keyof typeof widths;

function plainOrWords(type: string, memory: BlockMemory): Column {
  if (Object.hasOwn(widths, type)) {
    return new PlainColumn(type as PlainType, memory);
  }
  return type.startsWith('Map') ? new MapColumn(memory) : new WordColumn(memory);
}

/** A column of that type. @throws RangeError if no block has such columns. */
export function columnOf(type: string, memory: BlockMemory): Column {
  const items = /^Array\((.*)\)$/.exec(type)?.[1];
  if (items !== undefined) {
    return new ArrayColumn(columnOf(items, memory), memory);
  }
  const column = plainOrWords(type, memory);
  if (column.type !== type) {
    throw new RangeError(`no block has columns of the type ${type}`);
  }
  return column;
}

/** Numbers and times of a fixed width, or texts with their length in front. */
export class PlainColumn extends ByteWriter implements Column {
  readonly type: PlainType;
  private valueStart = 0;
  private valueEnd = 0;

  constructor(type: PlainType, memory: BlockMemory) {
    super(memory);
    this.type = type;
  }

  begin(): void {
    this.valueStart = this.pos;
  }

  end(): void {
    this.valueEnd = this.pos;
  }

  repeat(times: number): void {
    this.repeatBytes(this.valueStart, this.valueEnd, times);
  }

  append(from: BlockReader, count: number): void {
    const width = widths[this.type];
    const start = width === 0 ? from.skipTexts(count) : from.skip(count * width);
    this.raw(from.bytes, start, from.pos);
  }

  writePrefix(): void {}

  writeValues(out: ByteWriter): void {
    out.raw(this.buffer, 0, this.pos);
  }
}

/** The dictionary of the block is whole (0x200) and replaces the one before (0x400). */
const ownDictionary = 0x600;
const dictionaryVersion = 1;

/** Texts that repeat: each different one is sent once a block. */
export class WordColumn implements Column {
  readonly type = 'LowCardinality(String)';
  private readonly indexes: IntegerList;
  private readonly dictionary: Dictionary;
  /** Where each text of another block's dictionary is in this one. */
  private places = new Uint32Array(64);
  private valueStart = 0;
  private valueEnd = 0;

  constructor(memory: BlockMemory) {
    this.indexes = new IntegerList(memory, 4);
    this.dictionary = new Dictionary(memory);
  }

  /** A text from UTF-8 bytes. Invalid bytes become U+FFFD. */
  utf8(bytes: Uint8Array, start: number, end: number): void {
    this.indexes.push(this.dictionary.indexOf(bytes, start, end));
  }

  begin(): void {
    this.valueStart = this.indexes.length;
  }

  end(): void {
    this.valueEnd = this.indexes.length;
  }

  repeat(times: number): void {
    this.indexes.repeat(this.valueStart, this.valueEnd, times);
  }

  append(from: BlockReader, count: number): void {
    if (count === 0) {
      return;
    }
    const { bytes } = from;
    const width = widthOf(from.u64() ^ ownDictionary);
    const size = from.u64();
    if (this.places.length < size) {
      this.places = new Uint32Array(size * 2);
    }
    const { places, dictionary, indexes } = this;
    for (let place = 0; place < size; place++) {
      const length = from.size();
      const start = from.skip(length);
      places[place] = dictionary.indexOf(bytes, start, start + length);
    }
    if (from.u64() !== count) {
      throw new RangeError('a column of a block has more or fewer values than the others');
    }
    indexes.pushPlaces(places, bytes, from.skip(count * width), count, width);
  }

  writePrefix(out: ByteWriter): void {
    out.u64(dictionaryVersion, 0);
  }

  writeValues(out: ByteWriter): void {
    const { indexes, dictionary } = this;
    if (indexes.length === 0) {
      return;
    }
    const { code, width } = indexWidth(dictionary.size);
    out.u64(ownDictionary | code, 0);
    out.u64(dictionary.size, 0);
    out.raw(dictionary.texts.buffer, 0, dictionary.texts.pos);
    out.u64(indexes.length, 0);
    indexes.writeTo(out, width);
  }
}

function indexWidth(size: number): { code: number; width: 1 | 2 | 4 } {
  if (size <= 0x100) {
    return { code: 0, width: 1 };
  }
  return size <= 0x1_0000 ? { code: 1, width: 2 } : { code: 2, width: 4 };
}

function widthOf(code: number): 1 | 2 | 4 {
  const width = ([1, 2, 4] as const)[code];
  if (width === undefined) {
    throw new RangeError('the dictionary of a block has another form');
  }
  return width;
}

/** Lists: where each ends, and the items of all. */
export class ArrayColumn<Item extends Column = Column> implements Column {
  readonly items: Item;
  private readonly ends: IntegerList;
  private valueLength = 0;

  constructor(items: Item, memory: BlockMemory) {
    this.items = items;
    this.ends = new IntegerList(memory, 8);
  }

  get type(): string {
    return `Array(${this.items.type})`;
  }

  /** Ends a list; its items are written before or after. */
  close(length: number): void {
    this.valueLength = length;
    this.ends.pushAfterLast(length);
  }

  begin(): void {
    this.items.begin();
  }

  end(): void {
    this.items.end();
  }

  repeat(times: number): void {
    this.items.repeat(times);
    this.ends.continue(this.valueLength, times);
  }

  append(from: BlockReader, count: number): void {
    const start = this.ends.last;
    let end = 0;
    for (let index = 0; index < count; index++) {
      end = from.u64();
      this.ends.push(start + end);
    }
    this.items.append(from, end);
  }

  writePrefix(out: ByteWriter): void {
    this.items.writePrefix(out);
  }

  writeValues(out: ByteWriter): void {
    this.ends.writeTo(out, 8);
    this.items.writeValues(out);
  }
}

/** Keys and values of attributes. */
class PairColumn implements Column {
  readonly type = 'LowCardinality(String), String';
  readonly keys: WordColumn;
  readonly values: PlainColumn;

  constructor(memory: BlockMemory) {
    this.keys = new WordColumn(memory);
    this.values = new PlainColumn('String', memory);
  }

  begin(): void {
    this.keys.begin();
    this.values.begin();
  }

  end(): void {
    this.keys.end();
    this.values.end();
  }

  repeat(times: number): void {
    this.keys.repeat(times);
    this.values.repeat(times);
  }

  append(from: BlockReader, count: number): void {
    this.keys.append(from, count);
    this.values.append(from, count);
  }

  writePrefix(out: ByteWriter): void {
    this.keys.writePrefix(out);
  }

  writeValues(out: ByteWriter): void {
    this.keys.writeValues(out);
    this.values.writeValues(out);
  }
}

/** Attributes of each row, in their order. */
export class MapColumn extends ArrayColumn<PairColumn> {
  constructor(memory: BlockMemory) {
    super(new PairColumn(memory), memory);
  }

  override get type(): string {
    return `Map(${this.items.type})`;
  }
}
