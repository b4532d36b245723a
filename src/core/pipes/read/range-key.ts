import { createHash } from 'node:crypto';
import type { Position } from '../../../ports/batch.ts';

/**
 * The key of one range of one partition in one run of a pipe. It is the deduplication token of the
 * insert, so the engine ignores a repeated insert.
 */
export function rangeKey(
  pipeId: string,
  run: number,
  partition: string,
  after: Position | null,
  until: Position,
): string {
  return createHash('sha256')
    .update(JSON.stringify([pipeId, run, partition, after, until]))
    .digest('hex');
}
