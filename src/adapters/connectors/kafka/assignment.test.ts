import type { Admin } from 'kafkajs';
import { describe, expect, it } from 'vitest';
import type { Batch } from '../../../ports/batch.ts';
import type { From, Opening } from '../../../ports/connector.ts';
import { BatchQueue } from '../batch-queue.ts';
import { Assignment } from './assignment.ts';
import { orAfter } from './or-after.ts';
import { StartOffsets } from './start-offsets.ts';

const noAdmin = (): Promise<Admin> => Promise.reject(new Error('no broker is asked'));

function assign(from: From) {
  const queue = new BatchQueue<Batch>(1000);
  const sought: string[] = [];
  const assignment = new Assignment(
    { t: [0, 1] },
    {
      from,
      queue,
      starts: new StartOffsets(noAdmin, {}, undefined),
      storesStarts: true,
      seek: ({ number }, offset) => sought.push(`${number} at ${offset}`),
    },
  );
  return { assignment, queue, sought };
}

describe('an assignment', () => {
  it('has started when the client knows the start of every partition, and not before', async () => {
    const openings = new Map<string, (opening: Opening) => void>();
    const { assignment, sought } = assign(
      (partition) => new Promise((resolve) => openings.set(partition, resolve)),
    );
    openings.get('t/0')!({ position: '7' } as Opening);
    expect(await orAfter(assignment.started, 20)).toBe('waits');
    expect(sought).toEqual(['0 at 7']);
    openings.get('t/1')!({ position: '9' } as Opening);
    await assignment.started;
    expect(sought).toEqual(['0 at 7', '1 at 9']);
    expect(await assignment.opening('t/1')).toMatchObject({ next: 9n });
  });

  it('has started although a partition cannot be opened, and fails its reader', async () => {
    const { assignment, queue } = assign((partition) =>
      partition === 't/0'
        ? Promise.reject(new Error('the store is away'))
        : Promise.resolve(undefined),
    );
    await assignment.started;
    await expect(queue[Symbol.asyncIterator]().next()).rejects.toThrow('the store is away');
    expect(await assignment.opening('t/1')).toBeUndefined();
  });
});
