import { expect, test, vi } from 'vitest';
import { FairLimiter } from './fair-limiter.ts';

/** Until everything that can go on has gone on. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Work that ends when told to. */
function held(): { promise: Promise<void>; end: () => void } {
  let end = (): void => {};
  const promise = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { promise, end };
}

test('runs up to its width at once, the rest in the order of arrival', async () => {
  const limiter = new FairLimiter('chart', 2, 10);
  const order: number[] = [];
  const gates = [held(), held(), held(), held()];
  const runs = gates.map((gate, index) =>
    limiter.run(async () => {
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
  const limiter = new FairLimiter('chart', 1, 1);
  const gate = held();
  const first = limiter.run(() => gate.promise);
  const second = limiter.run(async () => {});
  await expect(limiter.run(async () => {})).rejects.toMatchObject({
    kind: 'unavailable',
    message: 'busy: 1 chart queries run and 1 wait',
  });
  gate.end();
  await Promise.all([first, second]);
});

test('whoever stops waiting gives the place up, and work that fails frees it', async () => {
  const limiter = new FairLimiter('chart', 1, 1);
  const gate = held();
  const stop = new AbortController();
  const first = limiter.run(async () => {
    await gate.promise;
    throw new Error('failed');
  });
  const second = limiter.run(async () => {}, { signal: stop.signal });
  stop.abort();
  await expect(second).rejects.toMatchObject({ kind: 'aborted' });
  const third = limiter.run(async () => 'ran');
  gate.end();
  await expect(first).rejects.toThrow('failed');
  expect(await third).toBe('ran');
});

test('close refuses waiting and new work, and resolves when running work has ended', async () => {
  const limiter = new FairLimiter('chart', 1, 1);
  const gate = held();
  const first = limiter.run(() => gate.promise);
  const waiting = expect(limiter.run(async () => {})).rejects.toMatchObject({
    kind: 'unavailable',
  });
  let closed = false;
  const closing = limiter.close().then(() => {
    closed = true;
    return closed;
  });
  await waiting;
  await expect(limiter.run(async () => {})).rejects.toMatchObject({ kind: 'unavailable' });
  expect(closed).toBe(false);
  gate.end();
  await first;
  expect(await closing).toBe(true);
});

test('tenants take turns, however many one of them has waiting', async () => {
  const limiter = new FairLimiter('chart', 1, 10);
  const order: string[] = [];
  const gate = held();
  const first = limiter.run(() => gate.promise, { tenant: 'noisy' });
  const ask = (tenant: string, name: string): Promise<void> =>
    limiter.run(async () => void order.push(name), { tenant });
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

test('one tenant leaves the last place of a wide limiter to another', async () => {
  const limiter = new FairLimiter('chart', 4, 10);
  const gate = held();
  let noisy = 0;
  const runs = Array.from({ length: 6 }, () =>
    limiter.run(
      async () => {
        noisy += 1;
        await gate.promise;
      },
      { tenant: 'noisy' },
    ),
  );
  await limiter.run(async () => {}, { tenant: 'quiet' });
  expect(noisy).toBe(3);
  gate.end();
  await Promise.all(runs);
  expect(noisy).toBe(6);
});

test('the full queue of one tenant refuses only its own work', async () => {
  const limiter = new FairLimiter('chart', 1, 1);
  const gate = held();
  const runs = [
    limiter.run(() => gate.promise, { tenant: 'noisy' }),
    limiter.run(async () => {}, { tenant: 'noisy' }),
  ];
  await expect(limiter.run(async () => {}, { tenant: 'noisy' })).rejects.toMatchObject({
    kind: 'unavailable',
  });
  const quiet = limiter.run(async () => 'ran', { tenant: 'quiet' });
  gate.end();
  await Promise.all(runs);
  expect(await quiet).toBe('ran');
});

test('a tenant whose queries take long gets one place of four while another asks, all but one alone', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    const limiter = new FairLimiter('chart', 4, 10);
    const first = held();
    const long = limiter.run(() => first.promise, { tenant: 'heavy' });
    await settle();
    vi.advanceTimersByTime(5_000);
    first.end();
    await long;
    const gates = [held(), held(), held(), held()];
    const told: boolean[] = [];
    const start = (index: number): Promise<void> =>
      limiter.run(
        async (isHeavy) => {
          told.push(isHeavy);
          await gates[index]!.promise;
        },
        { tenant: 'heavy' },
      );
    const alone = [start(0), start(1)];
    await settle();
    expect(told).toEqual([false, false]);
    await limiter.run(async () => {}, { tenant: 'quiet' });
    const shared = [start(2), start(3)];
    gates[0]!.end();
    await alone[0];
    await settle();
    expect(told).toHaveLength(2);
    gates[1]!.end();
    await alone[1];
    await vi.waitFor(() => expect(told).toEqual([false, false, true]));
    // The other tenant is gone.
    vi.advanceTimersByTime(11_000);
    gates[2]!.end();
    await vi.waitFor(() => expect(told).toEqual([false, false, true, false]));
    gates[3]!.end();
    await Promise.all(shared);
  } finally {
    vi.useRealTimers();
  }
});

test('counts queries that still run: a first burst of long ones leaves the places to others', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    const limiter = new FairLimiter('chart', 8, 10);
    const gate = held();
    const burst = [1, 2, 3].map(() => limiter.run(() => gate.promise, { tenant: 'heavy' }));
    await limiter.run(async () => {}, { tenant: 'quiet' });
    vi.advanceTimersByTime(1_000);
    let isStarted = false;
    const next = limiter.run(
      async () => {
        isStarted = true;
      },
      { tenant: 'heavy' },
    );
    await settle();
    expect(isStarted).toBe(false);
    gate.end();
    await Promise.all([...burst, next]);
    expect(isStarted).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});
