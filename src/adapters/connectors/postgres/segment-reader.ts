import type { Batch, Opening, RowsPart } from '../../../ports/connector.ts';
import { CopiedLines } from './copied-lines.ts';
import { ConvertedLines, correctedLines } from './converted-lines.ts';
import type { Lsn } from './lsn.ts';
import { frame } from './frame-reader.ts';
import { quoteName, quoteText } from './quote.ts';
import type { RawConnection } from './raw-connection.ts';
import { rowsPart } from './row-block.ts';
import { segmentPosition, segmentText, type Segment, type TablePlan } from './snapshot-plan.ts';
import type { TableShape } from './table-shape.ts';

/** What is known of a heap's size, to cut it into ranges. */
export interface HeapSize {
  /** `schema.partition`, quoted. */
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
  /** Of the snapshot that is read. */
  at: Lsn;
  /** Of the table: whether no value of it had to be written anew so far. */
  asTheyCome: { hold: boolean };
}

/** Starts the transaction that sees what the exported snapshot saw. */
export async function enterSnapshot(raw: RawConnection, snapshot: string): Promise<void> {
  await raw.run('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  await raw.run(`SET TRANSACTION SNAPSHOT ${quoteText(snapshot)}`);
}

/** Reads the rest of a segment, range by range: each is one batch, and its end a position. */
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
    const wanted = Math.min(from + step, last);
    // A range that was on its way when somebody stopped ends where it ended.
    const to = until === undefined ? wanted : until === 'end' ? last : until;
    const isLast = until === undefined ? to >= last : until === 'end';
    until = undefined;
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
  const { shape, partition, size, at, bytesPerRange } = task;
  const columns = shape.columns
    .map(
      ({ zoned }, index) =>
        `${quoteName(shape.names[index]!)}${zoned ? " AT TIME ZONE 'UTC'" : ''}`,
    )
    .join(', ');
  const above = to === undefined ? '' : ` AND ctid < '(${to},0)'::tid`;
  raw.ask(
    `COPY (SELECT ${columns} FROM ONLY ${size.name} WHERE ctid >= '(${from},0)'::tid${above}) TO STDOUT`,
  );
  const heapBytes = Math.min(bytesPerRange, ((to ?? size.blocks) - from) * size.bytesPerBlock);
  // A change whose commit is just at the snapshot's place is not in the snapshot: it must win.
  const suffix = Buffer.from(`\t${at - 1n}\t0\n`);
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
        const parts =
          lines.rows === 0
            ? []
            : [
                lines instanceof CopiedLines
                  ? copiedPart(task, lines, next)
                  : rowsPart(shape.target, lines.take(), lines.rows, next),
              ];
        return {
          kind: 'rows',
          partition,
          parts,
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

/**
 * The lines go on as they came: hardly any table has a value that the engine does not read as PostgreSQL writes it (infinite, NaN, before Christ), and where
 * one has, the engine refuses the block. To look for it in every byte would cost more than all the rest of the reading.
 */
function copiedPart(
  { shape, asTheyCome }: SegmentTask,
  lines: CopiedLines,
  next: string,
): RowsPart {
  const data = lines.take();
  if (shape.columns.every(({ treatment }) => treatment === 'plain' || treatment === 'escaped')) {
    return rowsPart(shape.target, data, lines.rows, next);
  }
  const corrected = (): Buffer => {
    // What was seen once is likely in the next range too.
    asTheyCome.hold = false;
    return correctedLines(data, shape.columns);
  };
  return asTheyCome.hold
    ? rowsPart(shape.target, data, lines.rows, next, corrected)
    : rowsPart(shape.target, corrected(), lines.rows, next);
}
