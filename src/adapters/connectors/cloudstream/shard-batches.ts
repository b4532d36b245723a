import type { _Record as Record } from '@aws-sdk/client-kinesis';
import type { Position, RecordBatch, SourceRecord } from '../../../ports/batch.ts';
import type { Page } from './poll-shard.ts';
import { formatPosition, isAfter, parsePosition, type ShardStart } from './shard-position.ts';
import type { ValueDecoder } from './value-decoder.ts';

export interface ShardReading {
  stream: string;
  shardId: string;
  start: ShardStart;
  /** A batch must end exactly here. */
  until: Position | undefined;
  decode: ValueDecoder;
}

/**
 * After this many empty pages in a row at the end of the shard, the records up to `until` count as
 * expired.
 */
const emptyPagesMax = 20;

/**
 * Turns pages of one shard into batches. Splits a page where a range that is read again ends
 * (`until`). The last batch is empty and marks the end of the shard.
 */
export async function* shardBatches(
  pages: AsyncIterable<Page>,
  reading: ShardReading,
): AsyncGenerator<RecordBatch> {
  let { until } = reading;
  let sawRecords = reading.start.kind !== 'time';
  let empty = 0;
  for await (const page of pages) {
    const remaining = page.behindMs === 0 ? 0 : undefined;
    let { records } = page;
    sawRecords ||= records.length > 0;
    empty = records.length === 0 && page.behindMs === 0 ? empty + 1 : 0;
    if (until !== undefined && parsePosition(until).kind === 'after') {
      const end = until;
      const split = records.findIndex(({ SequenceNumber = '' }) => isAfter(SequenceNumber, end));
      const before = split < 0 ? records : records.slice(0, split);
      const isWhole = before.at(-1)?.SequenceNumber === end;
      if (split >= 0 || page.ended || empty >= emptyPagesMax || isWhole) {
        yield batchOf(reading, before, end, undefined);
        until = undefined;
        records = split < 0 ? [] : records.slice(split);
      }
    }
    const last = records.at(-1)?.SequenceNumber;
    if (last !== undefined) {
      yield batchOf(reading, records, last, remaining);
    }
    if (page.ended) {
      yield batchOf(reading, [], until ?? endOf(reading.start, sawRecords), 0);
    }
  }
}

/** A shard without records since the pipe's start time passes that time on to its child shards. */
function endOf(start: ShardStart, sawRecords: boolean): Position {
  return formatPosition(
    start.kind === 'time' && !sawRecords
      ? { kind: 'ended', sinceMs: start.timeMs }
      : { kind: 'ended' },
  );
}

export function batchOf(
  { stream, shardId, decode }: Pick<ShardReading, 'stream' | 'shardId' | 'decode'>,
  records: readonly Record[],
  next: Position,
  remaining: number | undefined,
): RecordBatch {
  const read = records.map((record) => recordOf(record, decode));
  return {
    kind: 'records',
    partition: shardId,
    records: read,
    next,
    ...(remaining === undefined ? {} : { remaining }),
    bytes: read.reduce(
      (sum, { data, raw, key }) =>
        sum + (data?.length ?? 0) + (raw?.length ?? 0) + (key?.length ?? 0),
      0,
    ),
    constants: { _stream: stream, _shard: shardId },
  };
}

function recordOf(
  {
    SequenceNumber = '',
    Data = new Uint8Array(),
    PartitionKey,
    ApproximateArrivalTimestamp,
  }: Record,
  decode: ValueDecoder,
): SourceRecord {
  const value = Buffer.from(Data.buffer, Data.byteOffset, Data.byteLength);
  return {
    position: SequenceNumber,
    ...decode(value),
    key: Buffer.from(PartitionKey ?? ''),
    ...(ApproximateArrivalTimestamp ? { timestampMs: ApproximateArrivalTimestamp.getTime() } : {}),
  };
}
