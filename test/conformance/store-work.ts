import { describe, expect, test } from 'vitest';
import { name } from './store-documents.ts';
import type { StoreUnderTest } from './store-under-test.ts';
import { documentBody } from '../kit/document-body.ts';

export function workTests(under: StoreUnderTest): void {
  describe('leases', () => {
    test('one holder at a time, until the time of the store passes its end', async () => {
      const lease = name('lease');
      const first = await under.a.leases.acquire(lease, 'a', 1000);
      expect(first).toEqual({
        name: lease,
        holder: 'a',
        epoch: 1,
        expiresAtMs: under.clock.nowMs + 1000,
      });
      under.clock.nowMs += 999;
      expect(await under.b.leases.acquire(lease, 'b', 1000)).toBeUndefined();
      under.clock.nowMs += 1;
      expect(await under.b.leases.acquire(lease, 'b', 1000)).toMatchObject({
        holder: 'b',
        epoch: 2,
      });
      expect(await under.a.leases.acquire(lease, 'a', 1000)).toBeUndefined();
    });

    test('the holder takes it again and renews it, without a new epoch', async () => {
      const lease = name('lease');
      const first = await under.a.leases.acquire(lease, 'a', 1000);
      under.clock.nowMs += 500;
      expect(await under.a.leases.acquire(lease, 'a', 1000)).toMatchObject({
        epoch: 1,
        expiresAtMs: under.clock.nowMs + 1000,
      });
      under.clock.nowMs += 500;
      expect(first && (await under.a.leases.renew(first, 2000))).toMatchObject({
        epoch: 1,
        expiresAtMs: under.clock.nowMs + 2000,
      });
    });

    test('a lease that somebody else took is neither renewed nor released by its former holder', async () => {
      const lease = name('lease');
      const old = await under.a.leases.acquire(lease, 'a', 1000);
      under.clock.nowMs += 1000;
      const current = await under.b.leases.acquire(lease, 'b', 1000);
      if (!old || !current) {
        throw new Error('not acquired');
      }
      expect(await under.a.leases.renew(old, 1000)).toBeUndefined();
      await under.a.leases.release(old);
      expect(await under.a.leases.acquire(lease, 'c', 1000)).toBeUndefined();
      expect(await under.b.leases.renew(current, 1000)).toMatchObject({ epoch: current.epoch });
    });

    test('a released lease is free at once, and its old epoch stays refused even to the same holder', async () => {
      const lease = name('lease');
      const old = await under.a.leases.acquire(lease, 'a', 1000);
      if (!old) {
        throw new Error('not acquired');
      }
      await under.a.leases.release(old);
      expect(await under.a.leases.renew(old, 1000)).toBeUndefined();
      expect(await under.a.leases.acquire(lease, 'a', 1000)).toMatchObject({ epoch: 2 });
      await expect(under.a.transaction((parts) => parts.leases.fence(old))).rejects.toMatchObject({
        code: 'conflict',
      });
    });

    test('a write fenced by a former holder is refused, and nothing of its transaction stays', async () => {
      const [lease, workspace] = [name('lease'), name('w')];
      const old = await under.a.leases.acquire(lease, 'a', 1000);
      under.clock.nowMs += 1000;
      const current = await under.b.leases.acquire(lease, 'b', 1000);
      if (!old || !current) {
        throw new Error('not acquired');
      }
      const write = (id: string, held: typeof old) =>
        under.a.transaction(async (parts) => {
          await parts.documents.insert(workspace, { kind: 'alert', id, body: documentBody() });
          await parts.leases.fence(held);
        });
      await expect(write('by-old', old)).rejects.toMatchObject({ code: 'conflict' });
      await write('by-current', current);
      expect(
        (await under.b.documents.list(workspace, 'alert', { limit: 10, offset: 0 })).items.map(
          ({ id }) => id,
        ),
      ).toEqual(['by-current']);
    });

    test('a fence outside a transaction is a mistake', async () => {
      const held = await under.a.leases.acquire(name('lease'), 'a', 1000);
      if (!held) {
        throw new Error('not acquired');
      }
      await expect(under.a.leases.fence(held)).rejects.toThrow(/transaction/);
    });

    test('of many that reach for a lease at once, exactly one gets it', async () => {
      for (const round of [1, 2, 3]) {
        const lease = name('lease');
        for (const epoch of [1, 2]) {
          const outcomes = await Promise.all(
            Array.from({ length: 10 }, (_, index) =>
              (index % 2 ? under.a : under.b).leases.acquire(
                lease,
                `holder-${round}-${epoch}-${index}`,
                1000,
              ),
            ),
          );
          expect(outcomes.filter((one) => one !== undefined)).toHaveLength(1);
          expect(outcomes.find((one) => one !== undefined)?.epoch).toBe(epoch);
          under.clock.nowMs += 1000;
        }
      }
    });
  });

  describe('idempotency', () => {
    const answer = {
      bodyHash: 'h',
      status: 201,
      headers: { etag: '"1"', 'x-empty': '' },
      body: '{"data":"zażółć"}',
    };

    test('of many claims of one key at once, exactly one goes ahead', async () => {
      const key = name('key');
      const states = await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          (index % 2 ? under.a : under.b).idempotency.claim('me', key, 'h', 60_000),
        ),
      );
      expect(states.filter(({ state }) => state === 'claimed')).toHaveLength(1);
      expect(states.filter(({ state }) => state === 'busy')).toHaveLength(11);
    });

    test('the first answer is given again, for 24 hours, and only to its own credential', async () => {
      const key = name('key');
      expect(await under.a.idempotency.claim('me', key, 'h', 60_000)).toEqual({ state: 'claimed' });
      await under.a.idempotency.complete('me', key, answer);
      under.clock.nowMs += 24 * 3_600_000 - 1;
      expect(await under.b.idempotency.claim('me', key, 'another body', 60_000)).toEqual({
        state: 'answered',
        answer,
      });
      expect(await under.b.idempotency.claim('somebody else', key, 'h', 60_000)).toEqual({
        state: 'claimed',
      });
      under.clock.nowMs += 1;
      expect(await under.b.idempotency.claim('me', key, 'h', 60_000)).toEqual({ state: 'claimed' });
    });

    test('while the first request runs the key is busy; an abandoned or overdue claim is free', async () => {
      const key = name('key');
      await under.a.idempotency.claim('me', key, 'first', 1000);
      expect(await under.b.idempotency.claim('me', key, 'second', 1000)).toEqual({
        state: 'busy',
        bodyHash: 'first',
      });
      await under.a.idempotency.abandon('me', key);
      expect(await under.b.idempotency.claim('me', key, 'second', 1000)).toEqual({
        state: 'claimed',
      });
      under.clock.nowMs += 1000;
      expect(await under.a.idempotency.claim('me', key, 'third', 1000)).toEqual({
        state: 'claimed',
      });
    });

    test('neither a late completion nor an abandonment disturbs an answer that is there', async () => {
      const key = name('key');
      await under.a.idempotency.claim('me', key, 'h', 1000);
      await under.a.idempotency.complete('me', key, answer);
      await under.b.idempotency.complete('me', key, { ...answer, body: 'late' });
      await under.b.idempotency.abandon('me', key);
      expect(await under.b.idempotency.claim('me', key, 'h', 1000)).toEqual({
        state: 'answered',
        answer,
      });
    });

    test('sweep forgets what is past its time and nothing else', async () => {
      const [old, fresh] = [name('key'), name('key')];
      await under.a.idempotency.claim('me', old, 'h', 60_000);
      await under.a.idempotency.complete('me', old, answer);
      under.clock.nowMs += 24 * 3_600_000;
      await under.a.idempotency.claim('me', fresh, 'h', 60_000);
      await under.a.idempotency.complete('me', fresh, answer);
      await under.a.sweep();
      under.clock.nowMs -= 24 * 3_600_000;
      expect(await under.a.idempotency.claim('me', old, 'h', 60_000)).toEqual({ state: 'claimed' });
      expect(await under.a.idempotency.claim('me', fresh, 'h', 60_000)).toMatchObject({
        state: 'answered',
      });
    });
  });
}
