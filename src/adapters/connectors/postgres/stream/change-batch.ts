import type { RowsPart } from '../../../../ports/batch.ts';
import {
  isNull,
  isUnchanged,
  type PgoutputReader,
  type TuplePlaces,
} from '../wire/pgoutput-reader.ts';
import { rowsPart } from '../rows/row-block.ts';
import type { RelationShape } from '../tables/shapes.ts';
import type { TableShape } from '../tables/table-shape.ts';
import { TsvWriter } from '../rows/tsv-writer.ts';

/**
 * A row whose large values the server did not send. They must be queried before the row can be
 * written.
 */
export interface IncompleteRow {
  shape: TableShape;
  /** Texts in the order of `shape.columns`. Undefined: not sent. */
  values: (string | null | undefined)[];
  transaction: number;
  version: string;
}

interface TableChanges {
  shape: TableShape;
  /** Complete lines and incomplete rows, in the order of the stream. */
  pieces: ({ lines: Buffer; rows: number } | IncompleteRow)[];
  writer: TsvWriter | undefined;
  rows: number;
}

/** Collects the changes of one part of the stream by table, in the order of the stream. */
export class ChangeBatch {
  rows = 0;
  readonly incomplete: IncompleteRow[] = [];
  readonly #tables = new Map<TableShape, TableChanges>();
  readonly #sizeHint: number;

  /** @param sizeHint expected size of a table's rows in bytes. */
  constructor(sizeHint = 4096) {
    this.#sizeHint = sizeHint;
  }

  get bytes(): number {
    let bytes = 0;
    for (const { writer, pieces } of this.#tables.values()) {
      bytes +=
        (writer?.length ?? 0) +
        pieces.reduce((sum, piece) => sum + ('lines' in piece ? piece.lines.length : 1024), 0);
    }
    return bytes;
  }

  /**
   * Writes the rows that a row message stands for. @throws TypeChanged if a type must be read
   * again. Then nothing was written except maybe a deletion, which may safely be repeated.
   */
  add(message: PgoutputReader, relation: RelationShape, version: string): void {
    const { before, after, beforeKind, kind } = message;
    const changes = this.#changes(relation.shape);
    if (kind === 'delete') {
      return this.#tombstone(changes, message, relation, version);
    }
    if (beforeKind && keyChanged(message.buffer, relation, before, after)) {
      this.#tombstone(changes, message, relation, version);
    }
    if (after.unchanged && !(beforeKind === 'full' && fill(before, after))) {
      this.#incomplete(changes, message, relation, version);
    } else {
      this.#row(changes, message.buffer, relation, after, version, 0);
    }
  }

  /** The rows of each table. Call this after the incomplete rows were completed. */
  parts(position: string): RowsPart[] {
    return [...this.#tables.values()]
      .filter(({ rows }) => rows > 0)
      .map((changes) => {
        seal(changes);
        const [first = Buffer.alloc(0), ...rest] = changes.pieces.map((piece) =>
          'lines' in piece ? piece.lines : incompleteLine(piece),
        );
        const data = rest.length === 0 ? first : Buffer.concat([first, ...rest]);
        return rowsPart(changes.shape.target, data, changes.rows, position);
      });
  }

  #changes(shape: TableShape): TableChanges {
    const known = this.#tables.get(shape);
    if (known) {
      return known;
    }
    const created = { shape, pieces: [], writer: undefined, rows: 0 };
    this.#tables.set(shape, created);
    return created;
  }

  #row(
    changes: TableChanges,
    buffer: Buffer,
    { shape, places }: RelationShape,
    tuple: TuplePlaces,
    version: string,
    deleted: 0 | 1,
  ): void {
    const writer = (changes.writer ??= new TsvWriter(this.#sizeHint));
    const { length } = writer;
    try {
      writeValues(writer, buffer, shape, places, tuple);
    } catch (error) {
      writer.dropRow(length);
      throw error;
    }
    writer.digits(version);
    writer.digits(deleted === 0 ? '0' : '1');
    writer.endRow();
    changes.rows++;
    this.rows++;
  }

  #tombstone(
    changes: TableChanges,
    { buffer, before }: PgoutputReader,
    relation: RelationShape,
    version: string,
  ): void {
    this.#row(changes, buffer, relation, before, version, 1);
  }

  #incomplete(
    changes: TableChanges,
    { buffer, after, transaction }: PgoutputReader,
    { shape, places }: RelationShape,
    version: string,
  ): void {
    const values = shape.columns.map((): string | null | undefined => null);
    for (const [column, place] of places.entries()) {
      const start = after.places[column * 2] ?? isNull;
      if (column >= after.count || place < 0 || start === isNull) {
        continue;
      }
      values[place] =
        start === isUnchanged
          ? undefined
          : buffer.toString('utf8', start, after.places[column * 2 + 1]);
    }
    for (const [index, { treatment, convert }] of shape.columns.entries()) {
      if (treatment === 'coded' && typeof values[index] === 'string') {
        convert(values[index]);
      }
    }
    seal(changes);
    const row = { shape, values, transaction, version };
    changes.pieces.push(row);
    this.incomplete.push(row);
    changes.rows++;
    this.rows++;
  }
}

// `!` in this file: a checked read costs time for each value of each row.
function writeValues(
  writer: TsvWriter,
  buffer: Buffer,
  shape: TableShape,
  places: readonly number[],
  tuple: TuplePlaces,
): void {
  for (let column = 0; column < tuple.count; column++) {
    const place = places[column]!;
    if (place < 0) {
      continue;
    }
    const start = tuple.places[column * 2]!;
    if (start < 0) {
      writer.null();
    } else {
      writer.value(shape.columns[place]!, buffer, start, tuple.places[column * 2 + 1]!);
    }
  }
}

function seal(changes: TableChanges): void {
  if (!changes.writer) {
    return;
  }
  changes.pieces.push({ lines: changes.writer.take(), rows: changes.writer.rows });
  changes.writer = undefined;
}

function incompleteLine({ shape, values, version }: IncompleteRow): Buffer {
  const writer = new TsvWriter(1024);
  for (const [index, column] of shape.columns.entries()) {
    const value = values[index];
    if (value == null) {
      writer.null();
    } else {
      const bytes = Buffer.from(value);
      writer.value(column, bytes, 0, bytes.length);
    }
  }
  writer.digits(version);
  writer.digits('0');
  writer.endRow();
  return writer.take();
}

/** Whether the update changed the key, so that the row with the old key must be deleted. */
function keyChanged(
  buffer: Buffer,
  { keyColumns }: RelationShape,
  before: TuplePlaces,
  after: TuplePlaces,
): boolean {
  return keyColumns.some((column) => {
    const oldStart = before.places[column * 2]!;
    const newStart = after.places[column * 2]!;
    // The server omits only values that have not changed.
    if (newStart === isUnchanged) {
      return false;
    }
    if (oldStart < 0 || newStart < 0) {
      return oldStart !== newStart;
    }
    const oldEnd = before.places[column * 2 + 1];
    const newEnd = after.places[column * 2 + 1];
    return buffer.compare(buffer, oldStart, oldEnd, newStart, newEnd) !== 0;
  });
}

/** Takes values that were not sent from the old row. Returns false if it lacks one of them too. */
function fill(before: TuplePlaces, after: TuplePlaces): boolean {
  for (let column = 0; column < after.count; column++) {
    if (after.places[column * 2] !== isUnchanged) {
      continue;
    }
    if (before.places[column * 2] === isUnchanged) {
      return false;
    }
    after.places[column * 2] = before.places[column * 2]!;
    after.places[column * 2 + 1] = before.places[column * 2 + 1]!;
  }
  return true;
}
