import { describe, expect, test } from 'vitest';
import { name } from './store-documents.ts';
import { nodeForgottenMs } from '../../src/ports/store/node-store.ts';
import type { Store } from '../../src/ports/store/store.ts';
import type { StoreUnderTest } from './store-under-test.ts';
import { documentBody } from '../kit/document-body.ts';

export function workTests(under: StoreUnderTest): void {
  leaseTests(under);
  idempotencyTests(under);
  nodeTests(under);
}

function nodeTests(under: StoreUnderTest): void {
  describe('nodes', () => {
    const node = (id: string, version = '1.0.0') => ({
      id,
      roles: ['api', 'pipes'],
      version,
      startedAtMs: under.clock.nowMs,
      report: { host: 'web-1', processId: 7, memoryBytes: 2 ** 33 },
    });

    test('each shows its last heartbeat, until it leaves', async () => {
      const [first, second] = [node('first'), node('second')];
      await under.a.nodes.beat(first);
      under.clock.nowMs += 1000;
      await under.a.nodes.beat(second);
      const changed = { ...node('first', '1.1.0'), startedAtMs: first.startedAtMs };
      await under.b.nodes.beat(changed);
      expect(await under.b.nodes.list()).toEqual([
        { ...changed, seenAtMs: under.clock.nowMs },
        { ...second, seenAtMs: under.clock.nowMs },
      ]);
      await under.b.nodes.leave('first');
      expect((await under.a.nodes.list()).map(({ id }) => id)).toEqual(['second']);
    });

    test('one that is lost is forgotten an hour later', async () => {
      await under.a.nodes.beat(node('lost'));
      under.clock.nowMs += nodeForgottenMs;
      await under.a.nodes.beat(node('here'));
      await under.b.sweep();
      expect((await under.a.nodes.list()).map(({ id }) => id)).toContain('lost');
      under.clock.nowMs += 1;
      await under.b.sweep();
      expect((await under.a.nodes.list()).map(({ id }) => id)).toEqual(['here']);
    });
  });
}

function leaseTests(under: StoreUnderTest): void {
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

    test('those that have a holder are listed by name, until they end', async () => {
      const [released, expiring, kept] = [name('held'), name('held'), name('held')];
      const names = async () =>
        (await under.b.leases.held())
          .map((one) => one.name)
          .filter((one) => one.startsWith('held'));
      const first = await under.a.leases.acquire(released, 'a', 9000);
      await under.a.leases.acquire(expiring, 'a', 1000);
      const lasting = await under.a.leases.acquire(kept, 'b', 9000);
      expect(await names()).toEqual([released, expiring, kept].toSorted());
      if (first) {
        await under.a.leases.release(first);
      }
      under.clock.nowMs += 1000;
      expect(await names()).toEqual([kept]);
      expect(await under.b.leases.held()).toContainEqual(lasting);
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
}

function idempotencyTests(under: StoreUnderTest): void {
  describe('idempotency', () => {
    const answer = {
      bodyHash: 'h',
      status: 201,
      headers: { etag: '"1"', 'x-empty': '' },
      body: '{"data":"zażółć"}',
    };

    /** One use of a key on its own. */
    const use = (store: Store, credential: string, key: string, given = answer) =>
      store.idempotency.once(credential, key, async () => ({ result: given.body, answer: given }));

    test('of many uses of one key at once, exactly one does its work', async () => {
      const key = name('key');
      let runs = 0;
      const results = await Promise.all(
        Array.from({ length: 12 }, (_, n) =>
          (n % 2 ? under.a : under.b).idempotency.once('me', key, async () => {
            runs++;
            return { result: n, answer };
          }),
        ),
      );
      expect(runs).toBe(1);
      expect(results.filter((result) => result !== undefined)).toHaveLength(1);
    });

    test('a use inside a transaction keeps the answer if the transaction commits, and only then', async () => {
      const key = name('key');
      const insert = (fails: boolean) =>
        under.a.transaction(async (parts) => {
          const kept = await parts.idempotency.once('me', key, async () => {
            await parts.documents.insert('idempotent', {
              kind: 'alert',
              id: key,
              body: documentBody(),
            });
            return { result: 'done', answer };
          });
          if (fails) {
            throw new Error('undone');
          }
          return kept;
        });
      await expect(insert(true)).rejects.toThrow('undone');
      expect(await under.b.idempotency.answer('me', key)).toBeUndefined();
      expect(await insert(false)).toEqual({ result: 'done' });
      expect(await under.b.idempotency.answer('me', key)).toEqual(answer);
      expect(await under.b.documents.get('idempotent', 'alert', key)).toBeDefined();
      expect(await use(under.b, 'me', key)).toBeUndefined();
    });

    test('the first answer is given again, for 24 hours, and only to its own credential', async () => {
      const key = name('key');
      expect(await use(under.a, 'me', key)).toEqual({ result: answer.body });
      under.clock.nowMs += 24 * 3_600_000 - 1;
      expect(await under.b.idempotency.answer('me', key)).toEqual(answer);
      expect(await use(under.b, 'me', key, { ...answer, body: 'late' })).toBeUndefined();
      expect(await under.b.idempotency.answer('me', key)).toEqual(answer);
      expect(await under.b.idempotency.answer('somebody else', key)).toBeUndefined();
      expect(await use(under.b, 'somebody else', key)).toBeDefined();
      under.clock.nowMs += 1;
      expect(await under.b.idempotency.answer('me', key)).toBeUndefined();
      expect(await use(under.b, 'me', key, { ...answer, body: 'new' })).toEqual({ result: 'new' });
    });

    test('a use that fails leaves the key free', async () => {
      const key = name('key');
      const failing = under.a.idempotency.once('me', key, () => Promise.reject(new Error('no')));
      await expect(failing).rejects.toThrow('no');
      expect(await use(under.b, 'me', key)).toBeDefined();
    });

    test('sweep forgets what is past its time and nothing else', async () => {
      const [old, fresh] = [name('key'), name('key')];
      await use(under.a, 'me', old);
      under.clock.nowMs += 24 * 3_600_000;
      await use(under.a, 'me', fresh);
      await under.a.sweep();
      under.clock.nowMs -= 24 * 3_600_000;
      expect(await under.a.idempotency.answer('me', old)).toBeUndefined();
      expect(await under.a.idempotency.answer('me', fresh)).toEqual(answer);
    });
  });
}
