import type { Admin } from 'kafkajs';
import type { KafkaSourceInput } from '../../../contract/pipe/kafka.ts';
import type { Position } from '../../../ports/batch.ts';
import type { Opening } from '../../../ports/connector.ts';
import { parsePartitionName, type TopicPartition } from './partition-name.ts';

/** Where to start reading a partition. */
interface Start {
  offset: bigint;
  /** A batch must end exactly here. */
  until: bigint | undefined;
  /**
   * Number of partitions when the topic was first read. If it is needed, every position contains
   * it.
   */
  firstCount: number | undefined;
}

/**
 * Text of an offset as a position: `5000`, or `5000/8` with the number of partitions when the topic
 * was first read.
 */
export function positionOf(offset: bigint, firstCount: number | undefined): Position {
  return firstCount === undefined ? String(offset) : `${offset}/${firstCount}`;
}

export function offsetOf(position: Position): bigint {
  const [offset = ''] = position.split('/', 1);
  return BigInt(offset);
}

function firstCountOf(position: Position): number | undefined {
  const count = position.split('/')[1];
  return count === undefined ? undefined : Number(count);
}

/**
 * Determines where to start reading the partitions of one assignment. It queries the broker once
 * for all of them. Without a stored position the start changes over time, so it must be stored
 * before any record is read.
 *
 * "From latest" applies to the partitions that existed when the pipe started. All records of a
 * partition that is added later are newer than the start, so it is read from its oldest record. The
 * positions of the topic's other partitions tell which partitions are new.
 */
export class StartOffsets {
  readonly #admin: () => Promise<Admin>;
  readonly #source: Pick<KafkaSourceInput, 'offset'>;
  readonly #positions: (() => Promise<ReadonlyMap<string, Position>>) | undefined;
  readonly #results = new Map<string, Promise<unknown>>();

  /** @param positions all stored positions of the pipe; undefined if it stores none. */
  constructor(
    admin: () => Promise<Admin>,
    source: Pick<KafkaSourceInput, 'offset'>,
    positions: (() => Promise<ReadonlyMap<string, Position>>) | undefined,
  ) {
    this.#admin = admin;
    this.#source = source;
    this.#positions = positions;
  }

  /**
   * The start of one partition. If the log has no more records of a range that must be read again,
   * the range is empty: it starts where it ends.
   */
  async startOf(partition: TopicPartition, opening: Opening): Promise<Start> {
    const firstCount =
      opening.position === undefined
        ? await this.#firstCount(partition.topic)
        : firstCountOf(opening.position);
    const offset =
      opening.position === undefined
        ? await this.#first(partition, firstCount)
        : offsetOf(opening.position);
    if (opening.until === undefined) {
      return { offset, until: undefined, firstCount };
    }
    const until = offsetOf(opening.until);
    const { low } = await this.#ends(partition);
    return { offset: low >= until || offset >= until ? until : offset, until, firstCount };
  }

  async #first({ topic, number }: TopicPartition, firstCount: number | undefined): Promise<bigint> {
    const { low, high } = await this.#ends({ topic, number });
    const { offset } = this.#source;
    if (offset?.strategy === 'from_latest') {
      return firstCount !== undefined && number >= firstCount ? low : high;
    }
    const timestamp = offset?.timestamp;
    if (timestamp === undefined) {
      return low;
    }
    const offsets = await this.#once(`time ${topic}`, async () =>
      (await this.#admin()).fetchTopicOffsetsByTimestamp(topic, Date.parse(`${timestamp}:00Z`)),
    );
    const first = offsets.find(({ partition }) => partition === number)?.offset;
    // If no record is that new, only future ones are: start at the end.
    return first === undefined || first === '-1' ? high : BigInt(first);
  }

  async #ends({ topic, number }: TopicPartition): Promise<{ low: bigint; high: bigint }> {
    const all = await this.#once(`ends ${topic}`, async () =>
      (await this.#admin()).fetchTopicOffsets(topic),
    );
    const ends = all.find(({ partition }) => partition === number);
    if (!ends) {
      throw new Error(`partition ${number} of topic "${topic}" does not exist`);
    }
    return { low: BigInt(ends.low), high: BigInt(ends.high) };
  }

  /** Undefined if it makes no difference. */
  async #firstCount(topic: string): Promise<number | undefined> {
    const positions = this.#positions;
    if (!positions || this.#source.offset?.strategy !== 'from_latest') {
      return undefined;
    }
    return this.#once(`count ${topic}`, async () => {
      const known = [...(await positions())].flatMap(([partition, position]) =>
        parsePartitionName(partition).topic === topic ? [firstCountOf(position)] : [],
      );
      // Positions of older releases do not contain it.
      if (known.length > 0) {
        return known.every((count) => count === undefined)
          ? undefined
          : Math.min(...known.map((count) => count ?? Infinity));
      }
      const { topics } = await (await this.#admin()).fetchTopicMetadata({ topics: [topic] });
      return topics[0]?.partitions.length;
    });
  }

  #once<T>(name: string, query: () => Promise<T>): Promise<T> {
    const result = (this.#results.get(name) as Promise<T> | undefined) ?? query();
    this.#results.set(name, result);
    return result;
  }
}
