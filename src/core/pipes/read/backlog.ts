import { recordCount, type Batch } from '../../../ports/batch.ts';
import type { Backlog } from '../../../ports/store/pipe-store.ts';
import type { Range } from './partition-buffer.ts';

/**
 * The backlog of a partition while a range of it is being stored, and afterwards. `during` is
 * undefined if the source has no single records: nothing is known before the range is stored.
 */
export function backlogOf({ batches, rows }: Pick<Range, 'batches' | 'rows'>): {
  during: Backlog | undefined;
  after: Backlog;
} {
  const remaining = batches.at(-1)?.remaining ?? null;
  const after = {
    remaining,
    oldestAtMs:
      remaining === null || remaining === 0 ? null : receivedMs(batches.findLast(hasRecords), -1),
  };
  const first = batches.find(hasRecords);
  return {
    during: first && {
      remaining: remaining === null ? null : remaining + rows,
      oldestAtMs: receivedMs(first, 0),
    },
    after,
  };
}

/** The backlog of several partitions together. */
export function addBacklogs(backlogs: readonly Backlog[]): Backlog {
  const counts = backlogs.flatMap(({ remaining }) => remaining ?? []);
  const times = backlogs.flatMap(({ oldestAtMs }) => oldestAtMs ?? []);
  return {
    remaining: counts.length === 0 ? null : counts.reduce((sum, count) => sum + count, 0),
    oldestAtMs: times.length === 0 ? null : Math.min(...times),
  };
}

type Records = Batch & { kind: 'records' };

const hasRecords = (batch: Batch): batch is Records =>
  batch.kind === 'records' && recordCount(batch) > 0;

/** When the source received the first (0) or last (-1) record of the batch. */
function receivedMs(batch: Batch | undefined, end: 0 | -1): number | null {
  if (!batch || !hasRecords(batch)) {
    return null;
  }
  const index = end === 0 ? 0 : recordCount(batch) - 1;
  return (batch.packed ? batch.packed.record(index) : batch.records[index])?.timestampMs ?? null;
}
