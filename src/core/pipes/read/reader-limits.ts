import type { PipeScaling } from '../../../contract/pipe/settings.ts';
import type { BatchLimits } from './partition-buffer.ts';

/** What one reader may hold and do at the same time. */
export interface ReaderLimits extends BatchLimits {
  /** Maximum size of all records held, waiting or being inserted. */
  budgetBytes: number;
  /** The reader asks for no more batches above this size; at most `budgetBytes`. */
  aheadBytes: number;
  /** Number of inserts at the same time. */
  concurrency: number;
  /** Number of loads at the same time where the engine reads the source; at most `concurrency`. */
  loads: number;
}

const gibibyte = 2 ** 30;
/** A partition with so many rows is stored. */
const rowsMax = 100_000;

/**
 * The limits of one reader with this scaling. A quarter of its memory may hold records: the client's
 * own buffers and the rows being written need as much again. Each half core makes one insert at a
 * time. A partition that waits for its insert makes larger ranges, up to four times as large, which
 * spares the engine merges of parts. The reader reads ahead one range for each insert and two more.
 */
export function readerLimits(scaling: PipeScaling, waitMs: number): ReaderLimits {
  const budgetBytes = Math.floor((scaling.replicaMemoryGb * gibibyte) / 4);
  const concurrency =
    scaling.concurrency === 0
      ? Math.max(1, Math.round(scaling.replicaCpuMillicores / 500))
      : scaling.concurrency;
  const bytesMax = Math.floor(budgetBytes / 8);
  const rangeRowsMax = rowsMax * Math.min(4, Math.max(1, Math.floor(scaling.replicaMemoryGb * 2)));
  return {
    rowsMax,
    rangeRowsMax,
    bytesMax,
    waitMs,
    budgetBytes,
    aheadBytes: Math.min(budgetBytes, (concurrency + 2) * bytesMax),
    concurrency,
    loads: concurrency,
  };
}
