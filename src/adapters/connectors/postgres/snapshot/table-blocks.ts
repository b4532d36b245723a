import type { TargetTable } from '../../../../ports/batch.ts';
import type { BinaryColumn } from '../binary/binary-column.ts';
import { BinaryRows } from '../binary/binary-rows.ts';
import { ConstantColumns } from '../binary/constant-columns.ts';
import { TableMemory } from '../binary/table-memory.ts';

export interface TableBlocksOptions {
  target: TargetTable;
  columns: readonly BinaryColumn[];
  version: bigint;
  /** Expected size of the blocks that are in use at the same time. */
  bytes: number;
}

/** Blocks for the rows of one table. A block that is stored is filled again. */
export class TableBlocks {
  readonly #options: TableBlocksOptions;
  readonly #constants: ConstantColumns;
  readonly #memory: TableMemory;
  readonly #spare: BinaryRows[] = [];
  #inUse = 0;

  constructor(options: TableBlocksOptions) {
    this.#options = options;
    this.#constants = new ConstantColumns(options.version);
    this.#memory = new TableMemory(options.bytes);
  }

  /** An empty block for about this many rows. */
  take(rowsHint: number): BinaryRows {
    this.#inUse++;
    const { target, columns } = this.#options;
    const [constants, memory] = [this.#constants, this.#memory];
    return this.#spare.pop() ?? new BinaryRows({ target, columns, constants, rowsHint, memory });
  }

  /** Nobody reads the block any more. */
  give(block: BinaryRows): void {
    block.reset();
    this.#spare.push(block);
    this.#inUse--;
  }

  /** Call this after the whole table is stored. The engine may still read blocks not given back. */
  close(): void {
    this.#spare.length = 0;
    if (this.#inUse === 0) {
      this.#memory.free();
    }
  }
}
