import { describe, expect, test } from 'vitest';
import type { Reference } from '../../src/ports/store/document-store.ts';
import type { Store } from '../../src/ports/store/store.ts';
import type { StoreUnderTest } from './store-under-test.ts';
import { documentBody, documentFields } from '../kit/document-body.ts';

let made = 0;
/** Fresh names, so that tests on one database do not see each other. */
export const name = (what: string) => `${what}-${++made}`;

export function documentTests(under: StoreUnderTest): void {
  lifeTests(under);
  conflictTests(under);
  readTests(under);
  describe('documents of another workspace', () => isolationTests(under));
}

function lifeTests(under: StoreUnderTest): void {
  describe('the life of a document', () => {
    test('what was inserted is read back, byte for byte, on every node', async () => {
      const workspace = name('w');
      const body = {
        text: 'zażółć 🦊 "quoted" \\ \u0000 \u2028',
        big: 1e300,
        tiny: -0.1,
        none: null,
        list: [1, [2], {}],
        nested: { __proto__x: true, '': 'empty' },
      };
      const inserted = await under.a.documents.insert(workspace, {
        kind: 'alert',
        id: 'one',
        body: documentBody(body),
        sealed: 'v1.abc',
      });
      expect(inserted).toEqual({
        kind: 'alert',
        id: 'one',
        workspaceId: workspace,
        version: 1,
        createdAtMs: under.clock.nowMs,
        updatedAtMs: under.clock.nowMs,
        body,
        sealed: 'v1.abc',
      });
      expect(await under.b.documents.get(workspace, 'alert', 'one')).toEqual(inserted);
      expect(await under.b.documents.getMany(workspace, 'alert', ['one'])).toEqual([inserted]);
    });

    test('a change sets version and time; secrets, unique key and references stay unless named', async () => {
      const workspace = name('w');
      const { documents } = under.a;
      await documents.insert(workspace, {
        kind: 'webhook',
        id: 'hook',
        body: documentBody({ n: 1 }),
        sealed: 'secret',
        uniqueKey: 'generic/a',
        references: [{ kind: 'source', id: 's' }],
      });
      under.clock.nowMs += 5;
      const changed = await documents.update(workspace, 'webhook', 'hook', 1, {
        body: documentBody({ n: 2 }),
      });
      expect(changed).toMatchObject({
        version: 2,
        body: { n: 2 },
        sealed: 'secret',
        createdAtMs: under.clock.nowMs - 5,
        updatedAtMs: under.clock.nowMs,
      });
      expect(await documents.get(workspace, 'webhook', 'hook')).toEqual(changed);
      expect(await documents.referrers(workspace, 'source', 's')).toEqual([
        { kind: 'webhook', id: 'hook', part: null },
      ]);
      await expect(
        documents.insert(workspace, {
          kind: 'webhook',
          id: 'other',
          body: documentBody(),
          uniqueKey: 'generic/a',
        }),
      ).rejects.toMatchObject({ code: 'conflict' });
    });

    test('a change replaces the secrets, the unique key and the references it names', async () => {
      const workspace = name('w');
      const { documents } = under.a;
      await documents.insert(workspace, {
        kind: 'webhook',
        id: 'hook',
        body: documentBody(),
        sealed: 'secret',
        uniqueKey: 'a',
        references: [{ kind: 'source', id: 'old' }],
      });
      expect(
        await documents.update(workspace, 'webhook', 'hook', 1, {
          body: documentBody(),
          sealed: null,
          uniqueKey: null,
          references: [
            { kind: 'source', id: 'new' },
            { kind: 'source', id: 'new' },
          ],
        }),
      ).toMatchObject({ sealed: null });
      expect(await documents.referrers(workspace, 'source', 'old')).toEqual([]);
      expect(await documents.referrers(workspace, 'source', 'new')).toHaveLength(1);
      expect(
        await documents.insert(workspace, {
          kind: 'webhook',
          id: 'other',
          body: documentBody(),
          uniqueKey: 'a',
        }),
      ).toMatchObject({ version: 1 });
    });

    test('a removed document is gone, and its references with it', async () => {
      const workspace = name('w');
      const { documents } = under.a;
      await documents.insert(workspace, {
        kind: 'alert',
        id: 'x',
        body: documentBody(),
        references: [{ kind: 'dashboard', id: 'd', part: 't' }],
      });
      expect(await documents.remove(workspace, 'alert', 'x', 1)).toBe(true);
      expect(await under.b.documents.get(workspace, 'alert', 'x')).toBeUndefined();
      await documents.insert(workspace, {
        kind: 'alert',
        id: 'x',
        body: documentBody({ again: true }),
      });
      expect(await documents.referrers(workspace, 'dashboard', 'd')).toEqual([]);
    });

    test('the same id, and the same unique key, may be used by another workspace and another kind', async () => {
      const [one, two] = [name('w'), name('w')];
      for (const workspace of [one, two]) {
        for (const kind of ['alert', 'webhook'] as const) {
          await under.a.documents.insert(workspace, {
            kind,
            id: 'same',
            body: documentBody({ workspace, kind }),
            uniqueKey: 'same',
          });
        }
      }
      expect((await under.a.documents.get(two, 'webhook', 'same'))?.body).toEqual({
        workspace: two,
        kind: 'webhook',
      });
    });
  });
}

function conflictTests(under: StoreUnderTest): void {
  describe('documents written at once', () => {
    test('of two writers that start from one version, one wins and the other is told', async () => {
      const workspace = name('w');
      await under.a.documents.insert(workspace, {
        kind: 'alert',
        id: 'x',
        body: documentBody({ count: 0 }),
      });
      const increment = async (store: Store) => {
        for (let done = 0; done < 25;) {
          const now = await store.documents.get(workspace, 'alert', 'x');
          if (!now) {
            throw new Error('gone');
          }
          if (
            await store.documents.update(workspace, 'alert', 'x', now.version, {
              body: documentBody({ count: Number(documentFields(now.body)['count']) + 1 }),
            })
          ) {
            done++;
          }
        }
      };
      await Promise.all([increment(under.a), increment(under.b)]);
      expect(await under.a.documents.get(workspace, 'alert', 'x')).toMatchObject({
        version: 51,
        body: { count: 50 },
      });
    });

    test('a change or removal of an older version, or of nothing, does nothing', async () => {
      const workspace = name('w');
      const { documents } = under.a;
      await documents.insert(workspace, { kind: 'alert', id: 'x', body: documentBody() });
      await documents.update(workspace, 'alert', 'x', 1, { body: documentBody({ second: true }) });
      expect(
        await documents.update(workspace, 'alert', 'x', 1, {
          body: documentBody(),
          references: [{ kind: 'source', id: 'never' }],
        }),
      ).toBeUndefined();
      expect(
        await documents.update(workspace, 'alert', 'nothing', 1, { body: documentBody() }),
      ).toBeUndefined();
      expect(await documents.remove(workspace, 'alert', 'x', 1)).toBe(false);
      expect(await documents.remove(workspace, 'alert', 'nothing')).toBe(false);
      expect(await documents.referrers(workspace, 'source', 'never')).toEqual([]);
      expect(await documents.get(workspace, 'alert', 'x')).toMatchObject({
        version: 2,
        body: { second: true },
      });
    });

    test('a taken id or unique key is a conflict, and changes nothing', async () => {
      const workspace = name('w');
      const { documents } = under.a;
      await documents.insert(workspace, {
        kind: 'webhook',
        id: 'x',
        body: documentBody({ first: true }),
        uniqueKey: 'k',
      });
      await documents.insert(workspace, {
        kind: 'webhook',
        id: 'y',
        body: documentBody({ mine: true }),
        uniqueKey: 'l',
      });
      await expect(
        documents.insert(workspace, {
          kind: 'webhook',
          id: 'x',
          body: documentBody(),
          references: [{ kind: 'source', id: 's' }],
        }),
      ).rejects.toMatchObject({ code: 'conflict' });
      await expect(
        documents.insert(workspace, {
          kind: 'webhook',
          id: 'z',
          body: documentBody(),
          uniqueKey: 'k',
        }),
      ).rejects.toMatchObject({ code: 'conflict' });
      await expect(
        documents.update(workspace, 'webhook', 'y', 1, { body: documentBody(), uniqueKey: 'k' }),
      ).rejects.toMatchObject({ code: 'conflict' });
      expect(await documents.get(workspace, 'webhook', 'x')).toMatchObject({
        body: { first: true },
      });
      expect(await documents.get(workspace, 'webhook', 'y')).toMatchObject({
        body: { mine: true },
        version: 1,
      });
      expect(await documents.get(workspace, 'webhook', 'z')).toBeUndefined();
      expect(await documents.referrers(workspace, 'source', 's')).toEqual([]);
    });

    test('of two inserts of one unique key at once, exactly one succeeds', async () => {
      const workspace = name('w');
      const results = await Promise.allSettled(
        [under.a, under.b, under.a, under.b].map((store, index) =>
          store.documents.insert(workspace, {
            kind: 'webhook',
            id: `h${index}`,
            body: documentBody(),
            uniqueKey: 'same',
          }),
        ),
      );
      expect(results.map(({ status }) => status).sort()).toEqual([
        'fulfilled',
        'rejected',
        'rejected',
        'rejected',
      ]);
      expect(
        (await under.a.documents.list(workspace, 'webhook', { limit: 10, offset: 0 })).total,
      ).toBe(1);
    });
  });
}

function readTests(under: StoreUnderTest): void {
  describe('documents read together', () => {
    test('lists come in creation order, by id within a millisecond, cut into pages that add up', async () => {
      const workspace = name('w');
      const ids = ['c', 'a', 'b'];
      for (const id of ids) {
        await under.a.documents.insert(workspace, { kind: 'alert', id, body: documentBody() });
      }
      under.clock.nowMs += 1;
      await under.a.documents.insert(workspace, {
        kind: 'alert',
        id: '0-later',
        body: documentBody(),
      });
      await under.a.documents.insert(workspace, {
        kind: 'dashboard',
        id: 'another kind',
        body: documentBody(),
      });
      const page = async (limit: number, offset: number) => {
        const { items, total } = await under.b.documents.list(workspace, 'alert', {
          limit,
          offset,
        });
        return [items.map(({ id }) => id).join(), total];
      };
      expect(await page(1000, 0)).toEqual(['a,b,c,0-later', 4]);
      expect(await page(3, 0)).toEqual(['a,b,c', 4]);
      expect(await page(3, 3)).toEqual(['0-later', 4]);
      expect(await page(3, 4)).toEqual(['', 4]);
      expect(await under.a.documents.list(name('w'), 'alert', { limit: 10, offset: 0 })).toEqual({
        items: [],
        total: 0,
      });
    });

    test('many are read at once, each once, in the order they were asked for', async () => {
      const workspace = name('w');
      const ids = Array.from({ length: 30 }, (_, index) => `id${index}`);
      for (const id of ids) {
        await under.a.documents.insert(workspace, { kind: 'source', id, body: documentBody() });
      }
      const references = [
        ...ids.toReversed(),
        'id3',
        'missing',
        ...Array.from({ length: 2500 }, (_, index) => `no${index}`),
      ];
      expect(
        (await under.b.documents.getMany(workspace, 'source', references)).map(({ id }) => id),
      ).toEqual(ids.toReversed());
      expect(await under.a.documents.getMany(workspace, 'source', [])).toEqual([]);
    });

    test('referrers name the part they point at, in creation order', async () => {
      const workspace = name('w');
      const point = (id: string, references: Reference[]) =>
        under.a.documents.insert(workspace, {
          kind: 'alert',
          id,
          body: documentBody(),
          references,
        });
      await point('second', [
        { kind: 'dashboard', id: 'd', part: 't2' },
        { kind: 'dashboard', id: 'd', part: 't1' },
      ]);
      under.clock.nowMs += 1;
      await point('a-third', [
        { kind: 'dashboard', id: 'd' },
        { kind: 'dashboard', id: 'e' },
        { kind: 'source', id: 'd' },
      ]);
      expect(await under.b.documents.referrers(workspace, 'dashboard', 'd')).toEqual([
        { kind: 'alert', id: 'second', part: 't1' },
        { kind: 'alert', id: 'second', part: 't2' },
        { kind: 'alert', id: 'a-third', part: null },
      ]);
    });

    test('existing tells which references are there', async () => {
      const workspace = name('w');
      await under.a.documents.insert(workspace, { kind: 'webhook', id: 'x', body: documentBody() });
      await under.a.documents.insert(workspace, {
        kind: 'dashboard',
        id: 'd',
        body: documentBody(),
      });
      const references: Reference[] = [
        { kind: 'webhook', id: 'x' },
        { kind: 'webhook', id: 'd' },
        { kind: 'dashboard', id: 'd', part: 't' },
        { kind: 'dashboard', id: 'x' },
      ];
      expect(await under.a.documents.existing(workspace, references)).toEqual([
        references[0],
        references[2],
      ]);
      expect(
        await under.a.transaction((parts) => parts.documents.existing(workspace, references)),
      ).toEqual([references[0], references[2]]);
      expect(await under.a.documents.existing(workspace, [])).toEqual([]);
      const many = [
        ...references,
        ...Array.from({ length: 2000 }, (_, index): Reference => ({
          kind: index % 2 ? 'alert' : 'webhook',
          id: `no${index}`,
        })),
        ...references,
      ];
      expect(await under.a.documents.existing(workspace, many)).toEqual([
        references[0],
        references[2],
        references[0],
        references[2],
      ]);
      expect(
        await under.a.transaction((parts) => parts.documents.existing(workspace, many)),
      ).toHaveLength(4);
    });

    test('a NUL character in a key is a bad request, in a body it is text like any other', async () => {
      const workspace = name('w');
      const { documents } = under.a;
      await expect(
        documents.insert(workspace, {
          kind: 'webhook',
          id: 'x',
          body: documentBody(),
          uniqueKey: 'a\0b',
        }),
      ).rejects.toMatchObject({ code: 'bad_request' });
      await expect(documents.get(workspace, 'webhook', 'x\0')).rejects.toMatchObject({
        code: 'bad_request',
      });
      await documents.insert(workspace, {
        kind: 'webhook',
        id: 'x',
        body: documentBody({ 'a\0': 'b\0', lone: '\ud800' }),
      });
      expect((await documents.get(workspace, 'webhook', 'x'))?.body).toEqual({
        'a\0': 'b\0',
        lone: '\ud800',
      });
    });
  });
}

/**
 * Every method, asked by a workspace for what is another's: as if it were not there, and it stays
 * as it was.
 */
function isolationTests(under: StoreUnderTest): void {
  const cases: Record<string, (store: Store, mine: string) => Promise<unknown>> = {
    get: async (store, mine) => store.documents.get(mine, 'alert', 'theirs'),
    getMany: (store, mine) =>
      store.documents.getMany(mine, 'alert', ['theirs']).then((results) => results[0]),
    list: (store, mine) =>
      store.documents
        .list(mine, 'alert', { limit: 10, offset: 0 })
        .then(({ items, total }) => items[0] ?? (total || undefined)),
    update: (store, mine) =>
      store.documents.update(mine, 'alert', 'theirs', 1, {
        body: documentBody({ stolen: true }),
        references: [],
      }),
    remove: (store, mine) =>
      store.documents.remove(mine, 'alert', 'theirs').then((gone) => gone || undefined),
    'remove of a version': (store, mine) =>
      store.documents.remove(mine, 'alert', 'theirs', 1).then((gone) => gone || undefined),
    referrers: (store, mine) =>
      store.documents.referrers(mine, 'dashboard', 'their-dashboard').then((results) => results[0]),
    existing: (store, mine) =>
      store.documents
        .existing(mine, [{ kind: 'alert', id: 'theirs' }])
        .then((results) => results[0]),
    'existing in a transaction': (store, mine) =>
      store
        .transaction((parts) => parts.documents.existing(mine, [{ kind: 'alert', id: 'theirs' }]))
        .then((results) => results[0]),
  };
  test.each(Object.keys(cases))(
    '%s: what belongs to another workspace is not there',
    async (method) => {
      const [mine, theirs] = [name('w'), name('w')];
      const before = await under.a.documents.insert(theirs, {
        kind: 'alert',
        id: 'theirs',
        body: documentBody({ secret: true }),
        sealed: 's',
        references: [{ kind: 'dashboard', id: 'their-dashboard' }],
      });
      expect(await cases[method]?.(under.a, mine)).toBeUndefined();
      expect(await under.a.documents.get(theirs, 'alert', 'theirs')).toEqual(before);
      expect(
        await under.a.documents.referrers(theirs, 'dashboard', 'their-dashboard'),
      ).toHaveLength(1);
    },
  );
}
