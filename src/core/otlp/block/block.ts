import { BlockMemory } from './block-memory.ts';
import type { BlockReader } from './block-reader.ts';
import { ByteWriter } from './byte-writer.ts';
import {
  ArrayColumn,
  MapColumn,
  PlainColumn,
  WordColumn,
  columnOf,
  type Column,
  type PlainType,
} from './columns.ts';

/** The numbers of columns and of rows. */
const maxSizesOfBlock = 10;
/** What a dictionary has beside its texts, and the number of its indexes. */
const maxSizesOfColumn = 24;

/** Name and type of a column, as the engine writes the type. */
export interface ColumnType {
  name: string;
  type: string;
}

/**
 * Rows of one table, column by column, in the engine's Native format. Subclasses declare the
 * columns. One block is used again and again, because encoding a request is one synchronous step.
 */
export abstract class Block {
  rows = 0;
  abstract readonly table: string;
  private readonly memory = new BlockMemory();
  private readonly named: { name: string; column: Column }[] = [];
  private types: readonly ColumnType[] | undefined;
  /** What each column has before its values, the same in each block. */
  private heads: readonly Uint8Array[] | undefined;

  /** Forgets its rows; the next ones may have `maxBytes`. */
  start(maxBytes: number): void {
    this.rows = 0;
    this.memory.reset(maxBytes);
  }

  get columns(): readonly ColumnType[] {
    return (this.types ??= this.named.map(({ name, column }) => ({ name, type: column.type })));
  }

  /**
   * The rows in memory of their own, which a worker can hand over. @throws Fault
   * `payload_too_large`.
   */
  take(): Buffer {
    this.memory.require(0);
    const { named, memory } = this;
    const heads = this.ownHeads();
    const out = new ByteWriter(new BlockMemory());
    // Memory outside the heap makes the runtime collect the heap, so this is hardly more than needed.
    const sizes = heads.reduce(
      (sum, head) => sum + head.length + maxSizesOfColumn,
      maxSizesOfBlock,
    );
    out.reserve(memory.usedBytes + sizes);
    out.size(named.length);
    out.size(this.rows);
    heads.forEach((head, index) => {
      out.raw(head, 0, head.length);
      named[index]!.column.writeValues(out);
    });
    return out.buffer.subarray(0, out.pos);
  }

  /** Appends the rows of another block. @throws RangeError if it has other columns. */
  append(from: BlockReader): void {
    const columns = from.size();
    const rows = from.size();
    const heads = this.ownHeads();
    for (const [index, { column }] of this.named.entries()) {
      if (columns !== heads.length || !from.reads(heads[index]!)) {
        throw new RangeError('a block has other columns');
      }
      column.append(from, rows);
    }
    this.rows += rows;
  }

  private ownHeads(): readonly Uint8Array[] {
    return (this.heads ??= this.named.map(headOf));
  }

  /** The columns declared so far. */
  protected declared(): Column[] {
    return this.named.map(({ column }) => column);
  }

  protected text(name: string): PlainColumn {
    return this.plain(name, 'String');
  }

  protected plain(name: string, type: PlainType): PlainColumn {
    return this.add(name, new PlainColumn(type, this.memory));
  }

  protected word(name: string): WordColumn {
    return this.add(name, new WordColumn(this.memory));
  }

  protected map(name: string): MapColumn {
    return this.add(name, new MapColumn(this.memory));
  }

  protected plainList(name: string, type: PlainType): ArrayColumn<PlainColumn> {
    return this.add(name, new ArrayColumn(new PlainColumn(type, this.memory), this.memory));
  }

  protected wordList(name: string): ArrayColumn<WordColumn> {
    return this.add(name, new ArrayColumn(new WordColumn(this.memory), this.memory));
  }

  protected mapList(name: string): ArrayColumn<MapColumn> {
    return this.add(name, new ArrayColumn(new MapColumn(this.memory), this.memory));
  }

  /** Declares the columns that a block has. @throws RangeError if `Block` does not write such blocks. */
  protected declareAsIn(block: BlockReader): void {
    const columns = block.size();
    const rows = block.size();
    for (let index = 0; index < columns; index++) {
      const start = block.pos;
      const name = block.text();
      const column = this.add(name, columnOf(block.text(), this.memory));
      block.pos = start;
      block.reads(headOf({ name, column }));
      column.append(block, rows);
    }
  }

  private add<C extends Column>(name: string, column: C): C {
    this.named.push({ name, column });
    return column;
  }
}

function headOf({ name, column }: { name: string; column: Column }): Uint8Array {
  const out = new ByteWriter(new BlockMemory());
  out.text(name);
  out.text(column.type);
  column.writePrefix(out);
  return out.buffer.subarray(0, out.pos);
}
