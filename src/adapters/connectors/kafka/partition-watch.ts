import type { Admin } from 'kafkajs';
import type { Log } from '../../../ports/ambient.ts';

const pollMs = 10_000;

export interface PartitionWatchOptions {
  /** A topic has more partitions than before. */
  onAdded(): void;
  onPoll(): void;
  log: Log;
}

export interface PartitionWatch {
  stop(): void;
}

/**
 * Polls the number of partitions, because the client does not notice partitions that are added
 * later. The caller then joins the group again.
 */
export async function watchPartitions(
  admin: Admin,
  topics: string[],
  { onAdded, onPoll, log }: PartitionWatchOptions,
): Promise<PartitionWatch> {
  const count = async (): Promise<number> =>
    (await admin.fetchTopicMetadata({ topics })).topics.reduce(
      (sum, { partitions }) => sum + partitions.length,
      0,
    );
  const known = await count();
  const timer = setInterval(() => {
    onPoll();
    count()
      .then((now) => {
        if (now > known) {
          onAdded();
        }
        return now;
      })
      .catch((error: unknown) => {
        log.debug({ err: error }, 'cannot count partitions');
      });
  }, pollMs);
  return { stop: () => clearInterval(timer) };
}
