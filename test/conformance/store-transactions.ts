import { describe, expect, test } from 'vitest';
import { name } from './store-documents.ts';
import type { StoreUnderTest } from './store-under-test.ts';
import { documentBody, documentFields } from '../kit/document-body.ts';

/** The documents of a workspace, as another node lists them. */
const idsOf = async (under: StoreUnderTest, workspace: string) =>
  (await under.b.documents.list(workspace, 'alert', { limit: 1000, offset: 0 })).items.map(
    ({ id }) => id,
  );

export function transactionTests(under: StoreUnderTest): void {
  wholeTests(under);
  besideTests(under);
}

function wholeTests(under: StoreUnderTest): void {
  describe('a transaction is whole', () => {
    test('everything of it stays, and its result comes back', async () => {
      const workspace = name('w');
      const result = await under.a.transaction(async ({ documents }) => {
        await documents.insert(workspace, { kind: 'alert', id: 'a', body: documentBody() });
        await documents.insert(workspace, {
          kind: 'alert',
          id: 'b',
          body: documentBody(),
          references: [{ kind: 'alert', id: 'a' }],
        });
        expect(
          await documents.get(workspace, 'alert', 'a'),
          'it sees its own writes',
        ).toBeDefined();
        return 'done';
      });
      expect([result, await idsOf(under, workspace)]).toEqual(['done', ['a', 'b']]);
    });

    test('when it throws nothing stays, the error comes out, and the store goes on', async () => {
      const workspace = name('w');
      const failure = new Error('mine');
      await expect(
        under.a.transaction(async ({ documents, leases }) => {
          await documents.insert(workspace, { kind: 'alert', id: 'a', body: documentBody() });
          await leases.acquire(`lease of ${workspace}`, 'a', 1000);
          throw failure;
        }),
      ).rejects.toBe(failure);
      expect(await idsOf(under, workspace)).toEqual([]);
      expect(await under.b.leases.acquire(`lease of ${workspace}`, 'b', 1000)).toMatchObject({
        epoch: 1,
      });
    });

    test('a failed one does not undo those that run beside it', async () => {
      const workspace = name('w');
      const results = await Promise.allSettled(
        Array.from({ length: 20 }, (_, index) =>
          (index % 2 ? under.a : under.b).transaction(async ({ documents }) => {
            await documents.insert(workspace, {
              kind: 'alert',
              id: `id${index}`,
              body: documentBody(),
            });
            if (index % 3 === 0) {
              throw new Error('no');
            }
          }),
        ),
      );
      const kept = results.flatMap(({ status }, index) =>
        status === 'fulfilled' ? [`id${index}`] : [],
      );
      expect(kept).toHaveLength(13);
      expect((await idsOf(under, workspace)).sort()).toEqual(kept.sort());
    });

    test('a conflict that is caught inside leaves the rest of it as it was', async () => {
      const workspace = name('w');
      await under.a.documents.insert(workspace, {
        kind: 'alert',
        id: 'taken',
        body: documentBody(),
        uniqueKey: 'k',
      });
      await under.a.transaction(async ({ documents }) => {
        await documents.insert(workspace, { kind: 'alert', id: 'before', body: documentBody() });
        await expect(
          documents.insert(workspace, { kind: 'alert', id: 'taken', body: documentBody() }),
        ).rejects.toMatchObject({ code: 'conflict' });
        await expect(
          documents.update(workspace, 'alert', 'before', 1, {
            body: documentBody(),
            uniqueKey: 'k',
          }),
        ).rejects.toMatchObject({ code: 'conflict' });
        await documents.insert(workspace, { kind: 'alert', id: 'zlast', body: documentBody() });
      });
      expect(await idsOf(under, workspace)).toEqual(['before', 'taken', 'zlast']);
    });
  });
}

function besideTests(under: StoreUnderTest): void {
  describe('transactions beside each other', () => {
    test('others see nothing of it before its end, and do not wait for it', async () => {
      const workspace = name('w');
      let seen: string[] | undefined;
      await under.a.transaction(async ({ documents }) => {
        await documents.insert(workspace, { kind: 'alert', id: 'a', body: documentBody() });
        seen = await idsOf(under, workspace);
      });
      expect(seen).toEqual([]);
      expect(await idsOf(under, workspace)).toEqual(['a']);
    });

    test('whoever points at a document and whoever removes it cannot both succeed', async () => {
      for (let round = 0; round < 15; round++) {
        const workspace = name('w');
        await under.a.documents.insert(workspace, {
          kind: 'webhook',
          id: 'target',
          body: documentBody(),
        });
        const point = under.a.transaction(async ({ documents }) => {
          if (
            (await documents.existing(workspace, [{ kind: 'webhook', id: 'target' }])).length === 0
          ) {
            return false;
          }
          await documents.insert(workspace, {
            kind: 'alert',
            id: 'owner',
            body: documentBody(),
            references: [{ kind: 'webhook', id: 'target' }],
          });
          return true;
        });
        const remove = under.b.transaction(async ({ documents }) => {
          if ((await documents.referrers(workspace, 'webhook', 'target')).length > 0) {
            return false;
          }
          return documents.remove(workspace, 'webhook', 'target');
        });
        const [pointed, removed] = await Promise.all([point, remove]);
        expect([pointed, removed].filter(Boolean)).toHaveLength(1);
        expect(await under.a.documents.referrers(workspace, 'webhook', 'target')).toHaveLength(
          pointed ? 1 : 0,
        );
      }
    });

    test('two that lock the same documents in opposite order both succeed', async () => {
      const workspace = name('w');
      for (const id of ['a', 'b']) {
        await under.a.documents.insert(workspace, {
          kind: 'alert',
          id,
          body: documentBody({ count: 0 }),
        });
      }
      const add = (order: string[]) =>
        under.a.transaction(async ({ documents }) => {
          for (const id of order) {
            // Reading under a share lock first, then writing, is what makes two of these wait for
            // each other.
            await documents.existing(workspace, [{ kind: 'alert', id }]);
            const now = await documents.get(workspace, 'alert', id);
            if (
              !now ||
              !(await documents.update(workspace, 'alert', id, now.version, {
                body: documentBody({ count: Number(documentFields(now.body)['count']) + 1 }),
              }))
            ) {
              throw new Error('a share lock held by both was lost');
            }
          }
        });
      const results = await Promise.allSettled([add(['a', 'b']), add(['b', 'a'])]);
      const done = results.filter(({ status }) => status === 'fulfilled').length;
      expect(done).toBeGreaterThan(0);
      for (const id of ['a', 'b']) {
        expect((await under.a.documents.get(workspace, 'alert', id))?.body).toEqual({
          count: done,
        });
      }
    });

    test('its time is the time of the store', async () => {
      expect(await under.a.nowMs()).toBe(under.clock.nowMs);
      expect(await under.a.transaction((parts) => parts.nowMs())).toBe(under.clock.nowMs);
    });
  });
}
