import type { CloudstreamSourceInput } from '../../../contract/pipe/cloudstream.ts';
import type { Position } from '../../../ports/batch.ts';

/** Where to start reading a shard. */
export type ShardStart =
  | { kind: 'oldest' }
  | { kind: 'time'; timeMs: number }
  | { kind: 'after'; sequenceNumber: string };

/**
 * Stored position of a shard. `ended.sinceMs` is the pipe's start time, if the shard had no record
 * since then.
 */
export type ShardPosition =
  | { kind: 'time'; timeMs: number }
  | { kind: 'after'; sequenceNumber: string }
  | { kind: 'ended'; sinceMs?: number };

export function formatPosition(position: ShardPosition): Position {
  switch (position.kind) {
    case 'after':
      return position.sequenceNumber;
    case 'time':
      return `time:${position.timeMs}`;
    case 'ended':
      return position.sinceMs === undefined ? 'ended' : `ended:${position.sinceMs}`;
  }
}

export function parsePosition(text: Position): ShardPosition {
  const [kind, timeMs] = text.split(':', 2);
  if (kind === 'time') {
    return { kind, timeMs: Number(timeMs) };
  }
  if (kind === 'ended') {
    return timeMs === undefined ? { kind } : { kind, sinceMs: Number(timeMs) };
  }
  return { kind: 'after', sequenceNumber: text };
}

/**
 * Where to start reading a new shard. With LATEST only the shards that exist at the pipe's start
 * begin "now". A child of a shard that the pipe has read to its end begins at its oldest record, so
 * that a split loses nothing.
 */
export function firstStart(
  source: Pick<CloudstreamSourceInput, 'iteratorType' | 'timestamp'>,
  parents: readonly ShardPosition[],
  nowMs: number,
): ShardStart {
  const { timestamp, iteratorType = timestamp === undefined ? 'TRIM_HORIZON' : 'AT_TIMESTAMP' } =
    source;
  if (iteratorType === 'TRIM_HORIZON') {
    return { kind: 'oldest' };
  }
  if (iteratorType === 'AT_TIMESTAMP') {
    return { kind: 'time', timeMs: (timestamp ?? 0) * 1000 };
  }
  if (parents.length === 0) {
    return { kind: 'time', timeMs: nowMs };
  }
  const since = parents
    .map((parent) => (parent.kind === 'ended' ? parent.sinceMs : undefined))
    .filter((ms) => ms !== undefined);
  return since.length === 0 ? { kind: 'oldest' } : { kind: 'time', timeMs: Math.min(...since) };
}

/** Compares sequence numbers, which are decimal numbers of any length. */
export function isAfter(one: string, other: string): boolean {
  return one.length === other.length ? one > other : one.length > other.length;
}
