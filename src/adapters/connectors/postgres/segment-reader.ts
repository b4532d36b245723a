import type { Batch, Opening } from '../../../ports/connector.ts';
import type { Lsn } from './lsn.ts';
import { frame } from './frame-reader.ts';
import { quoteName, quoteText } from './quote.ts';
import type { RawConnection } from './raw-connection.ts';
import { rowsPart } from './row-block.ts';
import { segmentPosition, segmentText, type Segment, type TablePlan } from './snapshot-plan.ts';
import type { TableShape } from './table-shape.ts';
import { TsvWriter } from './tsv-writer.ts';

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
  if (begin === 'end') return;
  let until = segmentPosition(plan, opening.until);
  const step = Math.max(1, Math.floor(Math.min(task.rowsPerRange / Math.max(size.rowsPerBlock, 0.01), task.bytesPerRange / Math.max(size.bytesPerBlock, 1))));
  const last = segment.toBlock ?? Math.max(size.blocks, segment.fromBlock);
  for (let from = begin; ;) {
    const wanted = Math.min(from + step, last);
    // A range that was on its way when somebody stopped ends where it ended.
    const to = until === undefined ? wanted : until === 'end' ? last : until;
    const isLast = until === undefined ? to >= last : until === 'end';
    until = undefined;
    const next = segmentText(plan, isLast ? 'end' : to);
    yield await readRange(raw, task, from, isLast ? segment.toBlock : to, next);
    if (isLast) return;
    from = to;
  }
}

async function readRange(raw: RawConnection, { shape, partition, size, at, rowsPerRange }: SegmentTask, from: number, to: number | undefined, next: string): Promise<Batch> {
  const columns = shape.names.map(quoteName).join(', ');
  const above = to === undefined ? '' : ` AND ctid < '(${to},0)'::tid`;
  raw.ask(`COPY (SELECT ${columns} FROM ONLY ${size.name} WHERE ctid >= '(${from},0)'::tid${above}) TO STDOUT`);
  // A change whose commit is just at the snapshot's place is not in the snapshot: it must win.
  const suffix = Buffer.from(`\t${at - 1n}\t0\n`);
  const special = shape.columns.some(({ treatment }) => treatment !== 'plain' && treatment !== 'escaped') ? shape.columns : undefined;
  const writer = new TsvWriter(Math.min(rowsPerRange, 10_000) * 64);
  const { frames } = raw;
  for (;;) {
    while (frames.next()) {
      if (frames.type === frame.copyData) writer.copyLine(frames.buffer, frames.start, frames.end - 1, special, suffix);
      else if (frames.type === frame.error) throw raw.refusal();
      else if (frames.type === frame.ready) {
        const parts = writer.rows === 0 ? [] : [rowsPart(shape.target, writer.take(), writer.rows, next)];
        return { kind: 'rows', partition, parts, rows: writer.rows, bytes: writer.length, next, flush: true };
      }
    }
    await raw.more();
  }
}
