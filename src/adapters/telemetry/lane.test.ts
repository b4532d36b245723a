import { expect, test, vi } from 'vitest';
import { Lane } from './lane.ts';

/** Work that ends when told to. */
function held(): { promise: Promise<void>; end: () => void } {
  let end = (): void => {};
  const promise = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { promise, end };
}

test('as many run as the lane is wide, the rest in the order they came', async () => {
  const lane = new Lane('chart', 2, 10);
  const order: number[] = [];
  const gates = [held(), held(), held(), held()];
  const runs = gates.map((gate, index) =>
    lane.run(async () => {
      order.push(index);
      await gate.promise;
    }),
  );
  await vi.waitFor(() => expect(order).toEqual([0, 1]));
  gates[1]!.end();
  await runs[1];
  await vi.waitFor(() => expect(order).toEqual([0, 1, 2]));
  for (const gate of gates) {
    gate.end();
  }
  await Promise.all(runs);
  expect(order).toEqual([0, 1, 2, 3]);
});

test('a full queue refuses at once and says how full it is', async () => {
  const lane = new Lane('chart', 1, 1);
  const gate = held();
  const first = lane.run(() => gate.promise);
  const second = lane.run(async () => {});
  await expect(lane.run(async () => {})).rejects.toMatchObject({
    kind: 'unavailable',
    message: 'busy: 1 chart queries run and 1 wait',
  });
  gate.end();
  await Promise.all([first, second]);
});

test('whoever stops waiting gives the place up, and work that fails frees it', async () => {
  const lane = new Lane('chart', 1, 1);
  const gate = held();
  const stop = new AbortController();
  const first = lane.run(async () => {
    await gate.promise;
    throw new Error('failed');
  });
  const second = lane.run(async () => {}, { signal: stop.signal });
  stop.abort();
  await expect(second).rejects.toMatchObject({ kind: 'aborted' });
  const third = lane.run(async () => 'ran');
  gate.end();
  await expect(first).rejects.toThrow('failed');
  expect(await third).toBe('ran');
});

test('a closed lane refuses those who wait and those who come, and is closed when the last has ended', async () => {
  const lane = new Lane('chart', 1, 1);
  const gate = held();
  const first = lane.run(() => gate.promise);
  const waiting = expect(lane.run(async () => {})).rejects.toMatchObject({ kind: 'unavailable' });
  let closed = false;
  const closing = lane.close().then(() => {
    closed = true;
    return closed;
  });
  await waiting;
  await expect(lane.run(async () => {})).rejects.toMatchObject({ kind: 'unavailable' });
  expect(closed).toBe(false);
  gate.end();
  await first;
  expect(await closing).toBe(true);
});

test('tenants take turns, however many one of them has waiting', async () => {
  const lane = new Lane('chart', 1, 10);
  const order: string[] = [];
  const gate = held();
  const first = lane.run(() => gate.promise, { tenant: 'noisy' });
  const ask = (tenant: string, name: string): Promise<void> =>
    lane.run(async () => void order.push(name), { tenant });
  const rest = [
    ask('noisy', 'noisy 1'),
    ask('noisy', 'noisy 2'),
    ask('noisy', 'noisy 3'),
    ask('quiet', 'quiet 1'),
    ask('quiet', 'quiet 2'),
  ];
  gate.end();
  await Promise.all([first, ...rest]);
  expect(order).toEqual(['noisy 1', 'quiet 1', 'noisy 2', 'quiet 2', 'noisy 3']);
});

test('one tenant leaves the last place of a wide lane to another', async () => {
  const lane = new Lane('chart', 4, 10);
  const gate = held();
  let noisy = 0;
  const runs = Array.from({ length: 6 }, () =>
    lane.run(
      async () => {
        noisy += 1;
        await gate.promise;
      },
      { tenant: 'noisy' },
    ),
  );
  await lane.run(async () => {}, { tenant: 'quiet' });
  expect(noisy).toBe(3);
  gate.end();
  await Promise.all(runs);
  expect(noisy).toBe(6);
});

test('the full queue of one tenant refuses only its own work', async () => {
  const lane = new Lane('chart', 1, 1);
  const gate = held();
  const runs = [
    lane.run(() => gate.promise, { tenant: 'noisy' }),
    lane.run(async () => {}, { tenant: 'noisy' }),
  ];
  await expect(lane.run(async () => {}, { tenant: 'noisy' })).rejects.toMatchObject({
    kind: 'unavailable',
  });
  const quiet = lane.run(async () => 'ran', { tenant: 'quiet' });
  gate.end();
  await Promise.all(runs);
  expect(await quiet).toBe('ran');
});
