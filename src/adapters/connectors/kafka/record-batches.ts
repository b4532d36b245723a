import type { Batch, SourceRecord } from '../../../ports/batch.ts';
import { TimeSlice } from '../../../ports/time-slice.ts';
import type { ValueDecoder } from './decode/value-decoder.ts';
import { partitionName, type TopicPartition } from './partition-name.ts';
import { positionOf } from './start-offsets.ts';
import type { KafkaRecords } from './wire/kafka-records.ts';

export interface BatchOptions {
  partition: TopicPartition;
  firstCount: number | undefined;
  /** Offset after the last record of the batch. */
  next: bigint;
  highWatermark: string;
  /** Undefined if values are JSON already. */
  decode: ValueDecoder | undefined;
}

/** Number of records to decode between two looks at the time. */
const recordsPerLook = 256;

/** Makes a batch of records. @throws ConnectionLost if the schema registry does not respond */
export async function batchOf(
  records: KafkaRecords,
  { partition, firstCount, next, highWatermark, decode }: BatchOptions,
): Promise<Batch & { kind: 'records' }> {
  const remaining = BigInt(highWatermark) - next;
  const common = {
    kind: 'records',
    partition: partitionName(partition),
    bytes: records.bytes,
    next: positionOf(next, firstCount),
    release: () => {
      records.release();
    },
    remaining: remaining < 0n ? 0 : Number(remaining),
    constants: { _topic: partition.topic, _partition: partition.number },
  } as const;
  if (!decode) {
    let objects: SourceRecord[] | undefined;
    return {
      ...common,
      packed: records,
      get records() {
        return (objects ??= records.records());
      },
    };
  }
  const decoded: SourceRecord[] = [];
  const slice = new TimeSlice();
  for (let index = 0; index < records.count; index++) {
    if (index % recordsPerLook === 0 && slice.expired) {
      await slice.yieldToOthers();
    }
    const record = records.record(index);
    const value = decode(record.data);
    decoded.push({ ...record, ...(value instanceof Promise ? await value : value) });
  }
  return { ...common, records: decoded };
}

/** One part, or two if a range that is read again (`until`) ends inside the records. */
export function splitAt(
  records: KafkaRecords,
  until: bigint | undefined,
  end: bigint,
): { records: KafkaRecords; next: bigint }[] {
  if (until === undefined || end <= until) {
    return [{ records, next: end }];
  }
  const count = records.countBefore(until);
  return [
    { records: records.slice(0, count), next: until },
    { records: records.slice(count), next: end },
  ];
}
