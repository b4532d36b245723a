import type { RowsPart } from '../../../ports/connector.ts';
import { isNull, isUnchanged, type PgoutputReader, type TuplePlaces } from './pgoutput-reader.ts';
import { rowsPart } from './row-block.ts';
import type { TableShape } from './table-shape.ts';
import { TsvWriter } from './tsv-writer.ts';

/** How a relation's columns, in the order of its messages, are written. `places`: of each, where it is in `shape.columns`; -1: it is excluded. */
export interface RelationShape {
  shape: TableShape;
  places: readonly number[];
  /** The relation's columns that the target is sorted by. */
  keyColumns: readonly number[];
  /** Changes of transactions before this place were copied already. */
  notBefore?: bigint | undefined;
}

/** A row whose large values were not sent: they are asked for at the server before the row can be written. */
export interface IncompleteRow {
  shape: TableShape;
  /** Texts in the order of `shape.columns`; undefined: not sent. */
  values: (string | null | undefined)[];
  transaction: number;
  version: string;
}

interface TableChanges {
  shape: TableShape;
  /** In order: lines, and rows that lack something. */
  pieces: ({ lines: Buffer; rows: number } | IncompleteRow)[];
  writer: TsvWriter | undefined;
  rows: number;
}

/** Changes of one stretch of the stream, table by table, each in its order. */
export class ChangeBatch {
  rows = 0;
  readonly incomplete: IncompleteRow[] = [];
  readonly #tables = new Map<TableShape, TableChanges>();
  readonly #sizeHint: number;

  /** @param sizeHint about how many bytes a table's rows will take. */
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

  /** Writes what a row message means for the table. @throws TypeChanged where a type must be looked up again; then nothing was written, or a deletion that may come twice. */
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

  /** Of each table, its rows. Incomplete ones have been completed. */
  parts(position: string): RowsPart[] {
    return [...this.#tables.values()]
      .filter(({ rows }) => rows > 0)
      .map((changes) => {
        seal(changes);
        const lines = changes.pieces.map((piece) =>
          'lines' in piece ? piece.lines : incompleteLine(piece),
        );
        const data = lines.length === 1 ? lines[0]! : Buffer.concat(lines);
        return rowsPart(changes.shape.target, data, changes.rows, position);
      });
  }

  #changes(shape: TableShape): TableChanges {
    const known = this.#tables.get(shape);
    if (known) {
      return known;
    }
    const made = { shape, pieces: [], writer: undefined, rows: 0 };
    this.#tables.set(shape, made);
    return made;
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
      writer.giveUpRow(length);
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
    for (let column = 0; column < after.count; column++) {
      const start = after.places[column * 2]!;
      if (places[column]! >= 0) {
        values[places[column]!] =
          start === isUnchanged
            ? undefined
            : start === isNull
              ? null
              : buffer.toString('utf8', start, after.places[column * 2 + 1]);
      }
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

/** Whether the update moved the row to another key: the old one must go. */
function keyChanged(
  buffer: Buffer,
  { keyColumns }: RelationShape,
  before: TuplePlaces,
  after: TuplePlaces,
): boolean {
  return keyColumns.some((column) => {
    const [was, is] = [before.places[column * 2]!, after.places[column * 2]!];
    // A key value that was not sent has not changed.
    if (is === isUnchanged) {
      return false;
    }
    if (was < 0 || is < 0) {
      return was !== is;
    }
    return (
      buffer.compare(
        buffer,
        was,
        before.places[column * 2 + 1],
        is,
        after.places[column * 2 + 1],
      ) !== 0
    );
  });
}

/** Takes what was not sent from the old row. False: it does not have it either. */
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
