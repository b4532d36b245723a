import { describe, expect, test } from 'vitest';
import type { ListedObject } from '../../src/ports/object-ledger.ts';
import { name } from './store-documents.ts';
import type { StoreUnderTest } from './store-suite.ts';

const listed = (key: string, etag = 'e1'): ListedObject => ({ name: key, etag, bytes: 5_000_000_000, modifiedAtMs: 1_700_000_000_123 });
const loaded = (key: string, rows: number) => ({ name: key, state: 'loaded' as const, rows, reason: null });

export function objectTests(under: StoreUnderTest): void {
  describe('the ledger of objects', () => {
    const lane = async (pipe: string, partition = '0-0', node: 'a' | 'b' = 'a') => under[node].pipes.objects((await under[node].pipes.claim('w', pipe, partition)).claim);

    test('a batch holds what was planned, with what the listing said of it', async () => {
      const ledger = await lane(name('pipe'));
      expect(await ledger.plan('1', [listed('b/ü'), listed('a')], 'f')).toEqual(new Set(['a', 'b/ü']));
      expect(await ledger.batch('1')).toEqual(['a', 'b/ü'].map((key) => ({ ...listed(key), state: 'planned', fingerprint: 'f', rows: 0, reason: null, tries: 0 })));
      expect(await ledger.batch('2')).toEqual([]);
      expect((await ledger.entries(['a', 'none'])).map((entry) => entry.name)).toEqual(['a']);
    });

    test('an object is in one batch at a time, and is planned again only when it has changed or did not load', async () => {
      const pipe = name('pipe');
      const [first, second] = [await lane(pipe), await lane(pipe, '0-1', 'b')];
      await first.plan('1', ['loaded', 'refused', 'waiting', 'gone'].map((key) => listed(key)), 'f');
      expect(await second.plan('1', [listed('loaded', 'e2'), listed('new')], 'f')).toEqual(new Set(['new']));
      await first.settle('1', [loaded('loaded', 7), ...(['refused', 'waiting', 'gone'] as const).map((state) => ({ name: state, state, rows: 0, reason: `is ${state}` }))]);
      expect(await first.waiting()).toBe(1);
      expect(await second.plan('2', [listed('loaded')], 'f')).toEqual(new Set());
      expect(await second.plan('2', [listed('loaded', 'e2'), listed('refused'), listed('waiting'), listed('gone')], 'g')).toEqual(new Set(['loaded', 'refused', 'waiting', 'gone']));
      expect((await second.batch('2')).map((entry) => [entry.name, entry.tries, entry.etag, entry.fingerprint, entry.reason])).toEqual([['gone', 0, 'e1', 'g', null], ['loaded', 0, 'e2', 'g', null], ['refused', 0, 'e1', 'g', null], ['waiting', 1, 'e1', 'g', null]]);
    });

    test('of many that plan the same objects at once, each object goes to one', async () => {
      const pipe = name('pipe');
      const ledgers = await Promise.all(Array.from({ length: 6 }, (_, index) => lane(pipe, `${index}-0`, index % 2 ? 'a' : 'b')));
      const objects = Array.from({ length: 700 }, (_, index) => listed(`o${index}`));
      const taken = await Promise.all(ledgers.map((ledger) => ledger.plan('1', objects, 'f')));
      expect(taken.reduce((sum, names) => sum + (names?.size ?? 0), 0)).toBe(700);
      expect(new Set(taken.flatMap((names) => [...names ?? []])).size).toBe(700);
    });

    test('whoever lost its claim writes nothing', async () => {
      const pipe = name('pipe');
      const old = await lane(pipe);
      await old.plan('1', [listed('a')], 'f');
      const current = await lane(pipe, '0-0', 'b');
      expect(await old.plan('2', [listed('b')], 'f')).toBeUndefined();
      expect(await old.settle('1', [loaded('a', 1)])).toBe(false);
      expect((await current.batch('1')).map(({ state }) => state)).toEqual(['planned']);
      expect(await current.settle('1', [loaded('a', 2)])).toBe(true);
      expect(await current.entries(['a', 'b'])).toMatchObject([{ name: 'a', rows: 2, state: 'loaded' }]);
    });

    test('partitions with something on its way are known, and everything goes with the pipe', async () => {
      const pipe = name('pipe');
      const { claim } = await under.a.pipes.claim('w', pipe, '3-1');
      await under.a.pipes.objects(claim).plan('1', [listed('a')], 'f');
      const ledger = await lane(pipe);
      expect(await ledger.unfinished()).toEqual(['3-1']);
      await under.a.pipes.objects(claim).settle('1', [loaded('a', 1)]);
      expect(await ledger.unfinished()).toEqual([]);
      await under.a.pipes.intend(claim, '1');
      expect(await ledger.unfinished()).toEqual(['3-1']);
      await under.a.pipes.remove('w', pipe);
      expect(await ledger.entries(['a'])).toEqual([]);
    });
  });
}
