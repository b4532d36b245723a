import type { TopicPartitionOffset } from 'kafkajs';
import { describe, expect, it } from 'vitest';
import { OffsetCommits } from './offset-commits.ts';

const offset = (partition: number, value: string): TopicPartitionOffset => ({
  topic: 't',
  partition,
  offset: value,
});

/** Commits whose requests end when the caller says so. */
function commits() {
  const requests: { offsets: TopicPartitionOffset[]; end(error?: Error): void }[] = [];
  const sending = new OffsetCommits(
    (offsets) =>
      new Promise((resolve, reject) => {
        requests.push({ offsets, end: (error) => (error ? reject(error) : resolve()) });
      }),
  );
  return { sending, requests };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('offset commits', () => {
  it('that arrive during a request share the next one, with the newest offset of a partition', async () => {
    const { sending, requests } = commits();
    const first = sending.add(offset(0, '1'));
    await turn();
    const later = [offset(0, '5'), offset(1, '7'), offset(0, '9')].map((one) => sending.add(one));
    await turn();
    expect(requests.map(({ offsets }) => offsets)).toEqual([[offset(0, '1')]]);
    requests[0]!.end();
    await first;
    await turn();
    expect(requests[1]!.offsets).toEqual([offset(0, '9'), offset(1, '7')]);
    requests[1]!.end();
    await Promise.all(later);
    expect(requests).toHaveLength(2);
  });

  it('are sent although the request before was refused, which only its own callers hear of', async () => {
    const { sending, requests } = commits();
    const first = sending.add(offset(0, '1'));
    await turn();
    const second = sending.add(offset(1, '2'));
    requests[0]!.end(new Error('refused'));
    await expect(first).rejects.toThrow('refused');
    await turn();
    requests[1]!.end();
    await expect(second).resolves.toBeUndefined();
  });
});
