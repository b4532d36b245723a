import { setImmediate as turn } from 'node:timers/promises';
import { Block } from './block.ts';
import { BlockReader } from './block-reader.ts';

/**
 * Of blocks with more rows, the engine reads each row for less than it costs to join them
 * (docs/adr/0019-intake-log.md).
 */
const maxMeanRows = 500;
/** Joining this many takes two or three milliseconds. Then others have their turn. */
const maxJoinedRows = 8192;

/** Rows with the columns that another block has. */
class JoinedBlock extends Block {
  readonly table: string;

  constructor(table: string, other: BlockReader) {
    super();
    this.table = table;
    this.declareAsIn(other);
  }
}

/**
 * Joins small blocks of one table into large ones. The engine reads the columns and the dictionaries
 * of each block on their own, which takes it as long as reading a thousand rows.
 */
export class BlockJoiner {
  /** By table. */
  readonly #blocks = new Map<string, JoinedBlock>();

  /**
   * The rows of small blocks, in few blocks that have memory of their own.
   * @param pieces one or several whole blocks each
   * @param rows of all blocks
   * @returns undefined if it is not worth joining them, or if they differ in their columns. Then they
   * are to be stored as they are.
   */
  async join(
    table: string,
    pieces: readonly Buffer[],
    rows: number,
  ): Promise<Buffer[] | undefined> {
    try {
      return isWorthJoining(pieces, rows) ? await this.#join(table, pieces, rows) : undefined;
    } catch (error) {
      if (!(error instanceof RangeError)) {
        throw error;
      }
      // The next ones may have other columns: an earlier program may have written these.
      this.#blocks.delete(table);
      return undefined;
    }
  }

  async #join(table: string, pieces: readonly Buffer[], rows: number): Promise<Buffer[]> {
    const block = this.#blocks.get(table) ?? new JoinedBlock(table, new BlockReader(pieces[0]!));
    this.#blocks.set(table, block);
    const joined: Buffer[] = [];
    let joinedRows = 0;
    const take = (): void => {
      if (block.rows > 0) {
        joinedRows += block.rows;
        joined.push(block.take());
      }
      block.start(Infinity);
    };
    block.start(Infinity);
    for (const piece of pieces) {
      const from = new BlockReader(piece);
      while (!from.isAtEnd) {
        block.append(from);
        if (block.rows >= maxJoinedRows) {
          take();
          await turn();
          // Others have used the block meanwhile. Those that failed have left rows in it.
          block.start(Infinity);
        }
      }
    }
    take();
    if (joinedRows !== rows) {
      throw new RangeError(`${rows} rows were to be joined, and ${joinedRows} were found`);
    }
    return joined;
  }
}

/** Whether there are several and they have few rows, judged by the first block of each piece. */
function isWorthJoining(pieces: readonly Buffer[], rows: number): boolean {
  let firstRows = 0;
  for (const piece of pieces) {
    const block = new BlockReader(piece);
    block.size();
    firstRows += block.size();
  }
  const areSeveral = pieces.length > 1 || firstRows < rows;
  return areSeveral && firstRows / pieces.length < maxMeanRows;
}
