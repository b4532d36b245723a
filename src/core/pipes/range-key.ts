import { createHash } from 'node:crypto';
import type { Position } from '../../ports/connector.ts';

/** Names one range of one partition of one run of a pipe: what the engine recognises an insert by that it has seen already. */
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
