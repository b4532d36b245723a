import type { Batch, RowsPart } from '../../../../ports/batch.ts';
import type { Opening } from '../../../../ports/connector.ts';
import { CopiedLines } from './copied-lines.ts';
import { ConvertedLines, correctedLines } from './converted-lines.ts';
import type { Lsn } from '../wire/lsn.ts';
import { frame } from '../wire/frame-reader.ts';
import { quoteName, quoteText } from '../wire/quote.ts';
import type { RawConnection } from '../wire/raw-connection.ts';
import { rowsPart } from '../rows/row-block.ts';
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
  conversion: TableConversion;
}

/** Shared by all segments of a table. */
export interface TableConversion {
  /** The engine has refused a block of the table, so all further ones are converted first. */
  needed: boolean;
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
  const { shape, partition, size, lsn, bytesPerRange } = task;
  const columns = shape.names
    .map(
      (name, index) =>
        `${quoteName(name)}${shape.columns[index]?.zoned === true ? " AT TIME ZONE 'UTC'" : ''}`,
    )
    .join(', ');
  const above = to === undefined ? '' : ` AND ctid < '(${to},0)'::tid`;
  raw.send(
    `COPY (SELECT ${columns} FROM ONLY ${size.name} WHERE ctid >= '(${from},0)'::tid${above}) TO STDOUT`,
  );
  const heapBytes = Math.min(bytesPerRange, ((to ?? size.blocks) - from) * size.bytesPerBlock);
  // The snapshot does not contain a change committed exactly at its LSN: that change must win.
  const suffix = Buffer.from(`\t${lsn - 1n}\t0\n`);
  const lines = shape.columns.some(({ treatment }) => treatment === 'coded')
    ? new ConvertedLines(heapBytes, suffix, shape.columns)
    : new CopiedLines(heapBytes * 1.1, suffix);
  const { frames } = raw;
  for (;;) {
    while (frames.next()) {
      if (frames.type === frame.copyData) {
        lines.add(frames.buffer, frames.start, frames.end - 1);
      } else if (frames.type === frame.error) {
        throw raw.refusal();
      } else if (frames.type === frame.ready) {
        return {
          kind: 'rows',
          partition,
          parts: lines.rows === 0 ? [] : [partOf(task, lines, next)],
          rows: lines.rows,
          bytes: lines.length,
          next,
          flush: true,
        };
      }
    }
    await raw.more();
  }
}

function partOf(task: SegmentTask, lines: CopiedLines | ConvertedLines, next: string): RowsPart {
  return lines instanceof CopiedLines
    ? copiedPart(task, lines, next)
    : rowsPart(task.shape.target, lines.take(), lines.rows, next);
}

/**
 * Passes the lines on as they came. Hardly any table has a value that the engine does not read as
 * PostgreSQL writes it (infinite, NaN, BC). If one has, the engine refuses the block. Searching
 * every byte for such values would cost more than all the rest of the reading.
 */
function copiedPart(
  { shape, conversion }: SegmentTask,
  lines: CopiedLines,
  next: string,
): RowsPart {
  const data = lines.take();
  if (shape.columns.every(({ treatment }) => treatment === 'plain' || treatment === 'escaped')) {
    return rowsPart(shape.target, data, lines.rows, next);
  }
  const corrected = (): Buffer => {
    // Such values likely occur in the next ranges too.
    conversion.needed = true;
    return correctedLines(data, shape.columns);
  };
  return conversion.needed
    ? rowsPart(shape.target, corrected(), lines.rows, next)
    : rowsPart(shape.target, data, lines.rows, next, corrected);
}
