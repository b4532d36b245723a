import type { Admin } from 'kafkajs';
import type { KafkaSourceInput } from '../../../contract/pipe/kafka.ts';
import type { Opening, Position } from '../../../ports/connector.ts';

/** Where reading of a partition begins. */
interface Start {
  offset: bigint;
  /** A batch has to end here. */
  until: bigint | undefined;
  /** How many partitions the topic had when it was first read; kept in every position, where that is needed. */
  firstCount: number | undefined;
}

interface Place {
  topic: string;
  number: number;
}

/** An offset as a position, as in `5000` or `5000/8`: with the number of partitions there were at first. */
export function positionOf(offset: bigint, firstCount: number | undefined): Position {
  return firstCount === undefined ? String(offset) : `${offset}/${firstCount}`;
}

export function offsetOf(position: Position): bigint {
  return BigInt(position.split('/', 1)[0]!);
}

function firstCountOf(position: Position): number | undefined {
  const count = position.split('/')[1];
  return count === undefined ? undefined : Number(count);
}

/**
 * Where the partitions of one assignment begin. The broker is asked once for all of them. Without a stored position the answer is another one
 * each time it is asked: it must be stored before anything is read.
 *
 * "From latest" is meant for the partitions that were there when the pipe began: in one that is added later everything is younger than that, and
 * it is read from its oldest record. Which those are, the positions of the topic's other partitions tell.
 */
export class StartOffsets {
  readonly #admin: () => Promise<Admin>;
  readonly #source: Pick<KafkaSourceInput, 'offset'>;
  readonly #positions: (() => Promise<ReadonlyMap<string, Position>>) | undefined;
  readonly #asked = new Map<string, Promise<unknown>>();

  /** @param positions every stored position of the pipe; undefined where none is kept. */
  constructor(
    admin: () => Promise<Admin>,
    source: Pick<KafkaSourceInput, 'offset'>,
    positions: (() => Promise<ReadonlyMap<string, Position>>) | undefined,
  ) {
    this.#admin = admin;
    this.#source = source;
    this.#positions = positions;
  }

  /** A range that was on its way, and of which the log has nothing left, is empty now: it begins where it ends. */
  async of(place: Place, opening: Opening): Promise<Start> {
    const firstCount =
      opening.position === undefined
        ? await this.#firstCount(place.topic)
        : firstCountOf(opening.position);
    const offset =
      opening.position === undefined
        ? await this.#first(place, firstCount)
        : offsetOf(opening.position);
    if (opening.until === undefined) {
      return { offset, until: undefined, firstCount };
    }
    const until = offsetOf(opening.until);
    const { low } = await this.#ends(place);
    return { offset: low >= until || offset >= until ? until : offset, until, firstCount };
  }

  async #first(place: Place, firstCount: number | undefined): Promise<bigint> {
    const { low, high } = await this.#ends(place);
    const { offset } = this.#source;
    if (offset?.strategy === 'from_latest') {
      return firstCount !== undefined && place.number >= firstCount ? low : high;
    }
    const timestamp = offset?.timestamp;
    if (timestamp === undefined) {
      return low;
    }
    const found = await this.#once(`time ${place.topic}`, async () =>
      (await this.#admin()).fetchTopicOffsetsByTimestamp(
        place.topic,
        Date.parse(`${timestamp}:00Z`),
      ),
    );
    const at = found.find(({ partition }) => partition === place.number)?.offset;
    // No record is as young as that: what comes from now on is.
    return at === undefined || at === '-1' ? high : BigInt(at);
  }

  async #ends({ topic, number }: Place): Promise<{ low: bigint; high: bigint }> {
    const all = await this.#once(`ends ${topic}`, async () =>
      (await this.#admin()).fetchTopicOffsets(topic),
    );
    const found = all.find(({ partition }) => partition === number);
    if (!found) {
      throw new Error(`partition ${number} is gone`);
    }
    return { low: BigInt(found.low), high: BigInt(found.high) };
  }

  /** Undefined where it makes no difference. */
  async #firstCount(topic: string): Promise<number | undefined> {
    const positions = this.#positions;
    if (!positions || this.#source.offset?.strategy !== 'from_latest') {
      return undefined;
    }
    return this.#once(`count ${topic}`, async () => {
      const known = [...(await positions())].flatMap(([partition, position]) =>
        partition.slice(0, partition.lastIndexOf('/')) === topic ? [firstCountOf(position)] : [],
      );
      // Positions from before this was kept: nobody knows.
      if (known.length > 0) {
        return known.every((count) => count === undefined)
          ? undefined
          : Math.min(...known.map((count) => count ?? Infinity));
      }
      const { topics } = await (await this.#admin()).fetchTopicMetadata({ topics: [topic] });
      return topics[0]?.partitions.length;
    });
  }

  #once<T>(name: string, ask: () => Promise<T>): Promise<T> {
    const asked = (this.#asked.get(name) as Promise<T> | undefined) ?? ask();
    this.#asked.set(name, asked);
    return asked;
  }
}
