import type { Batch, Position, RowsPart } from '../../../../ports/batch.ts';
import type { Opening } from '../../../../ports/connector.ts';
import { freeMemory } from '../../../../ports/free-memory.ts';
import type { Lsn } from '../wire/lsn.ts';
import { frame } from '../wire/frame-reader.ts';
import { quoteName, quoteText } from '../wire/quote.ts';
import type { RawConnection } from '../wire/raw-connection.ts';
import { bytesOf, rowsPart } from '../rows/row-block.ts';
import { TsvWriter } from '../rows/tsv-writer.ts';
import type { TableBlocks } from './table-blocks.ts';
import { segmentPosition, segmentText, type Segment, type TablePlan } from './snapshot-plan.ts';
import type { TableShape } from '../tables/table-shape.ts';

/** Size of a heap, used to cut it into ranges. */
export interface HeapSize {
  /** Quoted name: `schema.partition`. */
  name: string;
  blocks: number;
  rowsPerBlock: number;
  /** Large values (TOAST) included. */
  bytesPerBlock: number;
}

export interface SegmentTask {
  plan: TablePlan;
  segment: Segment;
  shape: TableShape;
  partition: string;
  opening: Opening;
  size: HeapSize;
  rowsPerRange: number;
  bytesPerRange: number;
  /** Place of the snapshot in the WAL. */
  lsn: Lsn;
  /** For a table that is read in binary form. */
  blocks: TableBlocks | undefined;
}

/** Starts a transaction that sees the exported snapshot. */
export async function enterSnapshot(raw: RawConnection, snapshot: string): Promise<void> {
  await raw.run('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  await raw.run(`SET TRANSACTION SNAPSHOT ${quoteText(snapshot)}`);
}

/** Reads the rest of a segment in ranges. Each range is one batch, and its end is a position. */
export async function* readSegment(raw: RawConnection, task: SegmentTask): AsyncGenerator<Batch> {
  const { plan, segment, size, opening } = task;
  const begin = segmentPosition(plan, opening.position) ?? segment.fromBlock;
  if (begin === 'end') {
    return;
  }
  let until = segmentPosition(plan, opening.until);
  const step = Math.max(
    1,
    Math.floor(
      Math.min(
        task.rowsPerRange / Math.max(size.rowsPerBlock, 0.01),
        task.bytesPerRange / Math.max(size.bytesPerBlock, 1),
      ),
    ),
  );
  const last = segment.toBlock ?? Math.max(size.blocks, segment.fromBlock);
  for (let from = begin; ;) {
    let to = Math.min(from + step, last);
    let isLast = to >= last;
    if (until !== undefined) {
      // A range that was in progress when the last reader stopped must end at the same place.
      isLast = until === 'end';
      to = until === 'end' ? last : until;
      until = undefined;
    }
    const next = segmentText(plan, isLast ? 'end' : to);
    yield await readRange(raw, task, from, isLast ? segment.toBlock : to, next);
    if (isLast) {
      return;
    }
    from = to;
  }
}

async function readRange(
  raw: RawConnection,
  task: SegmentTask,
  from: number,
  to: number | undefined,
  next: string,
): Promise<Batch> {
  const { partition, size, bytesPerRange } = task;
  const blocks = (to ?? size.blocks) - from;
  const hints = {
    rows: Math.ceil(blocks * size.rowsPerBlock),
    bytes: Math.min(bytesPerRange, blocks * size.bytesPerBlock),
  };
  const rows = rowsReader(task, hints);
  const above = to === undefined ? '' : ` AND ctid < '(${to},0)'::tid`;
  raw.send(
    `COPY (SELECT ${rows.select} FROM ONLY ${size.name}
      WHERE ctid >= '(${from},0)'::tid${above}) TO STDOUT${rows.options}`,
  );
  const { frames } = raw;
  for (;;) {
    while (frames.next()) {
      if (frames.type === frame.copyData) {
        rows.add(frames.buffer, frames.start, frames.end);
      } else if (frames.type === frame.error) {
        throw raw.refusal();
      } else if (frames.type === frame.ready) {
        const parts = rows.take(next);
        return {
          kind: 'rows',
          partition,
          parts,
          rows: parts.reduce((sum, part) => sum + part.rows, 0),
          bytes: bytesOf(parts),
          next,
          flush: true,
          release: rows.release,
        };
      }
    }
    rows.keep();
    await raw.more();
  }
}

/** How the rows of one COPY are requested and collected. */
interface RowsReader {
  /** What to select. */
  select: string;
  /** Options of the COPY. */
  options: string;
  /** Adds what one message of the COPY holds. */
  add(source: Buffer, start: number, end: number): void;
  /** Call this before the bytes may change. */
  keep(this: void): void;
  take(position: Position): RowsPart[];
  /** Call this when what `take` returned is not read any more. */
  release(this: void): void;
}

/**
 * In binary form, values go into the engine's columns without being formatted and parsed. A table
 * with a column that has no binary form here is read as text.
 */
function rowsReader(
  { shape, lsn, blocks }: SegmentTask,
  hints: { rows: number; bytes: number },
): RowsReader {
  const { target, columns, names, binary } = shape;
  if (binary && blocks) {
    const rows = blocks.take(hints.rows);
    return {
      select: binary.map(({ select }) => select).join(', '),
      options: ' (FORMAT BINARY)',
      add: (source, start, end) => {
        rows.add(source, start, end);
      },
      keep: () => {
        rows.keep();
      },
      take: (position) => (rows.rows === 0 ? [] : [rows.take(position)]),
      release: () => {
        blocks.give(rows);
      },
    };
  }
  const writer = new TsvWriter(hints.bytes);
  const suffix = Buffer.from(`\t${snapshotVersion(lsn)}\t0\n`);
  return {
    select: names.map(quoteName).join(', '),
    options: '',
    add: (source, start, end) => {
      writer.copyLine(source, start, end - 1, columns, suffix);
    },
    // Lines are copied at once.
    keep: () => undefined,
    take: (position) =>
      writer.rows === 0 ? [] : [rowsPart(target, writer.take(), writer.rows, position)],
    release: () => {
      freeMemory([writer.take()]);
    },
  };
}

/** A change committed exactly at its LSN is not in the snapshot: that change must win. */
export const snapshotVersion = (lsn: Lsn): bigint => lsn - 1n;
