import { writeAttribute, writeAttributes, type Ranges } from './attributes.ts';
import type { Column, MapColumn, PlainColumn, WordColumn } from '../block/columns.ts';
import { WireReader } from '../wire/wire-reader.ts';

/** A range of bytes in the request. */
export interface Range {
  start: number;
  end: number;
}

/** Where one field of a record is, empty if it is absent. Reused for the next record. */
export class FieldRange implements Range {
  start = 0;
  end = 0;

  set(start: number, end: number): void {
    this.start = start;
    this.end = end;
  }
}

const absent: Range = { start: 0, end: 0 };

/** Data that all records of one instrumentation scope share. */
export class Group {
  readonly resourceAttributes: Ranges;
  readonly resourceSchemaUrl: Range;
  readonly scopeSchemaUrl: Range;
  scopeName: Range = absent;
  scopeVersion: Range = absent;
  readonly scopeAttributes: Ranges = [];
  scopeDroppedAttributes = 0;

  constructor(resourceAttributes: Ranges, resourceSchemaUrl: Range, scopeSchemaUrl: Range) {
    this.resourceAttributes = resourceAttributes;
    this.resourceSchemaUrl = resourceSchemaUrl;
    this.scopeSchemaUrl = scopeSchemaUrl;
  }
}

export interface Visitor {
  /** Called before the records of each group. */
  groupStart?(): void;
  /** One log record, span or metric. */
  record(reader: WireReader, start: number, end: number): void;
  /** Called after the records of each group. */
  groupEnd(reader: WireReader, group: Group): void;
}

/** Columns of the resource and the scope that all tables have. */
interface SharedColumns {
  resourceAttributes: MapColumn;
  serviceName: WordColumn;
  scopeName: TextColumn;
  scopeVersion: TextColumn;
}

type TextColumn = PlainColumn | WordColumn;

const FIRST = 0x0a;
const SECOND = 0x12;
const THIRD = 0x1a;
const DROPPED = 0x20;

/**
 * The three requests have one shape: groups of a resource (1), each with groups of a scope (2),
 * each with records (2), and a schema URL (3) on both levels.
 */
export function visitRequest(bytes: Uint8Array, visitor: Visitor, maxFields: number): void {
  const reader = new WireReader(bytes, maxFields);
  const end = bytes.length;
  for (let tag = reader.tag(end); tag !== 0; tag = reader.tag(end)) {
    if (tag !== FIRST) {
      reader.skip(tag, end);
      continue;
    }
    const stop = reader.delimited(end);
    visitResource(reader, stop, visitor);
    reader.pos = stop;
  }
}

export function writeRange(reader: WireReader, range: Range, column: TextColumn): void {
  column.utf8(reader.bytes, range.start, range.end);
}

export function writeShared(reader: WireReader, group: Group, columns: SharedColumns): void {
  writeAttributes(reader, group.resourceAttributes, columns.resourceAttributes);
  writeAttribute(reader, group.resourceAttributes, 'service.name', columns.serviceName);
  writeRange(reader, group.scopeName, columns.scopeName);
  writeRange(reader, group.scopeVersion, columns.scopeVersion);
}

/** Gives `rows` rows the values that `write` writes once. */
export function writeRepeated(columns: readonly Column[], rows: number, write: () => void): void {
  for (const column of columns) {
    column.begin();
  }
  write();
  for (const column of columns) {
    column.end();
    column.repeat(rows - 1);
  }
}

function visitResource(reader: WireReader, end: number, visitor: Visitor): void {
  const outer = readLevel(reader, end);
  const resourceAttributes: Ranges = [];
  forEachPair(outer.heads, (start, stop) =>
    readMessages(reader, start, stop, FIRST, resourceAttributes),
  );
  forEachPair(outer.items, (start, stop) => {
    reader.pos = start;
    const inner = readLevel(reader, stop);
    const group = new Group(resourceAttributes, outer.schemaUrl, inner.schemaUrl);
    readScope(reader, inner.heads, group);
    visitor.groupStart?.();
    const { items } = inner;
    for (let index = 0; index < items.length; index += 2) {
      visitor.record(reader, items[index]!, items[index + 1]!);
    }
    visitor.groupEnd(reader, group);
  });
}

interface Level {
  /** Merges a resource or scope that arrives in several pieces. */
  heads: Ranges;
  items: Ranges;
  schemaUrl: Range;
}

/** Reads all fields of a level before it uses them, because fields can arrive in any order. */
function readLevel(reader: WireReader, end: number): Level {
  const level: Level = { heads: [], items: [], schemaUrl: absent };
  for (let tag = reader.tag(end); tag !== 0; tag = reader.tag(end)) {
    if (tag !== FIRST && tag !== SECOND && tag !== THIRD) {
      reader.skip(tag, end);
      continue;
    }
    const stop = reader.delimited(end);
    if (tag === FIRST) {
      level.heads.push(reader.pos, stop);
    } else if (tag === SECOND) {
      level.items.push(reader.pos, stop);
    } else {
      level.schemaUrl = { start: reader.pos, end: stop };
    }
    reader.pos = stop;
  }
  return level;
}

/** A scope may arrive in several pieces. */
function readScope(reader: WireReader, heads: Ranges, group: Group): void {
  forEachPair(heads, (start, end) => {
    reader.pos = start;
    for (let tag = reader.tag(end); tag !== 0; tag = reader.tag(end)) {
      if (tag === DROPPED) {
        group.scopeDroppedAttributes = reader.varint(end);
      } else if (tag === FIRST || tag === SECOND || tag === THIRD) {
        const stop = reader.delimited(end);
        if (tag === FIRST) {
          group.scopeName = { start: reader.pos, end: stop };
        } else if (tag === SECOND) {
          group.scopeVersion = { start: reader.pos, end: stop };
        } else {
          group.scopeAttributes.push(reader.pos, stop);
        }
        reader.pos = stop;
      } else {
        reader.skip(tag, end);
      }
    }
  });
}

/** Ranges of a repeated message field. */
function readMessages(
  reader: WireReader,
  start: number,
  end: number,
  wanted: number,
  into: Ranges,
): void {
  reader.pos = start;
  for (let tag = reader.tag(end); tag !== 0; tag = reader.tag(end)) {
    if (tag === wanted) {
      const stop = reader.delimited(end);
      into.push(reader.pos, stop);
      reader.pos = stop;
    } else {
      reader.skip(tag, end);
    }
  }
}

function forEachPair(ranges: Ranges, visit: (start: number, end: number) => void): void {
  for (let index = 0; index < ranges.length; index += 2) {
    visit(ranges[index]!, ranges[index + 1]!);
  }
}
