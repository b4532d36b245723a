import type { Admin } from 'kafkajs';
import type { KafkaSourceInput } from '../../../contract/pipe/kafka.ts';
import type { Opening } from '../../../ports/connector.ts';

/**
 * The offset at which to begin, and the one at which a batch has to end. A range that was on its way, and of which the log has nothing left, is
 * empty now: it begins where it ends. Without a stored position the answer is another one each time it is asked: it must be stored before anything is read.
 */
export async function startOffset(admin: Admin, source: Pick<KafkaSourceInput, 'offset'>, { topic, number }: { topic: string; number: number }, opening: Opening): Promise<[start: bigint, until: bigint | undefined]> {
  const position = opening.position === undefined ? await firstOffset(admin, source, topic, number) : BigInt(opening.position);
  if (opening.until === undefined) return [position, undefined];
  const until = BigInt(opening.until);
  const { low } = await offsetsOf(admin, topic, number);
  return low >= until || position >= until ? [until, until] : [position, until];
}

async function firstOffset(admin: Admin, { offset }: Pick<KafkaSourceInput, 'offset'>, topic: string, number: number): Promise<bigint> {
  const { low, high } = await offsetsOf(admin, topic, number);
  if (offset?.strategy === 'from_latest') return high;
  if (offset?.timestamp === undefined) return low;
  const found = await admin.fetchTopicOffsetsByTimestamp(topic, Date.parse(`${offset.timestamp}:00Z`));
  const at = found.find(({ partition }) => partition === number)?.offset;
  // No record is as young as that: what comes from now on is.
  return at === undefined || at === '-1' ? high : BigInt(at);
}

async function offsetsOf(admin: Admin, topic: string, number: number): Promise<{ low: bigint; high: bigint }> {
  const found = (await admin.fetchTopicOffsets(topic)).find(({ partition }) => partition === number);
  if (!found) throw new Error(`partition ${number} is gone`);
  return { low: BigInt(found.low), high: BigInt(found.high) };
}
